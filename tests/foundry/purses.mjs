// Money in words and in whose purse it is: end cards, games broken off, chips that a game master sets, refusals that
// say why, the currencies to choose from, and two modules in one world.

import assert from "node:assert/strict";

import { Tables } from "../../site/foundry/tables/tables.mjs";
import { moduleGameLibrary } from "../../site/foundry/world/games.mjs";
import { foundryHost } from "../../site/foundry/world/host.mjs";
import { registerSettings } from "../../site/foundry/world/settings.mjs";
import { ROLES, World } from "./double.mjs";
import {
  act,
  arrive,
  ask,
  asked,
  coinless,
  first,
  npc,
  paying,
  purses,
  seated,
  stage,
  toTheEnd,
  user,
} from "./stage.mjs";

/** The last message of a world: what it says without the module, and its flags. */
function last(world) {
  const { content, flags } = [...world.messages.values()].at(-1);
  return { said: content.replace(/<[^>]*>/g, ""), flags: flags.tavern };
}

// --- the end of a game

export async function the_end_says_who_took_the_pot_and_what_each_seat_got() {
  const { world } = await seated({ stake: 7 });
  await toTheEnd(world);
  const [winner, loser] = purses(world, "alice", "bob")[0] > 100 ? ["alice", "bob"] : ["bob", "alice"];
  const { said, flags } = last(world);
  assert.ok(
    said.endsWith(
      `${winner} wins. The pot of 14 chips goes to ${winner}. ${["alice", "bob"]
        .map((name) => (name === winner ? `${winner} has won 7 chips.` : `${loser} has lost 7 chips.`))
        .join(" ")}`,
    ),
    said,
  );
  assert.deepEqual(Object.keys(flags), ["card", "table", "transcript", "account"]); // no more than is used
  assert.deepEqual(flags.account.lines.map(({ amount }) => amount).sort(), [-7, 7]);
}

export async function the_winner_of_the_pot_is_named_where_the_game_is_for_something_else() {
  const prepare = (world) => coinless(world, "rogues-gambit");
  const { world } = await seated({ game: "rogues-gambit", stake: 10, prepare });
  await toTheEnd(world);
  const { loadedGame: ready } = await world.gm.tables.position(first(world));
  assert.equal(ready.setting.share, false); // advice is for the coins, the pot goes by the win
  const winner = purses(world, "alice", "bob")[0] > 100 ? "alice" : "bob";
  assert.match(
    last(world).said,
    new RegExp(`${winner} wins\\. Coins: alice \\d+, bob \\d+\\. The pot of 20 chips goes to ${winner}\\.`),
  );
}

export async function a_bet_says_what_the_house_paid() {
  const seen = new Set();
  for (let seed = 1; seen.size < 2; seed++) {
    const { world } = await seated({ game: "craps", stake: 20, seats: [user("alice")], seed });
    await toTheEnd(world);
    const won = purses(world, "alice")[0] > 100;
    seen.add(won);
    const wanted = won
      ? "The house pays alice 40 chips. alice has won 20 chips."
      : "The house keeps the stake. alice has lost 20 chips.";
    assert.ok(last(world).said.endsWith(wanted), last(world).said);
  }
}

export async function a_seat_of_the_house_has_no_purse() {
  const { world } = await seated({ stake: 1, seats: [user("alice"), npc()] });
  await toTheEnd(world);
  const won = purses(world, "alice")[0] > 100;
  assert.ok(
    last(world).said.endsWith(
      `The pot of 2 chips goes to ${won ? "alice" : "Innkeeper"}. alice has ${won ? "won" : "lost"} 1 chip. Innkeeper played for the house.`,
    ),
  );
}

export async function who_sat_there_before_is_not_counted() {
  const { world } = await paying("path", () => {}, {}, [50, 50]);
  await ask(world.gm, "create", {
    game: "piglet",
    setting: "one",
    stake: 7,
    advice: "gm",
    seats: [user(null), user(null)],
  });
  const { id } = first(world);
  const ben = world.actors.get("Actor.ben");
  const { update } = ben;
  assert.equal(await ask(world.bob, "join", { table: id, seat: 0 }), null);
  ben.update = () => Promise.reject(new Error("locked")); // his stake does not come back
  assert.equal(await ask(world.bob, "leave", { table: id, seat: 0 }), null);
  ben.update = update;
  for (const [seat, who] of ["alice", "bob"].entries())
    assert.equal(await ask(world[who], "join", { table: id, seat }), null);
  await ask(world.gm, "start", { table: id });
  await toTheEnd(world);
  assert.deepEqual(
    last(world).flags.account.lines.map(({ name, amount }) => `${name} ${Math.abs(amount)}`),
    ["Ann 7", "Ben 7"],
  );
}

