// @ts-check
/** The virtual tabletop itself: everything that we use of it, in one place. */

import { firstModuleId, sharesPurses, moduleRegistry, SHARED } from "./beside.mjs";
import { makeTimer } from "./clock.mjs";
import { globals, asFoundryGame } from "./foundry.mjs";
import { shortenName } from "./shapes.mjs";

/** @typedef {import("./shapes.mjs").Host} Host */
/** @typedef {import("./shapes.mjs").Cast} Cast */
/** @typedef {import("./shapes.mjs").Line} Line */
/** @typedef {import("./foundry.mjs").Globals} Globals */

/** The folder of the module. Where its scripts are joined to one, that lies in place of main.mjs. */
const HOME = import.meta.url.replace(/[^/]+\/foundry\/(?:world\/host|main)\.mjs.*$/, "");

/** The class of a card's text for screens without this module; with it, the card says more. */
export const PLAIN_TEXT_CLASS = "oddsmith-plain";

/** Wrap signs in which Foundry could find marks of its own, such as a roll in two brackets. It looks for them within
 * each stretch of text. @param {string} html without tags */
function escapeFoundryMarks(html) {
  return html.replace(/\[|:(?=\/\/)/g, "<span>$&</span>");
}

/** Describe a roll: its formula, its total, and the results that count of each kind of die. @param {FoundryRoll} roll
 * @returns {Cast} */
function describeRoll(roll) {
  const counts = (/** @type {FoundryResult} */ { active }) => active !== false;
  const dice = roll.dice.map((/** @type {FoundryRoll["dice"][0]} */ { faces, results }) => ({
    faces,
    results: results.filter(counts).map((/** @type {FoundryResult} */ { result }) => result),
  }));
  return { roll, formula: roll.formula, total: roll.total, dice };
}

/** The HTML that a card shows on screens without this module, a paragraph for each line. Because it has elements,
 * Foundry adds no blocks of its rolls to the message.
 * @param {Globals["foundry"]} foundry @param {Line[]} lines */
function plainCardHtml(foundry, lines) {
  const written = (/** @type {string} */ text) => escapeFoundryMarks(foundry.utils.escapeHTML(text));
  const drawn = (/** @type {string} */ face) => `<strong>${written(face)}</strong>`;
  const part = (/** @type {string | string[]} */ one) => (Array.isArray(one) ? one.map(drawn).join(" ") : written(one));
  return lines.map((line) => `<p class="${PLAIN_TEXT_CLASS}">${line.map(part).join("")}</p>`).join("");
}

/** @template {keyof Host} Key @typedef {(id: string, world: Globals) => Pick<Host, Key>} Part of what a host does */

/** The users of the world. @type {Part<"me" | "users" | "authority">} */
function userAccess(_id, { game }) {
  const tabletop = asFoundryGame(game);
  return {
    me: () => tabletop.userId,
    users: () =>
      tabletop.users.map((/** @type {FoundryUser} */ { id, name, isGM, active, character }) => ({
        id,
        name: shortenName(name),
        isGM,
        active,
        character: character?.uuid ?? null,
      })),
    // An assistant may be the active game master and yet not be allowed to write settings.
    authority: () =>
      game.users?.getDesignatedUser((user) => user.active && user.isGM && user.can("SETTINGS_MODIFY"))?.id ?? null,
  };
}

/** What the world and this client keep, and messages between clients. Users of one browser share its storage.
 * @type {Part<"get" | "set" | "purses" | "setPurses" | "line" | "storage" | "shelf" | "emit" | "listen">} */
function storageAccess(moduleId, { game, localStorage }) {
  const tabletop = asFoundryGame(game);
  const channel = `module.${moduleId}`;
  const kept = (/** @type {string} */ scope, /** @type {string} */ key) =>
    /** @type {any} */ (tabletop.settings.get(scope, key));
  return {
    // The purse is one, so one module's settings say what is in it at the start.
    get: (key) => kept((key === "opening" && firstModuleId(game)) || moduleId, key),
    set: (key, value) => tabletop.settings.set(moduleId, key, value),
    purses: () =>
      [
        sharesPurses(game) ? kept(SHARED, "chips") : kept(moduleId, "tables"),
        ...[...moduleRegistry(game).modules.keys()].map((one) => kept(one, "tables")),
      ].map((one) => one ?? { purses: {}, purseChanges: 0 }),
    setPurses: (value) => tabletop.settings.set(SHARED, "chips", value),
    line: moduleRegistry(game).line,
    storage: localStorage,
    shelf: (name) => `${moduleId}/${tabletop.world.id}/${tabletop.userId}/${name}`,
    emit: (message, to) => tabletop.socket.emit(channel, message, { recipients: [to] }),
    listen: (heard) => tabletop.socket.on(channel, heard), // the server adds who sent it
  };
}

/** Rolls, and new cards in the chat. @type {Part<"roll" | "post" | "onMessage" | "dressDice" | "rolling">} */
function chatAccess(moduleId, { game, foundry, Roll, ChatMessage, Hooks }) {
  const tabletop = asFoundryGame(game);
  return {
    // A roll by itself must not ask anybody to throw real dice.
    roll: async (formula, byItself = false, looks = []) => {
      const made = new Roll(formula);
      made.dice.forEach((/** @type {any} */ die, at) => {
        const look = looks[at];
        if (look) die.options.appearance = { system: look.system };
      });
      return describeRoll(await made.evaluate(byItself ? { allowInteractive: false } : {}));
    },
    post: async ({ author, alias, rolls, flags, lines }) => {
      const speaker = alias ? { alias } : {};
      const content = plainCardHtml(foundry, lines);
      const postAs = (/** @type {string} */ by) => {
        /** @type {FoundryMessageData} */
        const data = { author: by, speaker, rolls, content, flags: { [moduleId]: flags } };
        return /** @type {Promise<{id: string | null} | undefined>} */ (
          /** @type {unknown} */ (ChatMessage.create(data))
        );
      };
      const own = tabletop.userId;
      // Whoever may not write as another writes in his own name; the alias still says whose throw it is.
      const message = author === own ? await postAs(own) : await postAs(author).catch(() => postAs(own));
      return message?.id ?? "";
    },
    // Dice So Nice calls a hook before dice of a message roll on a screen; its older versions call the second one.
    // By then it must know the dice that have texts of their own.
    dressDice: (looksOf) => {
      const known = new Set();
      const learn = (/** @type {import("./shapes.mjs").Look} */ { system, sides, labels }) => {
        if (known.has(system)) return;
        known.add(system);
        const { dice3d } = /** @type {any} */ (game); // there only once the world is ready
        dice3d?.addSystem({ id: system, name: labels.join(" ") }, "default");
        dice3d?.addDicePreset({ type: `d${sides}`, labels, system });
      };
      for (const name of ["diceSoNiceMessagePreProcess", "diceSoNiceMessageProcessed"])
        /** @type {any} */ (Hooks).on(name, (/** @type {string} */ message, /** @type {any} */ asked) => {
          const flags = /** @type {any} */ (tabletop.messages.get(message)?.flags)?.[moduleId];
          const looks = flags && looksOf(flags);
          if (looks === null) asked.willTrigger3DRoll = false;
          looks?.forEach(learn);
        });
    },
    // Dice So Nice marks the messages whose dice roll on this screen. Its promise for any other message never resolves.
    rolling: (message) =>
      /** @type {any} */ (tabletop.messages.get(message))?._dice3danimating
        ? (/** @type {any} */ (game).dice3d?.waitFor3DAnimationByMessageID(message) ?? null)
        : null,
    onMessage: (heard) => {
      Hooks.on("createChatMessage", (message, _options, creator) => {
        const flags = /** @type {Record<string, any>} */ (message.flags)[moduleId];
        if (flags) heard({ id: message.id ?? "", flags, casts: message.rolls.map(describeRoll) }, creator);
      });
    },
  };
}

/** Cards that are in the chat already. @type {Part<"cards" | "remove" | "author" | "casts" | "amend">} */
function cardAccess(moduleId, { game, foundry }) {
  const tabletop = asFoundryGame(game);
  return {
    cards: (fits) => {
      const wanted = (/** @type {FoundryMessage} */ { flags }) =>
        fits(/** @type {Record<string, any>} */ (flags)[moduleId] ?? {});
      return tabletop.messages.filter(wanted).map((/** @type {FoundryMessage} */ message) => message.id ?? "");
    },
    remove: async (card) =>
      void (await tabletop.messages
        .get(card)
        ?.delete()
        .catch(() => {})), // a card that stays says that it is over
    author: (card) => tabletop.messages.get(card)?.author?.id ?? "",
    casts: (card) => (tabletop.messages.get(card)?.rolls ?? []).map(describeRoll),
    amend: async (card, rolls, flags, lines) => {
      const message = tabletop.messages.get(card);
      if (!message) return false;
      const content = plainCardHtml(foundry, lines);
      const update = message.update({ rolls: [...message.rolls, ...rolls], flags: { [moduleId]: flags }, content });
      return update.then(
        () => true,
        () => false,
      ); // whoever may not change another's card posts one of his own
    },
  };
}

/** The coins of each currency in this world: those of the system, and of Item Piles. @param {any} config of the system
 * @param {any} itempiles its interface, where it is here @returns {Record<string, string[]>} */
function coinNames({ DND5E, PF2E }, itempiles) {
  const piles = (itempiles?.CURRENCIES ?? []).map((/** @type {{abbreviation: string}} */ { abbreviation }) =>
    abbreviation.replace("{#}", "").trim().toLowerCase(),
  );
  const all = {
    dnd5e: Object.keys(DND5E?.currencies ?? {}),
    pf2e: Object.keys(PF2E?.currencies ?? {}),
    itempiles: piles,
  };
  return Object.fromEntries(Object.entries(all).filter(([, coins]) => coins.length));
}

/** How many of each coin have the same worth; undefined if there is no such system.
 * @param {Record<string, {conversion: number}> | undefined} currencies */
const conversionRates = (currencies) =>
  currencies && Object.fromEntries(Object.entries(currencies).map(([coin, { conversion }]) => [coin, conversion]));

/** Actors, their owners and their purses. @type {Part<"owns" | "actor" | "currencies">} */
function actorAccess(_id, { game, foundry, CONFIG }) {
  const tabletop = asFoundryGame(game);
  const others = /** @type {any} */ (game); // no types know what the system and other modules add to it
  const actorOf = (/** @type {string} */ uuid) => {
    const document = /** @type {any} */ (foundry.utils.fromUuidSync(/** @type {any} */ (uuid), { strict: false }));
    return typeof document?.testUserPermission === "function" && document.documentName === "Actor" ? document : null;
  };
  return {
    owns: (user, uuid) => {
      const person = tabletop.users.get(user);
      return Boolean(person && actorOf(uuid)?.testUserPermission(person, "OWNER"));
    },
    actor: actorOf,
    currencies: () => ({
      itempiles: others.itempiles?.API,
      dnd5e: conversionRates(/** @type {any} */ (CONFIG).DND5E?.currencies),
      coins: coinNames(CONFIG, others.itempiles?.API),
      read: foundry.utils.getProperty,
    }),
  };
}

/** Return Foundry behind the interface that all other scripts use. @param {string} moduleId of the module
 * @param {Globals} [foundryGlobals] @returns {Host} */
export function foundryHost(moduleId, foundryGlobals = globals()) {
  const tabletop = asFoundryGame(foundryGlobals.game);
  return {
    ...userAccess(moduleId, foundryGlobals),
    ...storageAccess(moduleId, foundryGlobals),
    ...chatAccess(moduleId, foundryGlobals),
    ...cardAccess(moduleId, foundryGlobals),
    ...actorAccess(moduleId, foundryGlobals),
    id: () => foundryGlobals.foundry.utils.randomID(16),
    now: () => tabletop.time.serverTime,
    later: makeTimer(foundryGlobals),
    onLeave: (act) => foundryGlobals.addEventListener("pagehide", act),
    address: (path) => new URL(path, HOME).href,
    load: async (path) => {
      const answer = await foundryGlobals.fetch(new URL(path, HOME));
      if (!answer.ok) throw new Error(`${path} could not be loaded`);
      return answer.arrayBuffer();
    },
    report: (error) => console.error(moduleId, error),
  };
}
