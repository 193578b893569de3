// A virtual tabletop with a server and several clients, as our module sees one. Dice are seeded, time stands still until it is
// told to go on, and what a client may do is what the server would let it do. It is a model: no line of it is the real thing.

import { Random } from "../../site/runtime/random.mjs";

const PLAYER = 1;
const ASSISTANT = 3;
const GM = 4;
export const ROLES = { PLAYER, ASSISTANT, GM };

const copy = (value) => JSON.parse(JSON.stringify(value));
const soon = globalThis.setImmediate ?? ((act) => setTimeout(act, 0));
const escapeHTML = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const getProperty = (object, path) => path.split(".").reduce((at, part) => at?.[part], object);

/** What an update makes of something: what it does not name stays. */
const merged = (old, changes) => Object.fromEntries([...new Set([...Object.keys(old), ...Object.keys(changes)])].map((key) => {
  const both = [old[key], changes[key]].every((one) => typeof one === "object" && one !== null && !Array.isArray(one));
  return [key, key in changes ? (both ? merged(old[key], changes[key]) : changes[key]) : old[key]];
}));

export class Denied extends Error {}

export class World {
  /** @param {{id?: string, seed?: number, socket?: boolean}} options */
  constructor({ id = "tavern", seed = 1, socket = true } = {}) {
    Object.assign(this, { id, socket, random: new Random(seed), time: 1_000_000, next: 0 });
    this.modules = new Map(); // others than the one that is looked at, by id
    this.system = { id: "simple" };
    this.settings = new Map();
    this.messages = new Map();
    this.actors = new Map();
    this.clients = [];
    this.timers = [];
    this.files = new Map();
    this.formulas = []; // every roll of anybody
    this.writes = 0; // of settings
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
      documentName: "Actor", uuid, name, img: "icons/svg/mystery-man.svg", system, owners, ...more,
      testUserPermission: (user) => user.isGM || owners.includes(user.id),
      update: async (changes) => {
        for (const [path, value] of Object.entries(changes)) {
          const parts = path.split(".");
          getProperty(actor, parts.slice(0, -1).join("."))[parts.at(-1)] = value;
        }
      },
    };
    this.actors.set(uuid, actor);
    return actor;
  }

  /** Let everything happen that does not wait for a clock. */
  async quiet() {
    for (let turn = 0; turn < 12; turn++) await new Promise((done) => soon(done));
  }

  /** Let time pass. */
  async elapse(milliseconds) {
    const end = this.time + milliseconds;
    for (;;) {
      await this.quiet();
      const due = this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.timers.splice(this.timers.indexOf(due), 1);
      this.time = Math.max(this.time, due.at);
      if (due.client.active) due.act();
    }
    this.time = end;
  }
}

class Client {
  constructor(world, id, role, { name = id, character = null, permissions = {} } = {}) {
    Object.assign(this, { world, id, role, active: true });
    this.user = { id, name, role, character, get isGM() { return role >= ASSISTANT; } };
    Object.defineProperty(this.user, "active", { get: () => this.active });
    this.user.can = (permission) => permissions[permission] ?? role >= ASSISTANT;
    this.definitions = new Map();
    this.listeners = [];
    this.hooks = new Map();
    this.registered = []; // what was hooked, by its number
    this.globals = this.#globals();
  }

  hook(name, ...parts) {
    for (const heard of this.hooks.get(name) ?? []) heard(...parts);
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
        this.dice = [];
      }
      async evaluate() {
        world.formulas.push(this.formula);
        for (const [, count, faces] of this.formula.matchAll(/(\d+)d(\d+)/g)) {
          const results = Array.from({ length: Number(count) }, () => ({ result: 1 + world.random.below(Number(faces)), active: true }));
          this.dice.push({ faces: Number(faces), results });
        }
        this.total = this.dice.flatMap(({ results }) => results).reduce((sum, { result }) => sum + result, 0);
        return this;
      }
    }
    const ChatMessage = {
      create: async (data) => {
        const author = data.author ?? me.id;
        if (!me.#speaksFor(author)) me.#deny(`create a message as ${author}`);
        const id = `message${String(world.next++).padStart(9, "0")}`;
        const message = { rolls: [], flags: {}, ...data, id, author: world.clients.find((one) => one.id === author)?.user };
        message.update = async (changes) => {
          if (!me.#speaksFor(author)) me.#deny(`update the message ${id}`);
          Object.assign(message, changes, { flags: merged(message.flags, changes.flags ?? {}) });
          for (const client of world.clients) if (client.active) client.hook("updateChatMessage", message, changes, {}, me.id);
        };
        world.messages.set(id, message);
        for (const client of world.clients) if (client.active) client.hook("createChatMessage", message, {}, me.id);
        return message;
      },
    };
    return {
      game: this.#game(),
      Roll,
      ChatMessage,
      foundry: { utils: { randomID: (length) => String(world.next++).padStart(length, "r"), getProperty, escapeHTML,
        fromUuidSync: (uuid) => world.actors.get(uuid) ?? null } },
      Hooks: {
        on: (name, heard) => {
          me.hooks.set(name, [...(me.hooks.get(name) ?? []), heard]);
          return me.registered.push(heard) - 1;
        },
        off: (name, id) => me.hooks.set(name, me.hooks.get(name).filter((heard) => heard !== me.registered[id])),
      },
      setTimeout: (act, milliseconds) => world.timers.push({ at: world.time + milliseconds, act, client: me }),
      fetch: async (url) => {
        const path = [...world.files.keys()].find((one) => String(url).endsWith(`/${one}`));
        const bytes = path && world.files.get(path);
        return { ok: Boolean(bytes), arrayBuffer: async () => Uint8Array.from(bytes).buffer };
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
      system: world.system,
      modules: world.modules,
      time: { get serverTime() { return world.time; } },
      users: {
        get: (id) => users().find((user) => user.id === id),
        map: (change) => users().map(change),
        filter: (fits) => users().filter(fits),
        getDesignatedUser: (fits) => users().filter(fits).sort((a, b) => b.role - a.role || (a.id < b.id ? -1 : 1))[0] ?? null,
      },
      messages: { get: (id) => world.messages.get(id), filter: (fits) => [...world.messages.values()].filter(fits) },
      settings: {
        register: (scope, key, definition) => me.definitions.set(world.named(scope, key), definition),
        get: (scope, key) => copy(world.settings.get(world.named(scope, key)) ?? me.definitions.get(world.named(scope, key)).default),
        set: async (scope, key, value) => {
          const name = world.named(scope, key);
          if (!me.user.can("SETTINGS_MODIFY")) me.#deny(`write ${name}`);
          world.writes += 1;
          world.settings.set(name, copy(value));
          for (const client of world.clients) if (client.active) client.definitions.get(name)?.onChange?.(copy(value));
        },
      },
      socket: {
        on: (channel, heard) => me.listeners.push([channel, heard]),
        emit: (channel, message, { recipients } = {}) => {
          if (!world.socket || ![world.id, ...world.modules.keys()].some((id) => channel === `module.${id}`)) return;
          const sent = JSON.stringify(message);
          const others = world.clients.filter((client) => client !== me && client.active && (recipients?.includes(client.id) ?? true));
          for (const client of others)
            for (const [to, heard] of client.listeners) if (to === channel) queueMicrotask(() => heard(JSON.parse(sent), me.id));
        },
      },
    };
  }
}
