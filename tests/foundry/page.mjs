// A page with windows, chat and settings as Foundry has them, over tests/foundry/double.mjs: the module's own scripts
// run in it as one user's client. Where that user is a player, a game master without a window answers him. It is a
// model, as the double is.
//
// The address says who sits here: ?user=gm (a game master) or ann (a player), &away=gm or &away=ann for who is not
// there, &theme=dark, &seed=1 for other dice, &tokens=1 for selected tokens, &generation=14 of the tabletop, &copied=1
// where another script puts copies in place of the messages that were drawn before the world was there. Who loads the
// page again comes back to the same world.

import { shownContent } from "./chat.mjs";
import { ROLES, World } from "./double.mjs";

const asked = new URLSearchParams(location.search);
const here = asked.get("user") ?? "gm";
document.body.className = `theme-${asked.get("theme") ?? "light"}`;

const world = new World({
  id: "tavern",
  seed: Number(asked.get("seed") ?? 5),
  generation: Number(asked.get("generation") ?? 13),
});
const hostile = "<img src=x onerror=\"document.title='owned'\">";
const clients = {
  gm: world.client("gm", ROLES.GM, { name: "Keeper" }),
  ann: world.client("ann", ROLES.PLAYER, { name: `Ann ${hostile}` }),
};
for (const away of asked.getAll("away")) clients[away].active = false;
const kept = sessionStorage.getItem("world");
if (kept) world.restore(kept);
addEventListener("pagehide", () => sessionStorage.setItem("world", world.saved()));
const me = clients[here];
const { globals } = me;
const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

// --- windows

class ApplicationV2 {
  static DEFAULT_OPTIONS = {};
  static documents = [document]; // and those of windows that were detached
  constructor(options = {}) {
    this.options = { ...this.constructor.DEFAULT_OPTIONS, ...options };
    this.id = this.options.id;
    this.rendered = false;
    this.queue = Promise.resolve();
  }
  get element() {
    return ApplicationV2.documents.map((one) => one.getElementById(this.id)).find(Boolean) ?? null;
  }
  render() {
    this.queue = this.queue.then(() => this.#draw());
    return this.queue.then(() => this);
  }
  async #draw() {
    if (this.element && !this.rendered) throw new Error(`another window has the id ${this.id}`);
    const result = await this._renderHTML({}, {});
    if (!this.element) {
      const title = element("h1", { className: "window-title", textContent: this.title });
      const close = element("button", {
        type: "button",
        className: "header-control",
        textContent: "\u00d7",
        ariaLabel: "Close",
        onclick: () => this.close(),
      });
      const frame = element(
        "div",
        { id: this.id, className: ["application", ...this.options.classes].join(" ") },
        element("header", { className: "window-header" }, title, close),
        element("section", { className: "window-content" }),
      );
      frame.style.width = `${this.options.position.width}px`;
      document.querySelector("main").append(frame);
    }
    this._replaceHTML(result, this.element.querySelector(".window-content"), {});
    this.rendered = true;
  }
  async close() {
    this.element?.remove();
    this.rendered = false;
    this._onClose({});
    return this;
  }
  bringToFront() {}
  _onClose() {}
}
class DialogV2 extends ApplicationV2 {
  static asked = [];
  static async confirm(options) {
    DialogV2.asked.push(options);
    return true;
  }
}

// --- what else the scripts use

