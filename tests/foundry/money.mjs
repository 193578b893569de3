// Stakes: reserved first, settled once, given back, never below zero; chips, and the currencies of others as fakes.

import assert from "node:assert/strict";

import { pay, winnings } from "../../site/foundry/currency.mjs";
import { Fraction } from "../../site/runtime/values.mjs";
import { ROLES } from "./double.mjs";
import { act, ask, enter, first, npc, seated, stage, toTheEnd, user } from "./stage.mjs";

const purses = (world, ...people) => people.map((who) => world.gm.tables.purse(who));
const states = (world) => first(world).chips.payments.map(({ key, amount, state }) => `${key} ${amount} ${state}`);

export async function the_winner_gets_the_pot() {
  const { world } = await seated({ stake: 7 });
  assert.deepEqual(purses(world, "alice", "bob"), [93, 93]);
  await toTheEnd(world);
  const { state, ready } = await world.gm.tables.position(first(world));
  const won = winnings(ready, state, 7);
  assert.deepEqual([...won].sort(), [0, 14]);
  assert.deepEqual(purses(world, "alice", "bob"), won.map((one) => 93 + one));
  const before = JSON.stringify(world.settings.get("tables"));
  world.gm.tables.resume(); // settled once, whoever looks again
  await world.quiet();
  assert.equal(JSON.stringify(world.settings.get("tables")), before);
}

export async function a_purse_never_goes_below_zero() {
  const world = await stage({ settings: { opening: 10 } });
  const create = { game: "piglet", setting: "one", stake: 6, advice: "gm", seats: [user("alice"), user(null)] };
  assert.equal(await ask(world.alice, "create", create), null);
  assert.equal(await ask(world.alice, "create", create), "funds");
  assert.equal(world.gm.tables.all().length, 1); // no table is left behind
  assert.deepEqual(purses(world, "alice"), [4]);
  assert.equal(await ask(world.alice, "join", { table: first(world).id, seat: 1 }), "funds");
  assert.equal(first(world).seats[1].user, null);
  assert.equal(await ask(world.alice, "leave", { table: first(world).id, seat: 0 }), null);
  assert.deepEqual(purses(world, "alice"), [10]);
  assert.equal(await ask(world.alice, "join", { table: first(world).id, seat: 1 }), null); // and it can be staked again
  assert.deepEqual(purses(world, "alice"), [4]);
  assert.equal(await ask(world.alice, "create", { ...create, stake: -5 }), "action");
  assert.equal(await ask(world.alice, "create", { ...create, stake: 0.5 }), "action");
}

export async function a_game_broken_off_gives_stakes_back() {
  const { world, id } = await seated({ stake: 40, game: "pig", seats: [user("alice"), user("bob"), npc()] });
  await act(world);
  assert.equal(await ask(world.gm, "close", { table: id }), null);
  assert.deepEqual(purses(world, "alice", "bob"), [100, 100]);
  assert.equal(first(world).phase, "over");
  assert.equal(await ask(world.gm, "undo", { table: id }), "undo"); // what was broken off stays so
  assert.equal(await ask(world.gm, "close", { table: id }), null);
  assert.deepEqual(world.gm.tables.all(), []);
  assert.deepEqual(purses(world, "alice", "bob"), [100, 100]);
}

export async function undoing_the_end_takes_the_pot_back() {
  const { world, id } = await seated({ stake: 7 });
  await toTheEnd(world);
  const paid = purses(world, "alice", "bob");
  assert.equal(await ask(world.gm, "undo", { table: id }), null);
  assert.deepEqual(purses(world, "alice", "bob"), [93, 93]);
  assert.equal(first(world).phase, "play");
  await toTheEnd(world);
  assert.equal(purses(world, "alice", "bob").reduce((sum, one) => sum + one), 200);
  assert.equal(first(world).chips.round, 1);
  assert.deepEqual([...paid].sort(), [107, 93]);
}

export async function a_pot_that_was_spent_cannot_be_taken_back() {
  const { world, id } = await seated({ stake: 80 });
  await toTheEnd(world);
  const winner = purses(world, "alice", "bob")[0] > 100 ? "alice" : "bob";
  const spend = { game: "piglet", setting: "one", stake: 150, advice: "gm", seats: [user(winner), user(null)] };
  assert.equal(await ask(world[winner], "create", spend), null);
  const before = first(world).log.length;
  assert.equal(await ask(world.gm, "undo", { table: id }), "funds");
  assert.equal(first(world).log.length, before);
  assert.equal(first(world).phase, "over");
  assert.ok(purses(world, "alice", "bob").every((one) => one >= 0));
}

export async function the_house_pays_for_non_players_and_bets() {
  const { world } = await seated({ game: "craps", stake: 20, seats: [user("alice")] });
  await toTheEnd(world);
  const { state, ready } = await world.gm.tables.position(first(world));
  const [won] = ready.rules.payoffs(state, "even");
  assert.deepEqual(purses(world, "alice"), [100 + 20 * Number(won)]);
  const other = await seated({ stake: 5, seats: [user("alice"), npc()] });
  await toTheEnd(other.world);
  assert.equal(first(other.world).chips.payments.every(({ seat }) => seat === 0), true);
  assert.ok([95, 105].includes(purses(other.world, "alice")[0]));
}