export async function a_game_broken_off_says_what_went_back() {
  const { world, id } = await seated({ stake: 40, seats: [user("alice"), npc()] });
  await act(world);
  assert.equal(await ask(world.gm, "close", { table: id }), null);
  assert.ok(last(world).said.endsWith("The game was broken off; stakes went back. 40 chips went back to alice."));
  assert.deepEqual(last(world).flags.account.lines, [{ name: "alice", took: 40, amount: 0 }]);
  const lobby = await stage();
  const create = (stake) => ({
    game: "piglet",
    setting: "one",
    stake,
    advice: "gm",
    seats: [user("alice"), user("bob")],
  });
  for (const [stake, cards] of [
    [5, ["end"]],
    [0, []],
  ]) {
    await ask(lobby.gm, "create", create(stake));
    const table = lobby.gm.tables.all().at(-1).id;
    await ask(lobby.alice, "join", { table, seat: 0 });
    assert.equal(await ask(lobby.gm, "close", { table }), null);
    assert.equal(lobby.gm.tables.get(table), null);
    const told = [...lobby.messages.values()].filter(({ flags }) => flags.tavern.table === table);
    assert.deepEqual(
      told.map(({ flags }) => flags.tavern.card),
      cards,
    ); // where nothing went back, there is nothing to tell
  }
}

export async function stakes_are_told_in_their_own_coin() {
  for (const [currency, settings, coin] of [
    ["path", { path: "system.currency.gp" }, "gp"],
    ["itempiles", { coin: "pp" }, "pp"],
  ]) {
    const { world } = await paying(currency, () => {}, settings);
    const API = { removeCurrencies: async () => {}, addCurrencies: async () => {} };
    for (const client of world.clients) client.globals.game.itempiles = { API };
    await ask(world.gm, "create", {
      game: "piglet",
      setting: "one",
      stake: 1,
      advice: "gm",
      seats: [user("alice"), user("bob")],
    });
    const { id } = first(world);
    for (const [seat, who] of ["alice", "bob"].entries()) await ask(world[who], "join", { table: id, seat });
    world.settings.set("currency", "chips"); // the table goes on in what it was opened with
    await ask(world.gm, "close", { table: id });
    assert.ok(last(world).said.endsWith(`1 ${coin} went back to Ann. 1 ${coin} went back to Ben.`), last(world).said);
  }
}

// --- chips that a game master sets

export async function a_game_master_sets_chips_and_nobody_else_does() {
  const world = await stage({
    people: { gm: ROLES.GM, helper: ROLES.ASSISTANT, alice: ROLES.PLAYER, bob: ROLES.PLAYER },
  });
  const purse = (whose, was, amount) => ({ user: whose, was, amount });
  for (const who of ["alice", "bob"]) assert.equal(await ask(world[who], "purse", purse("alice", 100, 5000)), "rights");
  assert.deepEqual(purses(world, "alice", "bob"), [100, 100]);
  assert.equal(world.messages.size, 0);
  assert.equal(await ask(world.gm, "purse", purse("alice", 100, 0)), null);
  assert.equal(await ask(world.helper, "purse", purse("bob", 100, 250)), null); // by the authority, who may write
  assert.deepEqual(purses(world, "alice", "bob"), [0, 250]);
  assert.equal(last(world).said, "helper set the chips of bob: 100 chips before, 250 chips now.");
  assert.equal(world.messages.size, 2);
  assert.deepEqual(world.denied, []);
}

export async function chips_are_set_from_what_was_seen_and_only_to_whole_ones() {
  const { world, id } = await seated({ stake: 7 });
  const set = (more) => ask(world.gm, "purse", { user: "alice", was: 93, amount: 50, ...more });
  assert.equal(await set({ was: 100 }), "stale"); // somebody staked meanwhile
  for (const amount of [-1, 0.5, "5", null, 2e9]) assert.equal(await set({ amount }), "action");
  assert.equal(await set({ user: "mallory" }), "seats");
  assert.equal(await set({ user: "__proto__" }), "seats");
  assert.equal(await set({ more: 1 }), "action");
  assert.deepEqual(purses(world, "alice", "bob"), [93, 93]);
  assert.equal(await set({}), null);
  await ask(world.gm, "close", { table: id });
  assert.deepEqual(purses(world, "alice", "bob"), [57, 100]); // the stake still goes back
}

export async function who_has_nothing_left_can_play_again() {
  const world = await stage({ settings: { opening: 0 } });
  const create = { game: "piglet", setting: "one", stake: 5, advice: "gm", seats: [user("alice"), user(null)] };
  assert.equal(await ask(world.alice, "create", create), "funds");
  assert.equal(await ask(world.gm, "purse", { user: "alice", was: 0, amount: 5 }), null);
  assert.equal(await ask(world.alice, "create", create), null);
}

// --- refusals that say why

