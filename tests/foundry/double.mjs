// A virtual tabletop with a server and several clients, as our module sees one. Dice are seeded, time stands still
// until it is told to go on, and what a client may do is what the server would let it do. It is a model: no line of it
// is the real thing.

import { Random } from "../../site/runtime/rules/random.mjs";
import { enriched } from "./chat.mjs";

const PLAYER = 1;
const ASSISTANT = 3;
const GM = 4;
const MINUTE = 60_000; // milliseconds
export const ROLES = { PLAYER, ASSISTANT, GM };

const copy = (value) => JSON.parse(JSON.stringify(value));
const soon = globalThis.setImmediate ?? ((act) => setTimeout(act, 0));
const escapeHTML = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const getProperty = (object, path) => path.split(".").reduce((at, part) => at?.[part], object);

/** What an update makes of something: what it does not name stays. */
const merged = (old, changes) =>
  Object.fromEntries(
    [...new Set([...Object.keys(old), ...Object.keys(changes)])].map((key) => {
      const both = [old[key], changes[key]].every(
        (one) => typeof one === "object" && one !== null && !Array.isArray(one),
      );
      return [key, key in changes ? (both ? merged(old[key], changes[key]) : changes[key]) : old[key]];
    }),
  );

/** What a browser keeps. */
function shelf() {
  const held = new Map();
  return {
    get length() {
      return held.size;
    },
    key: (place) => [...held.keys()][place] ?? null,
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, text) => void held.set(key, text),
    removeItem: (key) => void held.delete(key),
  };
}

export class Denied extends Error {}

export class World {
  /** @param {{id?: string, seed?: number, socket?: boolean, generation?: number, dice?: number}} options `dice` is how
   * many milliseconds dice roll on the screens, where they are seen there */
  constructor({ id = "tavern", seed = 1, socket = true, generation = 13, dice = 0 } = {}) {
    Object.assign(this, { id, socket, generation, dice, random: new Random(seed), time: 1_000_000, next: 0 });
    this.modules = new Map(); // others than the one that is looked at, by id
    this.system = { id: "simple" };
    this.config = {}; // CONFIG of the system
    this.settings = new Map();
    this.messages = new Map();
    this.actors = new Map();
    this.clients = [];
    this.timers = [];
    this.files = new Map();
    this.formulas = []; // every roll of anybody
    this.writes = 0; // of settings
    this.heaviest = 0; // characters of the largest value that was ever written, all of which goes to every client
    this.denied = [];
  }

  /** By what a setting is kept: those of other modules by their names, too. */
  named(scope, key) {
    return scope === this.id ? key : `${scope}.${key}`;
  }

  client(id, role = PLAYER, more = {}) {
    const client = new Client(this, id, role, more);
    this.clients.push(client);
    return client;
  }

  actor(name, owners = [], system = {}, more = {}) {
    const uuid = `Actor.${name.toLowerCase()}`;
    const actor = {
      documentName: "Actor",
      uuid,
      name,
      img: "icons/svg/mystery-man.svg",
      system,
      owners,
      ...more,
      testUserPermission: (user) => user.isGM || owners.includes(user.id),
      updates: 0,
      update: async (changes) => {
        actor.updates += 1;
        for (const [path, value] of Object.entries(changes)) {
          const parts = path.split(".");
          getProperty(actor, parts.slice(0, -1).join("."))[parts.at(-1)] = value;
        }
      },
    };
    this.actors.set(uuid, actor);
    return actor;
  }

  /** What a server keeps while nobody is there. */
  saved() {
    const messages = [...this.messages.values()].map((one) => ({ ...one, author: one.author.id }));
    const { time, next, settings } = this;
    return JSON.stringify({ time, next, settings: [...settings], messages });
  }

  /** The same taken up again, by a world with the same people. */
  restore(saved) {
    const { messages, settings, ...more } = JSON.parse(saved);
    Object.assign(this, more, { settings: new Map(settings) });
    const author = (id) => this.clients.find((one) => one.id === id).user;
    this.messages = new Map(messages.map((one) => [one.id, { ...one, author: author(one.author) }]));
  }

  /** All dice on all screens lie still. */
  land() {
    for (const client of this.clients) client.land();
  }

  /** Let everything happen that does not wait for a clock. */
  async quiet() {
    for (let turn = 0; turn < 12; turn++) await new Promise((done) => soon(done));
  }

