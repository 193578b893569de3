// @ts-check
/** The ways in: a button of the scene controls, the chat, a key, the settings, and marks in journals. */

import { makeElement } from "../../runtime/words/view.mjs";
import { moduleInterfaces, firstModuleId, hasSeveralModules } from "../world/beside.mjs";
import { showError, moduleTextKey, moduleTitle, localizedText } from "../world/words.mjs";

/** @typedef {import("./desk.mjs").WindowManager} Desk */

const MARK = /@Oddsmith\[(open|new|advice)(?: ([\w-]+))?\](?:\{([^}]+)\})?/g;

/** Open the window that a word names.
 * @param {Desk | null} windowManager null while the world loads @param {string} windowWord
 * @param {string} [gameId] a game's id */
export function openWindowNamed(windowManager, windowWord, gameId) {
  if (!windowManager) return;
  if (windowWord === "new") windowManager.openNew(gameId);
  else if (windowWord === "advice") windowManager.openAdvisor(gameId);
  else if (windowWord === "purses") windowManager.openPurses();
  else windowManager.open(gameId);
}

/** The title of a button for all our modules. @param {string} moduleId of the module that has the button */
const titleForAllModules = (moduleId) =>
  hasSeveralModules(game) ? localizedText("ODDSMITH.AllGames") : moduleTitle(moduleId);

/** Add the last button to the controls of tokens. It is one for all our modules. @param {string} moduleId */
export function addSceneButton(moduleId) {
  Hooks.on(
    "getSceneControlButtons",
    (/** @type {Record<string, {tools?: Record<string, FoundryTool>}>} */ controls) => {
      const tools = controls.tokens?.tools;
      if (!tools || firstModuleId(game) !== moduleId) return;
      const order = Object.keys(tools).length;
      const turn = moduleInterfaces(game).some((face) => face.hasTurn());
      const module = titleForAllModules(moduleId);
      tools[moduleId] = {
        name: moduleId,
        title: turn ? localizedText("ODDSMITH.Turn.Title", { module }) : module,
        icon: turn ? "fa-solid fa-bell" : "fa-solid fa-dice",
        order,
        button: true,
        onChange: () => moduleInterfaces(game)[0]?.open(),
      };
    },
  );
}

/** Add a button to those around a token, one for all our modules. It opens the table where the actor sits, or a new
 * one.
 * @param {string} moduleId @param {() => Desk | null} getWindowManager */
export function addTokenButton(moduleId, getWindowManager) {
  Hooks.on("renderTokenHUD", (hud, element) => {
    const [column, name] = [element.querySelector(".col.right"), `oddsmith-${moduleId}-hud`];
    // Drawn again, it may have kept the button.
    if (!column || firstModuleId(game) !== moduleId || column.querySelector(`.${name}`)) return;
    const open = () => getWindowManager()?.openForActor(/** @type {FoundryHUD} */ (hud).document.actor?.uuid ?? "");
    const title = localizedText("ODDSMITH.Hud", { module: titleForAllModules(moduleId) });
    const about = { type: "button", class: `control-icon ${name}`, "aria-label": title, "data-tooltip": title };
    column.append(makeElement("button", { ...about, onclick: open }, makeElement("i", { class: "fa-solid fa-dice" })));
  });
}

/** Add `/oddsmith`, `/oddsmith new`, `/oddsmith advice` and `/oddsmith purses` to the chat; nothing is posted. If a
 * game's id follows, only the module that has the game answers. From generation 14 on, Foundry also knows it as a
 * command of its own. @param {Desk} windowManager */
export function addChatCommand(windowManager) {
  const command = new RegExp(
    `^\\s*/oddsmith(?:\\s+(\\w+)(?:\\s+(${windowManager.games.map(({ id }) => id).join("|")}))?)?\\s*$`,
    "i",
  );
  const answer = (/** @type {RegExpMatchArray | null} */ said) => {
    if (said) openWindowNamed(windowManager, (said[1] ?? "open").toLowerCase(), said[2]?.toLowerCase());
    return !said;
  };
  Hooks.on("chatMessage", (/** @type {unknown} */ _log, /** @type {string} */ text) =>
    answer(command.exec(chatLineText(text))),
  );
  // No types of 13 know it.
  const { CHAT_COMMANDS: known } = /** @type {any} */ (foundry.applications).sidebar.tabs.ChatLog;
  if (known)
    known[windowManager.id] = {
      rgx: command,
      fn: (/** @type {string} */ _name, /** @type {RegExpMatchArray} */ said) => answer(said),
    };
}

