// @ts-check
/** The virtual tabletop itself: everything that we use of it, in one place. */

import { called, nothingPlayed } from "./shapes.mjs";
import { keyed } from "./words.mjs";

/** @typedef {import("./shapes.mjs").Host} Host */
/** @typedef {import("./shapes.mjs").Cast} Cast */
/** @typedef {ReturnType<typeof globals>} Globals */

/** The class of what a card says without this module; with it, the card says more. */
export const PLAIN = "oddsmith-plain";

/** What stakes can be paid in. @type {Record<string, string>} */
const CURRENCIES = {
  chips: "ODDSMITH.settings.currency.chips",
  itempiles: "ODDSMITH.settings.currency.itempiles",
  dnd5e: "ODDSMITH.settings.currency.dnd5e",
  pf2e: "ODDSMITH.settings.currency.pf2e",
  path: "ODDSMITH.settings.currency.path",
};

/** What the tabletop gives to every script. */
function globals() {
  return {
    game,
    foundry,
    Roll,
    ChatMessage,
    Hooks,
    fetch: fetch.bind(globalThis),
    setTimeout: setTimeout.bind(globalThis),
  };
}

/** The tabletop as globals.d.ts declares it: names of settings, flags and messages are the module's own, so types of
 * others refuse them. @param {unknown} world */
const ours = (world) => /** @type {FoundryGame} */ (world);

/** The settings of this module. `tables` is the record of all tables; nobody sees it. @param {string} id of the module
 * @param {() => void} changed hears of every change of any of them, on every client @param {Globals} [world] */
export function registerSettings(id, changed, world = globals()) {
  const { settings, system, modules } = ours(world.game);
  const add = (/** @type {string} */ key, /** @type {FoundrySettingStart} */ { choices, ...more }) =>
    settings.register(id, key, {
      scope: "world",
      config: true,
      onChange: changed,
      ...more,
      ...(choices ? { choices: listed(choices) } : {}),
    });
  const listed = (/** @type {Record<string, string>} */ choices) =>
    Object.fromEntries(Object.entries(choices).map(([value, key]) => [value, keyed(key)]));
  const told = (/** @type {string} */ name, /** @type {string} */ hint) => ({ name: keyed(name), hint: keyed(hint) });
  add("tables", { config: false, type: Object, default: nothingPlayed() });
  add("open", {
    ...told("ODDSMITH.settings.open.name", "ODDSMITH.settings.open.hint"),
    type: String,
    default: "everyone",
    choices: { everyone: "ODDSMITH.settings.open.everyone", gm: "ODDSMITH.settings.open.gm" },
  });
  add("owners", {
    ...told("ODDSMITH.settings.owners.name", "ODDSMITH.settings.owners.hint"),
    type: Boolean,
    default: false,
  });
  add("trusting", {
    ...told("ODDSMITH.settings.trusting.name", "ODDSMITH.settings.trusting.hint"),
    type: Boolean,
    default: false,
  });
  add("pause", {
    ...told("ODDSMITH.settings.pause.name", "ODDSMITH.settings.pause.hint"),
    type: Number,
    default: 900,
    range: { min: 0, max: 3000, step: 100 },
  });
  add("opening", {
    ...told("ODDSMITH.settings.opening.name", "ODDSMITH.settings.opening.hint"),
    type: Number,
    default: 100,
    range: { min: 0, max: 10_000, step: 10 },
  });
  const currency = (/** @type {Record<string, string>} */ choices) =>
    add("currency", {
      ...told("ODDSMITH.settings.currency.name", "ODDSMITH.settings.currency.hint"),
      type: String,
      default: "chips",
      choices,
    });
  currency(CURRENCIES); // what is chosen can be read once it is known, and stays to be seen where its keeper is gone
  const here = new Set(["chips", "path", system.id, String(settings.get(id, "currency"))]);
  if (modules.get("item-piles")?.active) here.add("itempiles");
  currency(Object.fromEntries(Object.entries(CURRENCIES).filter(([name]) => here.has(name))));
  add("coin", { ...told("ODDSMITH.settings.coin.name", "ODDSMITH.settings.coin.hint"), type: String, default: "gp" });
  add("path", {
    ...told("ODDSMITH.settings.path.name", "ODDSMITH.settings.path.hint"),
    type: String,
    default: "system.currency.gp",
  });
}

/** HTML in whose text the tabletop finds no marks of its own, such as a roll in two brackets: it looks for them in each
 * stretch of text. @param {string} html without tags */