  /** When a timer is heard: one of a tab that nobody looks at once a minute, unless it is a worker's. */
  #wakes({ at, client, worker }) {
    return client.hidden && !worker ? Math.ceil(at / MINUTE) * MINUTE : at;
  }

  /** Let time pass. */
  async elapse(milliseconds) {
    const end = this.time + milliseconds;
    for (;;) {
      await this.quiet();
      const [[at, due] = []] = this.timers.map((timer) => [this.#wakes(timer), timer]).sort(([a], [b]) => a - b);
      if (!due || at > end) break;
      this.timers.splice(this.timers.indexOf(due), 1);
      this.time = Math.max(this.time, at);
      if (due.client.active) due.act();
    }
    this.time = end;
  }
}

class Client {
  constructor(world, id, role, { name = id, character = null, permissions = {} } = {}) {
    // `hidden`: nobody looks at this tab; `byHand`: dice are thrown by hand, and a window asks for what they show.
    Object.assign(this, { world, id, role, active: true, hidden: false, byHand: false });
    this.user = {
      id,
      name,
      role,
      character,
      get isGM() {
        return role >= ASSISTANT;
      },
    };
    Object.defineProperty(this.user, "active", { get: () => this.active });
    this.user.can = (permission) => permissions[permission] ?? role >= ASSISTANT;
    this.definitions = new Map();
    this.listeners = [];
    this.hooks = new Map();
    this.registered = []; // what was hooked, by its number
    this.own = new Map(); // settings of this screen alone
    this.storage = shelf();
    this.rolling = new Map(); // whoever waits for dice on this screen, by message
    this.faces = []; // what was on the dice that rolled on this screen
    this.systems = new Set(["standard"]);
    this.presets = new Map();
    this.leaving = []; // whoever hears that the page goes away
    this.waitedFor = 0; // how often somebody asked for them
    this.commands = world.generation < 14 ? undefined : {};
    this.globals = this.#globals();
  }

  /** The page goes away; its user may have others. */
  leave() {
    for (const heard of this.leaving) heard();
    this.active = false;
  }

  hook(name, ...parts) {
    for (const heard of this.hooks.get(name) ?? []) heard(...parts);
  }

  /** A line of chat: "hook" or "command" where one of them takes it, "invalid" where nobody knows the command, else
   * "posted". From generation 14 on the hook is handed HTML, and commands can be added to the chat's own. */
  async say(text) {
    const told = this.world.generation < 14 ? text : `<p>${escapeHTML(text).replaceAll("  ", "&nbsp; ")}</p>`;
    if ((this.hooks.get("chatMessage") ?? []).some((heard) => heard({}, told, {}) === false)) return "hook";
    for (const [name, { rgx, fn }] of Object.entries(this.commands ?? {})) {
      const match = rgx.exec(text);
      if (match && (await fn(name, match, {}, {})) === false) return "command";
    }
    return text.startsWith("/") ? "invalid" : "posted";
  }

  /** A message as this client has it: he changes it in his own name. */
  message(source) {
    const own = { update: (changes) => this.#update(source, changes), delete: () => this.#delete(source) };
    const now = { _dice3danimating: () => this.rolling.has(source.id), isContentVisible: () => this.#sees(source) };
    const get = (target, key) => (Object.hasOwn(now, key) ? now[key]() : (own[key] ?? target[key]));
    return new Proxy(source, { get });
  }

  /** Whether this person sees what a message says: who rolls blindly does not see his own. */
  #sees({ whisper, blind, author }) {
    return !whisper.length || whisper.includes(this.id) || (author.id === this.id && !blind);
  }

  /** Dice of a message roll on this screen, unless somebody says that they are not to be seen. */
  #rollOnScreen(source) {
    const asked = { willTrigger3DRoll: this.world.dice > 0 };
    this.hook("diceSoNiceMessagePreProcess", source.id, asked);
    this.hook("diceSoNiceMessageProcessed", source.id, { ...asked });
    if (!asked.willTrigger3DRoll) return;
    for (const { faces, options } of source.rolls.flatMap(({ dice }) => dice))
      this.faces.push(this.presets.get(`${options.appearance?.system} d${faces}`) ?? "numbers");
    this.rolling.set(source.id, this.rolling.get(source.id) ?? []);
    this.world.timers.push({ at: this.world.time + this.world.dice, act: () => this.land(source.id), client: this });
  }

  /** Dice on this screen lie still: those of one message, or all. */
  land(...messages) {
    for (const id of messages.length ? messages : [...this.rolling.keys()]) {
      const waiting = this.rolling.get(id) ?? [];
      this.rolling.delete(id);
      for (const done of waiting) done();
    }
  }

  async #update(source, changes) {
    if (!this.#speaksFor(source.author.id)) this.#deny(`update the message ${source.id}`);
    const content = "content" in changes ? { content: enriched(changes.content) } : {};
    const { length } = source.rolls;
    Object.assign(source, changes, { flags: merged(source.flags, changes.flags ?? {}), ...content });
    if (source.rolls.length > length) this.#everywhere((client) => client.#rollOnScreen(source));
    this.#tell("updateChatMessage", source, changes, {}, this.id);
  }

  async #delete(source) {
    if (!this.#speaksFor(source.author.id)) this.#deny(`delete the message ${source.id}`);
    this.world.messages.delete(source.id);
    this.#tell("deleteChatMessage", source, {}, this.id);
  }

  /** @param {(client: Client) => void} act */
  #everywhere(act) {
    for (const client of this.world.clients) if (client.active) act(client);
  }

  /** Every client hears of a message. */
  #tell(hook, source, ...more) {
    this.#everywhere((client) => client.hook(hook, client.message(source), ...more));
  }

  #deny(what) {
    this.world.denied.push(`${this.id}: ${what}`);
    throw new Denied(what);
  }

  /** Assistants count as game masters (User#isGM), unless somebody took that from them. */
  #speaksFor(author) {
    return author === this.id || (this.user.isGM && this.user.can("SPEAK_FOR_OTHERS"));
  }

  #globals() {
    const { world } = this;
    const me = this;
    class Roll {
      constructor(formula) {
        if (!/^\d+d\d+( \+ \d+d\d+)*$/.test(formula)) throw new Error(`no formula: ${formula}`);
        this.formula = formula;
        this.dice = [...formula.matchAll(/(\d+)d(\d+)/g)].map(([, number, faces]) => ({
          number: Number(number),
          faces: Number(faces),
          options: {},
          results: [],
        }));
      }
      async evaluate({ allowInteractive = true } = {}) {
        if (allowInteractive && me.byHand) return new Promise(() => {}); // nobody answers
        world.formulas.push(this.formula);
        for (const { number, faces, results } of this.dice)
          for (let one = 0; one < number; one++) results.push({ result: 1 + world.random.below(faces), active: true });
        this.total = this.dice.flatMap(({ results }) => results).reduce((sum, { result }) => sum + result, 0);
        return this;
      }
    }
    const ChatMessage = {
      create: async (data, { messageMode, rollMode = messageMode } = {}) => {
        const author = data.author ?? me.id;
        if (!me.#speaksFor(author)) me.#deny(`create a message as ${author}`);
        const id = `message${String(world.next++).padStart(9, "0")}`;
        // The mode that somebody has chosen for his chat counts only where it is passed.
        const whisper = [undefined, "public"].includes(rollMode)
          ? []
          : world.clients.flatMap(({ user }) => (user.isGM ? user.id : []));
        const source = {
          rolls: [],
          flags: {},
          whisper,
          ...data,
          content: enriched(data.content ?? ""),
          id,
          author: world.clients.find((one) => one.id === author)?.user,
        };
        world.messages.set(id, source);
        if (source.rolls.length) me.#everywhere((client) => client.#rollOnScreen(source));
        me.#tell("createChatMessage", source, {}, me.id);
        return me.message(source);
      },
    };
    return {
      game: this.#game(),
      CONFIG: world.config,
      localStorage: this.storage,
      addEventListener: (name, heard) => void (name === "pagehide" && this.leaving.push(heard)),
      Roll,
      ChatMessage,
      foundry: {
        applications: { sidebar: { tabs: { ChatLog: { CHAT_COMMANDS: this.commands } } } },
        utils: {
          randomID: (length) => String(world.next++).padStart(length, "r"),
          getProperty,
          escapeHTML,
          fromUuidSync: (uuid) => world.actors.get(uuid) ?? null,
        },
      },
      Hooks: {
        on: (name, heard) => {
          me.hooks.set(name, [...(me.hooks.get(name) ?? []), heard]);
          return me.registered.push(heard) - 1;
        },
        off: (name, id) =>
          me.hooks.set(
            name,
            me.hooks.get(name).filter((heard) => heard !== me.registered[id]),
          ),
      },
      setTimeout: (act, milliseconds) => this.#timer(act, milliseconds, false),
      ...this.#workers(),
      fetch: async (url) => {
        const path = [...world.files.keys()].find((one) => String(url).endsWith(`/${one}`));
        const bytes = path && world.files.get(path);
        return { ok: Boolean(bytes), arrayBuffer: async () => Uint8Array.from(bytes).buffer };
      },
    };
  }

  #timer(act, milliseconds, worker) {
    this.world.timers.push({ at: this.world.time + milliseconds, act, client: this, worker });
  }

  /** Workers, whose script is that of a blob. */
  #workers() {
    const setTimeout = (act, milliseconds) => this.#timer(act, milliseconds, true);
    class Worker {
      constructor(script) {
        this.inside = { setTimeout, postMessage: (data) => this.onmessage({ data: copy(data) }) };
        // eslint-disable-next-line no-new-func -- a worker is a script of its own
        new Function("self", script)(this.inside);
      }
      postMessage(data) {
        queueMicrotask(() => this.inside.onmessage({ data: copy(data) }));
      }
    }
    return {
      Worker: this.world.Worker ?? Worker,
      Blob: class {
        constructor(parts) {
          this.text = parts.join("");
        }
      },
      URL: class extends URL {
        static createObjectURL = ({ text }) => text;
      },
    };
  }

  #game() {
    const { world } = this;
    const me = this;
    const users = () => world.clients.map(({ user }) => user);
    return {
      userId: me.id,
      user: me.user,
      world: { id: "the-world" },
      system: world.system,
      modules: world.modules,
      // Whoever asks about dice that lie still waits for ever.
      dice3d: {
        // Dice So Nice knows dice by a system, and the shape; a look that it does not know shows numbers.
        addSystem: ({ id, name }, mode) => {
          if (!id || !name || mode !== "default") throw new Error(`no system of dice: ${id}`);
          me.systems.add(id);
        },
        addDicePreset: ({ type, labels, system }) => {
          const shape = /^d(2|4|6|8|10|12|20)$/.exec(type);
          if (!shape || labels.length !== Number(shape[1]) || !me.systems.has(system))
            throw new Error(`no dice: ${type} ${labels} of ${system}`);
          if (labels.some((text) => text.length > 3)) throw new Error(`too long for a side: ${labels}`);
          me.presets.set(`${system} ${type}`, labels.join(" "));
        },
        waitFor3DAnimationByMessageID: (id) =>
          new Promise((done) => {
            me.waitedFor += 1;
            me.rolling.get(id)?.push(done);
          }),
      },
      time: {
        get serverTime() {
          return world.time;
        },
      },
      users: {
        get: (id) => users().find((user) => user.id === id),
        map: (change) => users().map(change),
        filter: (fits) => users().filter(fits),
        getDesignatedUser: (fits) =>
          users()
            .filter(fits)
            .sort((a, b) => b.role - a.role || (a.id < b.id ? -1 : 1))[0] ?? null,
      },
      actors: { map: (change) => [...world.actors.values()].map(change) },
      messages: {
        get: (id) => (world.messages.has(id) ? me.message(world.messages.get(id)) : undefined),
        filter: (fits) => [...world.messages.values()].map((source) => me.message(source)).filter(fits),
      },
      settings: {
        register: (scope, key, definition) => me.definitions.set(world.named(scope, key), definition),
        get: (scope, key) => {
          const name = world.named(scope, key);
          const { default: usual, scope: where } = me.definitions.get(name);
          return copy((where === "client" ? me.own : world.settings).get(name) ?? usual);
        },
        set: async (scope, key, value) => {
          const name = world.named(scope, key);
          if (me.definitions.get(name)?.scope === "client") return void me.own.set(name, copy(value));
          if (!me.user.can("SETTINGS_MODIFY")) me.#deny(`write ${name}`);
          world.writes += 1;
          world.heaviest = Math.max(world.heaviest, JSON.stringify(value).length);
          world.settings.set(name, copy(value));
          for (const client of world.clients) if (client.active) client.definitions.get(name)?.onChange?.(copy(value));
        },
      },
      socket: {
        on: (channel, heard) => me.listeners.push([channel, heard]),
        emit: (channel, message, { recipients } = {}) => {
          if (!world.socket || ![world.id, ...world.modules.keys()].some((id) => channel === `module.${id}`)) return;
          const sent = JSON.stringify(message);
          const others = world.clients.filter(
            (client) => client !== me && client.active && (recipients?.includes(client.id) ?? true),
          );
          for (const client of others)
            for (const [to, heard] of client.listeners)
              if (to === channel) queueMicrotask(() => heard(JSON.parse(sent), me.id));
        },
      },
    };
  }
}