export async function a_game_without_a_pot_takes_no_stakes() {
  const world = await stage();
  const create = { game: "dragons-hoard", setting: "one", stake: 1, advice: "gm", seats: [user("alice")] };
  assert.equal(await ask(world.alice, "create", create), "stake");
  assert.equal(await ask(world.alice, "create", { ...create, stake: 0 }), null);
  assert.equal(first(world).phase, "play"); // there is nobody to wait for
}

export async function a_pot_is_shared_to_the_last_chip() {
  const share = (...texts) => ({
    game: { seats: texts.length, bundle: { payoffs: [["win", { value: ["call", "share"] }]] } },
    policy: { head: { objective: "win" } }, setting: {},
    rules: { payoffs: () => texts.map(([top, bottom]) => new Fraction(BigInt(top), BigInt(bottom))) },
  });
  assert.deepEqual(winnings(share([1, 2], [1, 2], [0, 1]), null, 5), [8, 7, 0]);
  assert.deepEqual(winnings(share([1, 3], [1, 3], [1, 3]), null, 7), [7, 7, 7]);
  assert.deepEqual(winnings(share([0, 1], [1, 3], [1, 3], [1, 3]), null, 1), [0, 2, 1, 1]);
  assert.deepEqual(winnings(share([1, 1], [0, 1]), null, 4e15), [8e15, 0]);
  const bet = (top, bottom, wager) => ({
    game: { seats: 1, bundle: { payoffs: [] } }, policy: { head: { objective: "gold" } }, setting: { wager },
    rules: { payoffs: () => [new Fraction(BigInt(top), BigInt(bottom))] },
  });
  assert.deepEqual(winnings(bet(-1, 1, "1"), null, 9), [0]);
  assert.deepEqual(winnings(bet(3, 2, "1"), null, 5), [12]); // 5 + 7.5, and no half chip
  assert.deepEqual(winnings(bet(-1, 3, "2/3"), null, 5), [2]);
  assert.deepEqual(winnings(bet(-9, 1, "1"), null, 5), [0]);
}

export async function an_absent_player_keeps_what_was_staked() {
  const { world, id } = await seated({ stake: 10 });
  assert.equal(await ask(world.gm, "hand", { table: id, seat: 1, skill: 0 }), null);
  await toTheEnd(world);
  assert.equal(purses(world, "alice", "bob").reduce((sum, one) => sum + one), 200);
}

export async function who_is_sent_away_before_the_start_gets_the_stake_back() {
  const world = await stage();
  await ask(world.gm, "create", { game: "piglet", setting: "one", stake: 9, advice: "gm", seats: [user("alice"), user("bob")] });
  const { id } = first(world);
  await ask(world.alice, "join", { table: id, seat: 0 });
  assert.deepEqual(purses(world, "alice"), [91]);
  assert.equal(await ask(world.gm, "hand", { table: id, seat: 0, skill: 0 }), null);
  assert.deepEqual(purses(world, "alice"), [100]);
}

export async function a_payment_is_made_once() {
  const world = { purses: { alice: 10 } };
  const record = { chips: { currency: "chips", round: 0, payments: [] } };
  const desk = { host: world, world, save: async () => {} };
  const payment = () => ({ key: "pay 0 0", seat: 0, user: "alice", actor: null, amount: 5, state: "due" });
  await pay(desk, record, [payment()], false);
  await pay(desk, record, [payment()], false);
  assert.deepEqual([world.purses.alice, record.chips.payments.length], [15, 1]);
  const two = [-4, -30].map((amount, seat) => ({ ...payment(), key: `undo 0 ${seat}`, amount }));
  await assert.rejects(pay(desk, record, two, true), /funds/); // all or none
  assert.equal(world.purses.alice, 15);
}

export async function what_was_left_unfinished_is_made_good() {
  const { world } = await seated({ stake: 7 });
  const broken = world.settings.get("tables");
  const [record] = Object.values(broken.tables);
  record.chips.payments.push({ key: "pay 0 1", seat: 1, user: "bob", actor: null, amount: 14, state: "due" });
  record.chips.payments.push({ key: "stake 9", seat: 0, user: "alice", actor: null, amount: -7, state: "due" });
  world.gm.tables.resume();
  await world.quiet();
  world.gm.tables.resume();
  await world.quiet();
  assert.deepEqual(purses(world, "alice", "bob"), [93, 107]);
  assert.deepEqual(states(world).slice(2), ["pay 0 1 14 done", "stake 9 -7 refused"]);
}

// --- other currencies

/** Alice and Bob with an actor each, who play for 3 coins of a currency. */
async function paying(currency, prepare, settings = {}) {
  const character = (name) => [ROLES.PLAYER, { character: { uuid: `Actor.${name}` } }];
  const people = { gm: ROLES.GM, alice: character("ann"), bob: character("ben") };
  const ready = (world) => [["Ann", "alice", 5], ["Ben", "bob", 2]].forEach(([name, owner, gold]) => prepare(world.actor(name, [owner], { currency: { gp: gold } })));
  const world = await stage({ people, prepare: ready, settings: { currency, ...settings } });
  return { world, gold: () => [...world.actors.values()].map(({ system }) => system.currency.gp) };
}