/** Whose purse refused and why, as whoever asked hears it. */
async function lackOf(client, type, body) {
  let found = "nothing";
  client.tables.send(type, body).catch(({ lack }) => (found = lack && `${lack.name}: ${lack.reason}`));
  await client.world.quiet();
  return found;
}

export async function a_stake_that_cannot_be_paid_says_whose_and_why() {
  const create = { game: "piglet", setting: "one", stake: 6, advice: "gm", seats: [user("alice"), user(null)] };
  const chips = await stage({ settings: { opening: 5 } });
  assert.equal(await lackOf(chips.alice, "create", create), "alice: poor");
  for (const [currency, settings, why] of [
    ["path", {}, "poor"],
    ["path", { path: "system.purse.silver" }, "path"],
    ["path", { path: "name" }, "path"],
    ["itempiles", {}, "absent"],
    ["dnd5e", {}, "absent"],
    ["pf2e", {}, "absent"],
    ["shells", {}, "absent"],
  ]) {
    const { world } = await paying(currency, () => {}, settings);
    assert.equal(await lackOf(world.alice, "create", create), `Ann: ${why}`, `${currency} ${why}`);
  }
  const without = await stage({ settings: { currency: "path" } });
  assert.equal(await lackOf(without.alice, "create", create), "alice: actor");
  const piles = await paying("itempiles");
  const API = { removeCurrencies: async () => Promise.reject(new Error("whatever")) };
  for (const client of piles.world.clients) client.globals.game.itempiles = { API };
  assert.equal(await lackOf(piles.world.alice, "create", create), "Ann: refused");
}

export async function a_game_master_hears_whose_purse_it_is() {
  const { world, id } = await seated({ stake: 80 });
  await toTheEnd(world);
  const winner = purses(world, "alice", "bob")[0] > 100 ? "alice" : "bob";
  await ask(world.gm, "purse", { user: winner, was: 180, amount: 3 });
  assert.equal(await lackOf(world.gm, "undo", { table: id }), `${winner}: poor`);
}

// --- what can be chosen

/** The currencies that the settings offer. */
const offered = (world, id = "gm") => Object.keys(world[id].definitions.get("currency").choices);

export async function only_currencies_that_are_here_can_be_chosen() {
  assert.deepEqual(offered(await stage()), ["chips", "path"]);
  assert.deepEqual(offered(await stage({ prepare: (world) => (world.system.id = "dnd5e") })), [
    "chips",
    "dnd5e",
    "path",
  ]);
  const piles = (active) => (world) => world.modules.set("item-piles", { active });
  assert.deepEqual(offered(await stage({ prepare: piles(true) })), ["chips", "itempiles", "path"]);
  assert.deepEqual(offered(await stage({ prepare: piles(false) })), ["chips", "path"]);
  // It was chosen once.
  assert.deepEqual(offered(await stage({ settings: { currency: "pf2e" } })), ["chips", "pf2e", "path"]);
}

// --- two modules in one world

/** The tables of another module of ours at a client. */
function beside(client, id) {
  const host = foundryHost(id, client.globals);
  registerSettings(id, () => tables.onSettingsChanged(), client.globals);
  const tables = new Tables(host, moduleGameLibrary(host.load));
  tables.startListening();
  return tables;
}

/** A world with the module "harbour" beside the one of all scenes: its tables by client. */
async function together(prepare = () => {}) {
  const world = await stage({ prepare: (made) => [made.modules.set("harbour", { active: true }), prepare(made)] });
  assert.ok(world instanceof World);
  const harbour = Object.fromEntries(["gm", "alice", "bob"].map((id) => [id, beside(world[id], "harbour")]));
  await world.quiet();
  return { world, harbour };
}

/** A table for Alice and whoever joins. */
const laid = (stake) => ({
  game: "piglet",
  setting: "one",
  stake,
  advice: "gm",
  seats: [user("alice"), user("bob")],
});

/** Everybody loads the world again; from then on there is the first module alone. */
async function alone(world) {
  for (const who of ["gm", "alice", "bob"]) {
    delete world[who].globals.game.oddsmith;
    await arrive(world[who]);
  }
  await world.quiet();
}

export async function two_modules_share_a_purse_and_keep_their_tables_and_cards_apart() {
  const { world, harbour } = await together();
  await harbour.alice.send("create", laid(7));
  await world.quiet();
  const [table] = harbour.gm.all();
  await harbour.bob.send("join", { table: table.id, seat: 1 });
  assert.deepEqual([harbour.gm.chipsOf("alice"), harbour.gm.chipsOf("bob")], [93, 93]);
  assert.deepEqual(purses(world, "alice", "bob"), [93, 93]);
  assert.deepEqual(world.gm.tables.all(), []);
  assert.deepEqual(
    [...world.messages.values()].map(({ flags }) => Object.keys(flags)),
    [["harbour"]],
  );
  // The other module has no such table.
  assert.equal(await ask(world.bob, "join", { table: table.id, seat: 0 }), "stale");
  assert.equal(await ask(world.gm, "purse", { user: "bob", was: 93, amount: 4 }), null);
  assert.equal(await ask({ tables: harbour.gm, world }, "purse", { user: "bob", was: 93, amount: 8 }), "stale");
  assert.equal(harbour.alice.chipsOf("bob"), 4);
  assert.deepEqual(world.denied, []);
}