/** The text of a line of chat: from generation 14 on the hook gets HTML. @param {string} chatLine */
function chatLineText(chatLine) {
  return new DOMParser().parseFromString(chatLine.replaceAll("<", " <"), "text/html").body.textContent ?? "";
}

/** Register a key that opens the table. It is bound to no key until a user chooses one. @param {string} moduleId
 * @param {() => Desk | null} getWindowManager */
export function addKeybinding(moduleId, getWindowManager) {
  const onDown = () => {
    openWindowNamed(getWindowManager(), "open");
    return true;
  };
  game.keybindings.register(moduleId, "open", {
    name: moduleTextKey("ODDSMITH.Key.Name"),
    hint: moduleTextKey("ODDSMITH.Key.Hint"),
    editable: [],
    onDown,
  });
}

/** Add buttons to the module settings, once for all our modules. @param {string} moduleId @param {() => Desk | null}
 * getWindowManager */
export function addSettingsButtons(moduleId, getWindowManager) {
  if (firstModuleId(game) !== moduleId) return;
  // The settings make a window of this class and render it; it opens another window instead.
  const windowButton = (/** @type {string} */ word) =>
    class Door extends foundry.applications.api.ApplicationV2 {
      async render() {
        openWindowNamed(getWindowManager(), word);
        return this;
      }
    };
  const tables = {
    name: moduleTitle(moduleId),
    label: moduleTextKey("ODDSMITH.Menu.Label"),
    hint: moduleTextKey("ODDSMITH.Menu.Hint"),
  };
  game.settings.registerMenu(moduleId, "open", {
    ...tables,
    icon: "fa-solid fa-dice",
    type: windowButton("open"),
    restricted: false,
  });
  const purses = {
    name: moduleTextKey("ODDSMITH.Purses.Title"),
    label: moduleTextKey("ODDSMITH.Purses.Open"),
    hint: moduleTextKey("ODDSMITH.Purses.Hint"),
  };
  game.settings.registerMenu(moduleId, "purses", {
    ...purses,
    icon: "fa-solid fa-coins",
    type: windowButton("purses"),
    restricted: true,
  });
}

/** Turn `@Oddsmith[open]`, `[new]` and `[advice]` in journals into buttons; a game's id may follow after a space. Text
 * of a compendium is left to the module that it belongs to. @param {string} moduleId
 * @param {() => Desk | null} getWindowManager */
export function addJournalMarks(moduleId, getWindowManager) {
  const texts = { open: "ODDSMITH.Card.Open", new: "ODDSMITH.New.Title", advice: "ODDSMITH.Advice.Title" };
  CONFIG.TextEditor.enrichers.push({
    pattern: MARK,
    enricher: async ([, word, about, label], options) => {
      const pack = options?.relativeTo?.pack ?? options?.relativeTo?.parent?.pack;
      const ours = !pack || pack.startsWith(`${moduleId}.`);
      if (!ours || (about && getWindowManager() && !getWindowManager()?.games.some((one) => one.id === about)))
        return null;
      const text = label ?? localizedText(texts[/** @type {keyof typeof texts} */ (word)]);
      return makeElement(
        "button",
        {
          type: "button",
          class: `oddsmith-door oddsmith-${moduleId}-door`,
          "data-oddsmith": moduleId,
          "data-word": word,
          "data-game": about ?? "",
        },
        text,
      );
    },
  });
  const heard = (/** @type {Event} */ event) => {
    const door = /** @type {HTMLElement | null} */ (
      /** @type {Element | null} */ (event.target)?.closest?.(".oddsmith-door")
    );
    if (event.defaultPrevented || door?.dataset.oddsmith !== moduleId) return;
    event.preventDefault();
    try {
      openWindowNamed(getWindowManager(), door.dataset.word ?? "open", door.dataset.game || undefined);
    } catch (error) {
      showError(error);
    }
  };
  // Journals keep an enriched text without its listeners, so the document has one listener for all. Each window has one
  // too, because it may be moved to a document of its own.
  document.addEventListener("click", heard);
  Hooks.on("renderApplicationV2", (/** @type {unknown} */ _window, /** @type {HTMLElement} */ element) =>
    element.addEventListener("click", heard),
  );
}