/** Opens a table; Alice can pay, Bob cannot before he finds more. */
async function oneWhoCanAndOneWhoCannot({ world, gold }) {
  const create = { game: "piglet", setting: "one", stake: 3, advice: "gm", seats: [user("alice"), user("bob")] };
  assert.equal(await ask(world.gm, "create", create), null);
  const { id } = first(world);
  assert.equal(await ask(world.alice, "join", { table: id, seat: 0 }), null);
  assert.equal(await ask(world.bob, "join", { table: id, seat: 1 }), "funds");
  assert.deepEqual(gold(), [2, 2]);
  assert.equal(first(world).seats[1].user, null);
  world.actors.get("Actor.ben").system.currency.gp = 4;
  assert.equal(await ask(world.bob, "join", { table: id, seat: 1 }), null);
  assert.equal(await ask(world.gm, "start", { table: id }), null);
  assert.deepEqual(gold(), [2, 1]);
  assert.equal(first(world).seats[0].name, "Ann");
  assert.equal(world.gm.tables.purse("alice"), null);
  await toTheEnd(world);
  assert.ok(["8,1", "2,7"].includes(String(gold())), String(gold()));
  assert.equal(await ask(world.gm, "undo", { table: id }), null);
  assert.deepEqual(gold(), [2, 1]);
  assert.equal(await ask(world.gm, "close", { table: id }), null);
  assert.deepEqual(gold(), [5, 4]);
}

const change = (actor, by) => {
  if (actor.system.currency.gp + by < 0) throw new Error("not enough");
  actor.system.currency.gp += by;
};

export async function coins_of_item_piles() {
  const stand = await paying("itempiles", () => {});
  const price = (text) => Number(/^(\d+)gp$/.exec(text)[1]);
  const API = { removeCurrencies: async (actor, text) => change(actor, -price(text)), addCurrencies: async (actor, text) => change(actor, price(text)) };
  for (const client of stand.world.clients) client.globals.game.itempiles = { API };
  await oneWhoCanAndOneWhoCannot(stand);
}

export async function coins_of_dnd5e() {
  const stand = await paying("dnd5e", () => {});
  const applications = {
    CurrencyManager: { deductActorCurrency: async (actor, amount, coin) => change(actor, coin === "gp" ? -amount : NaN) },
    Award: { awardCurrency: async ({ gp }, actors) => actors.forEach((actor) => change(actor, gp)) },
  };
  for (const client of stand.world.clients) client.globals.game.dnd5e = { applications };
  await oneWhoCanAndOneWhoCannot(stand);
}

/** Pathfinder's coins are items; taking says whether it worked. */
const inventory = (actor, take, give) => {
  actor.inventory = {
    [take]: async ({ gp }) => actor.system.currency.gp >= gp && (change(actor, -gp), true),
    [give]: async ({ gp }) => change(actor, gp),
  };
};

export async function coins_of_pf2e() {
  await oneWhoCanAndOneWhoCannot(await paying("pf2e", (actor) => inventory(actor, "removeCoins", "addCoins")));
}

export async function currency_of_pf2e() {
  await oneWhoCanAndOneWhoCannot(await paying("pf2e", (actor) => inventory(actor, "removeCurrency", "addCurrency")));
}

export async function coins_at_a_path() {
  await oneWhoCanAndOneWhoCannot(await paying("path", () => {}, { path: "system.currency.gp" }));
}

export async function a_currency_that_is_not_there_takes_no_stakes() {
  for (const [currency, settings] of [["itempiles", {}], ["dnd5e", {}], ["pf2e", {}], ["path", { path: "system.purse.silver" }], ["shells", {}], ["constructor", {}]]) {
    const { world, gold } = await paying(currency, () => {}, settings);
    const create = { game: "piglet", setting: "one", stake: 1, advice: "gm", seats: [user("alice"), npc()] };
    assert.equal(await ask(world.alice, "create", create), "funds", currency);
    assert.deepEqual(gold(), [5, 2]);
    assert.deepEqual(world.gm.tables.all(), []);
  }
}

export async function what_another_left_unfinished_is_shown_not_repeated() {
  const { world, gold } = await paying("path", () => {});
  const create = { game: "piglet", setting: "one", stake: 1, advice: "gm", seats: [user("alice"), user("bob")] };
  await ask(world.gm, "create", create);
  const { id } = first(world);
  world.actors.get("Actor.ann").update = () => new Promise(() => {}); // the game master leaves before it is done
  assert.equal(await ask(world.alice, "join", { table: id, seat: 0 }), "pending");
  assert.deepEqual(states(world), ["stake 0 -1 due"]); // written down first
  world.gm.active = false;
  const other = enter(world.client("gn", ROLES.GM));
  await world.quiet();
  assert.deepEqual(other.tables.get(id).chips.payments.map(({ state }) => state), ["unsure"]);
  assert.deepEqual(gold(), [5, 2]);
}