function inert(html) {
  return html.replace(/\[|:(?=\/\/)/g, "<span>$&</span>");
}

/** A roll with its dice in the open. @param {FoundryRoll} roll @returns {Cast} */
function castOf(roll) {
  const counts = (/** @type {FoundryResult} */ { active }) => active !== false;
  const dice = roll.dice.map((/** @type {FoundryRoll["dice"][0]} */ { faces, results }) => ({
    faces,
    results: results.filter(counts).map((/** @type {FoundryResult} */ { result }) => result),
  }));
  return { roll, formula: roll.formula, total: roll.total, dice };
}

/** @param {string} id of the module @param {Globals} [world] @returns {Host} */
export function foundryHost(id, world = globals()) {
  const { game, foundry, Roll, ChatMessage, Hooks } = world;
  const tabletop = ours(game);
  const others = /** @type {any} */ (game); // what other modules and the system add to it, no types know
  const channel = `module.${id}`;
  const get = (/** @type {string} */ key) => /** @type {any} */ (tabletop.settings.get(id, key));
  const actorOf = (/** @type {string} */ uuid) => {
    const found = /** @type {any} */ (foundry.utils.fromUuidSync(/** @type {any} */ (uuid), { strict: false }));
    return typeof found?.testUserPermission === "function" && found.documentName === "Actor" ? found : null;
  };
  const plain = (/** @type {string} */ text) => `<p class="${PLAIN}">${inert(foundry.utils.escapeHTML(text))}</p>`;
  return {
    me: () => tabletop.userId,
    users: () =>
      tabletop.users.map((/** @type {FoundryUser} */ { id, name, isGM, active, character }) => ({
        id,
        name: called(name),
        isGM,
        active,
        character: character?.uuid ?? null,
      })),
    // An assistant may be the active game master and yet not be allowed to write settings.
    authority: () =>
      game.users?.getDesignatedUser((user) => user.active && user.isGM && user.can("SETTINGS_MODIFY"))?.id ?? null,
    get,
    set: (key, value) => tabletop.settings.set(id, key, value),
    emit: (message, to) => tabletop.socket.emit(channel, message, { recipients: [to] }),
    listen: (heard) => tabletop.socket.on(channel, heard), // the server adds who sent it
    // A hidden roll must not ask anybody to throw real dice.
    roll: async (formula, hidden = false) =>
      castOf(await new Roll(formula).evaluate(hidden ? { allowInteractive: false } : {})),
    post: async ({ author, alias, rolls, flags, text }) => {
      const speaker = alias ? { alias } : {};
      const content = text ? plain(text) : "";
      const create = (/** @type {string} */ by) => {
        /** @type {FoundryMessageData} */
        const data = { author: by, speaker, rolls, content, flags: { [id]: flags } };
        return /** @type {Promise<{id: string | null} | undefined>} */ (
          /** @type {unknown} */ (ChatMessage.create(data))
        );
      };
      const own = tabletop.userId;
      // Whoever may not write as another writes in his own name; the alias still says whose throw it is.
      const message = author === own ? await create(own) : await create(author).catch(() => create(own));
      return message?.id ?? "";
    },
    cards: (fits) => {
      const wanted = (/** @type {FoundryMessage} */ { flags }) =>
        fits(/** @type {Record<string, any>} */ (flags)[id] ?? {});
      return tabletop.messages.filter(wanted).map((/** @type {FoundryMessage} */ message) => message.id ?? "");
    },
    remove: async (card) =>
      void (await tabletop.messages
        .get(card)
        ?.delete()
        .catch(() => {})), // a card that stays says that it is over
    casts: (card) => (tabletop.messages.get(card)?.rolls ?? []).map(castOf),
    amend: async (card, rolls, flags, text) => {
      const message = tabletop.messages.get(card);
      if (!message) return false;
      const content = text ? { content: plain(text) } : {};
      const update = message.update({ rolls: [...message.rolls, ...rolls], flags: { [id]: flags }, ...content });
      return update.then(
        () => true,
        () => false,
      ); // whoever may not change another's card posts one of his own
    },
    onMessage: (heard) => {
      Hooks.on("createChatMessage", (message, _options, creator) => {
        const flags = /** @type {Record<string, any>} */ (message.flags)[id];
        if (flags) heard({ id: message.id ?? "", flags, casts: message.rolls.map(castOf) }, creator);
      });
    },
    owns: (user, uuid) => {
      const person = tabletop.users.get(user);
      return Boolean(person && actorOf(uuid)?.testUserPermission(person, "OWNER"));
    },
    actor: actorOf,
    currencies: () => ({
      itempiles: others.itempiles?.API,
      dnd5e: others.dnd5e?.applications,
      read: foundry.utils.getProperty,
    }),
    id: () => foundry.utils.randomID(16),
    now: () => tabletop.time.serverTime,
    later: (milliseconds, act) => void world.setTimeout(act, milliseconds),
    load: async (path) => {
      const answer = await world.fetch(new URL(`../../../${path}`, import.meta.url));
      if (!answer.ok) throw new Error(`${path} could not be loaded`);
      return answer.arrayBuffer();
    },
    report: (error) => console.error(id, error),
  };
}