const lang = asked.get("lang") ?? "en";
const texts = await (await fetch(`/modules/tavern/lang/${lang}.json`)).json();
const missing = [];
const localize = (key) => {
  if (!(key in texts)) missing.push(key);
  return texts[key] ?? key;
};
const notes = [];
const saved = [];
const menus = new Map();
const bindings = new Map();
const module = { active: true, title: "Tavern games" };
const pictured = (name, owners) => world.actor(name, owners, {}, { img: "/tests/foundry/face.svg" });
const token = (name, actor) => ({ id: name, name, actor, document: { texture: { src: "" } } });
Object.assign(globals.game, {
  i18n: { lang, localize, format: (key, data) => localize(key).replace(/\{(\w+)\}/g, (_, name) => data[name]) },
  modules: new Map([["tavern", module]]),
  keybindings: { register: (id, name, binding) => bindings.set(name, binding) },
});
globals.game.settings.registerMenu = (id, name, menu) => menus.set(name, menu);
globals.foundry.applications.api = { ApplicationV2, DialogV2 };
globals.foundry.utils.saveDataToFile = (text, type, name) => saved.push({ text, type, name });
const opened = [];
const sounds = [];
globals.foundry.audio = { AudioHelper: { play: ({ src }) => sounds.push(src) } };
const controls = {};
const drawControls = () => {
  const drawn = { tokens: { tools: {} } };
  me.hook("getSceneControlButtons", drawn);
  Object.assign(controls, drawn.tokens.tools);
};
globals.foundry.utils.fromUuid = async (uuid) => ({ sheet: { render: () => opened.push(uuid) } });
globals.Hooks.once = globals.Hooks.on;
globals.Hooks.callAll = (name, ...parts) => me.hook(name, ...parts);
const note = (kind) => (text) => {
  notes.push(`${kind}: ${text}`);
  document.querySelector("#notes").textContent = text;
};
for (const client of Object.values(clients)) client.globals.localStorage = globalThis.localStorage;
const ownFetch = globalThis.fetch.bind(globalThis);
const { localStorage: _, addEventListener: __, ...given } = globals;
Object.assign(globalThis, given, {
  fetch: async (address, ...more) =>
    asked.get("lost") && String(address).endsWith(asked.get("lost"))
      ? new Response("", { status: 404 })
      : ownFetch(address, ...more),
  setTimeout: globalThis.setTimeout.bind(globalThis),
  Worker: globalThis.Worker,
  Blob: globalThis.Blob,
  URL: globalThis.URL,
  CONFIG: { TextEditor: { enrichers: [] }, sounds: { notification: "sounds/notify.wav" } },
  ui: {
    notifications: { info: note("info"), warn: note("warn"), error: note("error") },
    controls: { render: async () => drawControls() },
  },
  canvas: {
    ready: true,
    tokens: {
      controlled: asked.get("tokens")
        ? [token("Ann's token", pictured("Hero", ["ann"])), token("Innkeeper", pictured("Innkeeper"))]
        : [],
    },
  },
});

// --- chat

const draw = (message) => {
  const content = element("div", { className: "message-content", innerHTML: shownContent(message) });
  const line = element("li", { className: "chat-message" }, content);
  line.dataset.messageId = message.id;
  document.querySelector(`#chat [data-message-id="${message.id}"]`)?.remove();
  me.hook("renderChatMessageHTML", message, line);
  document.querySelector("#chat").append(line);
  const log = document.querySelector("#log");
  log.scrollTop = log.scrollHeight; // what is filled in later moves it away from there
};
const drawLog = () => {
  for (const message of world.messages.values()) draw(me.message(message));
};
globals.Hooks.on("createChatMessage", draw);
globals.Hooks.on("updateChatMessage", draw);
globals.Hooks.on("deleteChatMessage", ({ id }) => document.querySelector(`#chat [data-message-id="${id}"]`)?.remove());

// --- the game master of a player, and time

if (here !== "gm") {
  const { foundryHost } = await import("/modules/tavern/scripts/foundry/world/host.mjs");
  const { registerSettings } = await import("/modules/tavern/scripts/foundry/world/settings.mjs");
  const { Tables } = await import("/modules/tavern/scripts/foundry/tables/tables.mjs");
  const { moduleGameLibrary } = await import("/modules/tavern/scripts/foundry/world/games.mjs");
  const other = { ...clients.gm.globals, fetch: globalThis.fetch };
  registerSettings("tavern", () => globalThis.keeper?.onSettingsChanged(), other);
  const host = foundryHost("tavern", other);
  const tables = new Tables(host, moduleGameLibrary(host.load));
  tables.startListening();
  globalThis.keeper = tables;
  // The game master comes or goes, and every client hears of it.
  globalThis.keeperIs = (active) => {
    clients.gm.active = active;
    me.hook("userConnected");
    if (active) tables.resumePending();
  };
}
const tick = async () => {
  await world.elapse(500);
  globalThis.setTimeout(tick, 10);
};
void tick();

await import("/modules/tavern/scripts/foundry/main.mjs");
me.hook("init");
drawLog();
if (asked.get("copied"))
  for (const line of document.querySelectorAll("#chat li")) line.replaceWith(line.cloneNode(true));
await new Promise((done) => globalThis.setTimeout(done, 50)); // the scene is drawn after the chat
me.hook("ready");
while (!module.api && !notes.length) await new Promise((done) => globalThis.setTimeout(done, 5));
Object.assign(globalThis, {
  probe: {
    world,
    clients,
    me,
    module,
    missing,
    notes,
    saved,
    opened,
    sounds,
    controls,
    drawLog,
    menus,
    bindings,
    texts,
    DialogV2,
    hostile,
    token,
  },
});
// What the tabletop itself looks up to show it among its settings.
const shown = [...me.definitions.values(), ...menus.values(), ...bindings.values()];
for (const { name, label, hint, choices = {} } of shown)
  for (const key of [name, label, hint, ...Object.values(choices)]) if (key?.startsWith("ODDSMITH")) localize(key);
performance.mark("module ready");
document.body.dataset.ready = "yes";
