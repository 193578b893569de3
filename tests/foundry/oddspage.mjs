// A page with a chat as Foundry has one, over tests/foundry/double.mjs, for the module that tells odds. The address
// says who sits here: ?user=gm or ann (a player), &generation=14 of the tabletop, &worker=none where no worker begins,
// &ask=gm and &share=everyone for the settings of the world. Who loads the page again comes back to the same world.

import { shownContent } from "./chat.mjs";
import { ROLES, World } from "./double.mjs";
import { roll, TERMS } from "./terms.mjs";

const ID = "oddsmith-odds";
const asked = new URLSearchParams(location.search);
document.body.className = `theme-${asked.get("theme") ?? "light"}`;
const generation = Number(asked.get("generation") ?? 13);
const world = new World({ id: ID, generation });
const clients = { gm: world.client("gm", ROLES.GM), ann: world.client("ann", ROLES.PLAYER) };
const kept = sessionStorage.getItem("world");
if (kept) world.restore(kept);
addEventListener("pagehide", () => sessionStorage.setItem("world", world.saved()));
for (const key of ["ask", "share"]) if (asked.get(key)) world.settings.set(key, asked.get(key));
const me = clients[asked.get("user") ?? "gm"];
const { globals } = me;

const texts = await (await fetch(`/modules/${ID}/lang/en.json`)).json();
const missing = [];
const notes = [];
const localize = (key) => {
  if (!(key in texts)) missing.push(key);
  return texts[key] ?? key;
};
const module = { active: true, title: "Oddsmith Odds" };
Object.assign(globals.game, {
  release: { generation },
  i18n: { localize, format: (key, data) => localize(key).replace(/\{(\w+)\}/g, (_, name) => data[name]) },
  modules: new Map([[ID, module]]),
});
globals.foundry.dice = { terms: TERMS };
globals.Hooks.once = globals.Hooks.on;
const note = (kind) => (text) => {
  notes.push(`${kind}: ${text}`);
  document.querySelector("#notes").textContent = text;
};
const read = (text) => {
  const { terms, ...data } = JSON.parse(text);
  return { ...roll(terms.map((term) => TERMS.RollTerm.fromData(term))), ...data };
};
const { localStorage: _, ...given } = globals; // the page has one of its own
Object.assign(globalThis, given, {
  fetch: globalThis.fetch.bind(globalThis),
  setTimeout: globalThis.setTimeout.bind(globalThis),
  Roll: { fromJSON: read },
  ui: { notifications: { info: note("info"), warn: note("warn"), error: note("error") } },
});
if (asked.get("worker") === "none")
  globalThis.Worker = class {
    constructor() {
      throw new DOMException("another address", "SecurityError");
    }
  };

// What a message with rolls shows to whom does not see them, and nothing of a whisper to others.
const draw = (message) => {
  document.querySelector(`#chat [data-message-id="${message.id}"]`)?.remove();
  if (!message.isContentVisible && !message.rolls.length) return;
  const content = document.createElement("div");
  content.className = "message-content";
  if (message.isContentVisible) content.innerHTML = shownContent(message);
  else content.textContent = "???";
  const line = document.createElement("li");
  line.className = "chat-message";
  line.dataset.messageId = message.id;
  line.append(content);
  me.hook("renderChatMessageHTML", message, line);
  document.querySelector("#chat").append(line);
};
globals.Hooks.on("createChatMessage", draw);

await import(`/modules/${ID}/scripts/odds/main.mjs`);
me.hook("init");
for (const message of world.messages.values()) draw(me.message(message));
me.hook("ready");
for (const { name, hint, choices } of me.definitions.values())
  for (const key of [name, hint, ...Object.values(choices)]) localize(key);
const entries = [];
me.hook("getChatMessageContextOptions", {}, entries);
const [entry] = entries;
localize(entry.name ?? entry.label);
globalThis.probe = { world, clients, me, missing, notes, module, entry, DialogV2: { asked: [] } };
document.body.dataset.ready = "yes";
