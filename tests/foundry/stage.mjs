// A world with people in it, for the scenes (scenes.mjs).

import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { Tables } from "../../site/foundry/tables/tables.mjs";
import { moduleGameLibrary } from "../../site/foundry/world/games.mjs";
import { foundryHost } from "../../site/foundry/world/host.mjs";
import { registerSettings } from "../../site/foundry/world/settings.mjs";
import { ROLES, World } from "./double.mjs";

const folder = process.argv[2]; // of games (books.py)
const texts = JSON.parse(readFileSync(new URL("../../site/foundry/lang/en.json", import.meta.url), "utf8"));
const localize = (key) => texts[key];
const format = (key, data) => texts[key].replace(/\{(\w+)\}/g, (_, name) => data[name]);
globalThis.game = { i18n: { localize, format } }; // the one thing that is the same at every screen

/** Every file below a folder, by its path from there. */
function files(at, under = "") {
  return readdirSync(at).flatMap((name) => {
    const path = join(at, name);
    return statSync(path).isDirectory() ? files(path, `${under}${name}/`) : [[under + name, readFileSync(path)]];
  });
}

/** A game of a world whose coins do not count as money, as that of a game for something else. */
export function coinless(world, game) {
  const path = `games/${game}/play.json`;
  world.files.set(path, Buffer.from(JSON.stringify({ ...JSON.parse(world.files.get(path)), coins: {} })));
}

/** Load the module at a client. */
export function enter(client) {
  client.host = foundryHost(client.world.id, client.globals);
  client.reports = [];
  client.host.report = (error) => client.reports.push(error);
  registerSettings(client.world.id, () => client.tables?.onSettingsChanged(), client.globals);
  client.tables = new Tables(client.host, moduleGameLibrary(client.host.load));
  client.tables.startListening();
  return client;
}

/** Load the module at a client, with every game at hand. */
export async function arrive(client) {
  enter(client);
  for (const { id } of await client.tables.library.games()) await client.tables.library.openSetting(id, "one");
  await client.world.quiet();
  return client;
}

/** The game master is gone, and another one is there: `world.gn`. */
export async function succeeded(world) {
  world.gm.active = false;
  world.gn = await arrive(world.client("gn", ROLES.GM));
  return world.gn;
}

/** A write of the game master's, counted from now on, never arrives, and nothing after it. */
export function lost(world, write) {
  const { set } = world.gm.host;
  let count = 0;
  world.gm.host.set = (...given) => (++count < write ? set(...given) : new Promise(() => {}));
}

/** A write of the game master's, counted from now on, fails; the next one does not. */
export function failing(world, write) {
  const { set } = world.gm.host;
  let count = 0;
  world.gm.host.set = (...given) => (++count === write ? Promise.reject(new Error("no connection")) : set(...given));
}

/** A world with a game master and two players, and what is set in it. */
export async function stage({
  settings = {},
  people = { gm: ROLES.GM, alice: ROLES.PLAYER, bob: ROLES.PLAYER },
  seed = 1,
  prepare,
} = {}) {
  const world = new World({ seed });
  world.files = new Map(files(folder));
  for (const [key, value] of Object.entries({ pause: 100, ...settings })) world.settings.set(key, value);
  prepare?.(world);
  for (const [id, role] of Object.entries(people)) {
    world[id] = await arrive(world.client(id, ...[role].flat()));
  }
  return world;
}

/** Alice and Bob with an actor each, Ann and Ben, who play for coins of a currency. */
export async function paying(currency, prepare = () => {}, settings = {}, coins = [5, 2]) {
  const character = (name) => [ROLES.PLAYER, { character: { uuid: `Actor.${name}` } }];
  const people = { gm: ROLES.GM, alice: character("ann"), bob: character("ben") };
  const ready = (world) =>
    [
      ["Ann", "alice"],
      ["Ben", "bob"],
    ].forEach(([name, owner], i) =>
      prepare(world.actor(name, [owner], { currency: { pp: 0, gp: coins[i], ep: 0, sp: 0, cp: 0 } })),
    );
  const world = await stage({ people, prepare: ready, settings: { currency, ...settings } });
  return { world, gold: () => [...world.actors.values()].map(({ system }) => system.currency.gp) };
}

/** What people have in chips. */
export const purses = (world, ...people) => people.map((who) => world.gm.tables.chipsOf(who));

/** The ledger of the first table, a text for each payment. */
export const states = (world) =>
  first(world).chips.payments.map(({ key, amount, state }) => `${key} ${amount} ${state}`);

/** A request that is not waited for: its `answer` is null once it is granted, or the end of the key that refuses it. */
export function asked(client, type, body) {
  const request = { answer: "pending" };
  const refused = (error) => (request.answer = error.message.replace("ODDSMITH.refused.", ""));
  client.tables.send(type, body).then(() => (request.answer = null), refused);
  return request;
}

/** What somebody's request comes to. "pending" where there is no answer. */
export async function ask(client, type, body) {
  const request = asked(client, type, body);
  await client.world.quiet();
  return request.answer;
}

/** Something put on the wire as it is. */
export async function emit(client, message, to = "gm") {
  client.globals.game.socket.emit(`module.${client.world.id}`, message, { recipients: [to] });
  await client.world.quiet();
}

export const user = (id, more = {}) => ({ kind: "user", user: id, actor: null, name: "", skill: 0, ...more });
export const npc = (skill = 0, name = "Innkeeper") => ({ kind: "npc", user: null, actor: null, name, skill });

/** The first table; a copy. */
export const first = (world, client = world.clients[0]) => client.tables.all()[0];

/** What the game master asks is done, however long that takes: each card of a deck has some hashes. */
async function done(world, type, body) {
  await world.gm.tables.send(type, body);
  await world.quiet();
}

/** Alice and Bob at a table of Piglet that the game master opened, both seated, begun. */
export async function seated({
  game = "piglet",
  stake = 0,
  seats = [user("alice"), user("bob")],
  advice = "everyone",
  ...more
} = {}) {
  const world = await stage(more);
  await done(world, "create", { game, setting: "one", stake, seats, advice });
  const id = first(world).id;
  for (const [seat, { kind, user: held }] of seats.entries())
    if (kind === "user" && held !== "gm") assert.equal(await ask(world[held], "join", { table: id, seat }), null);
  if (first(world).phase === "lobby") await done(world, "start", { table: id });
  return { world, id };
}

/** Act for whoever is to move: a throw, or the option at a place. */
export async function act(world, place = 0) {
  const record = first(world);
  const { actions } = await world.gm.tables.position(record);
  const who = world[record.seats[record.mover].user];
  return ask(who, "act", { table: record.id, action: actions ? Math.min(place, actions.length - 1) : null });
}

/** Play on at random until the game is over. */
export async function toTheEnd(world, most = 600) {
  for (let step = 0; step < most && first(world).phase === "play"; step++) {
    const record = first(world);
    if (record.seats[record.mover].kind === "npc") await world.elapse(100);
    else assert.equal(await act(world, world.random.below(3)), null);
  }
  assert.equal(first(world).phase, "over");
  await world.quiet();
}

/** Dice that the game master throws by hand: none fall before `land` is called; `asked` counts how often he was asked
 * for any. */
export function byHand(world) {
  const { host } = world.gm;
  const { roll } = host;
  const hand = { asked: 0, land: () => {}, stop: () => (host.roll = roll) };
  host.roll = (formula) =>
    new Promise((done) => {
      hand.asked += 1;
      hand.land = () => done(roll(formula));
    });
  return hand;
}