export async function chips_are_in_one_purse_only_once() {
  const { world, harbour } = await together();
  const [one, other] = [asked(world.alice, "create", laid(60)), asked({ tables: harbour.alice }, "create", laid(60))];
  while ([one, other].some(({ answer }) => answer === "pending")) await world.quiet();
  assert.deepEqual([one.answer, other.answer].sort(), ["funds", null]);
  assert.deepEqual(purses(world, "alice"), [40]);
}

export async function a_purse_stays_if_a_module_is_removed_and_when_it_comes_back() {
  const { world, harbour } = await together();
  await harbour.alice.send("create", laid(7));
  await world.quiet();
  await alone(world);
  assert.deepEqual(purses(world, "alice", "bob"), [93, 100]);
  assert.equal(await ask(world.alice, "create", laid(10)), null);
  const back = beside(world.gm, "harbour");
  assert.deepEqual([back.chipsOf("alice"), back.all().length], [83, 1]);
  const [{ id }] = back.all();
  assert.equal(await ask({ tables: back, world }, "close", { table: id }), null);
  assert.deepEqual([back.chipsOf("alice"), ...purses(world, "alice")], [90, 90]);
}

export async function what_was_won_with_purses_apart_is_added_up_once() {
  const kept = (chips) => ({ v: 3, tables: {}, purses: chips, ended: 0 });
  const { world, harbour } = await together((made) => {
    made.settings.set("tables", kept({ alice: 93, bob: 10 }));
    made.settings.set("harbour.tables", kept({ alice: 120, bob: 5, gm: 70 }));
  });
  const seen = [113, 0, 70]; // 100 - 7 + 20; no purse goes below nothing
  assert.deepEqual(purses(world, "alice", "bob", "gm"), seen);
  assert.deepEqual(
    ["alice", "bob", "gm"].map((who) => harbour.alice.chipsOf(who)),
    seen,
  );
  await alone(world);
  assert.deepEqual(purses(world, "alice", "bob", "gm"), seen);
}

export async function a_payment_counts_although_the_shared_purse_was_not_written() {
  const { world, harbour } = await together();
  const { host } = world.gm;
  const { setPurses } = host;
  host.setPurses = () => Promise.reject(new Error("no connection"));
  assert.equal(await ask(world.alice, "create", laid(7)), null);
  assert.equal(world.settings.get("oddsmith.chips"), undefined);
  host.setPurses = setPurses;
  assert.equal(harbour.gm.chipsOf("alice"), 93);
  await harbour.alice.send("create", laid(10));
  await world.quiet();
  assert.deepEqual([harbour.bob.chipsOf("alice"), ...purses(world, "alice")], [83, 83]);
  assert.equal(world.settings.get("oddsmith.chips").purses.alice, 83);
}

export async function what_the_shared_purse_lacks_is_written_when_somebody_comes() {
  const world = await stage();
  world.gm.host.setPurses = () => Promise.reject(new Error("no connection"));
  assert.equal(await ask(world.alice, "create", laid(7)), null);
  await arrive(world.gm);
  await world.quiet();
  assert.equal(world.settings.get("oddsmith.chips").purses.alice, 93);
}

export async function a_module_that_meets_another_version_of_what_is_shared_stays_alone() {
  const world = await stage({ prepare: (made) => made.modules.set("harbour", { active: true }) });
  const { game } = world.gm.globals;
  const ours = game.oddsmith;
  game.oddsmith = { v: 2 };
  const harbour = beside(world.gm, "harbour");
  assert.equal(await ask({ tables: harbour, world }, "purse", { user: "bob", was: 100, amount: 8 }), null);
  const apart = harbour.chipsOf("bob");
  game.oddsmith = ours;
  assert.deepEqual([apart, ...purses(world, "bob")], [8, 100]);
}

export async function chips_at_the_start_are_those_of_the_first_module() {
  const { world, harbour } = await together((made) => {
    made.settings.set("opening", 30);
    made.settings.set("harbour.opening", 500);
  });
  assert.deepEqual([harbour.gm.chipsOf("alice"), ...purses(world, "alice")], [30, 30]);
  const { definitions } = world.gm;
  assert.deepEqual(
    ["opening", "harbour.opening"].map((name) => definitions.get(name).config),
    [true, false],
  );
}
