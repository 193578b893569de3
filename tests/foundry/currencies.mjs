// Stakes in the currencies of others, as fakes.

import assert from "node:assert/strict";

import { purseAfterPaying, coinValuesInCommonUnit } from "../../site/foundry/money/change.mjs";
import { currencyChoices, currencyKey } from "../../site/foundry/money/coins.mjs";
import { ask, first, npc, paying, stage, toTheEnd, user } from "./stage.mjs";

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
  await toTheEnd(world);
  assert.ok(["8,1", "2,7"].includes(String(gold())), String(gold()));
  assert.equal(await ask(world.gm, "undo", { table: id }), null);
  assert.deepEqual(gold(), [2, 1]);
  assert.equal(await ask(world.gm, "close", { table: id }), null);
  assert.deepEqual(gold(), [5, 4]);
}

const COPPER = { pp: 1000, gp: 100, ep: 50, sp: 10, cp: 1 };
const worthOf = ({ system: { currency } }) =>
  Object.entries(COPPER).reduce((sum, [coin, worth]) => sum + worth * currency[coin], 0);

/** Money that makes change by itself, as Item Piles and Pathfinder's inventory do: whether there was enough. */
function change(actor, coin, by) {
  let left = worthOf(actor) + by * COPPER[coin];
  if (left < 0) return false;
  for (const [one, worth] of Object.entries(COPPER)) {
    const given = ["gp", "sp", "cp"].includes(one) ? Math.floor(left / worth) : 0;
    actor.system.currency[one] = given;
    left -= given * worth;
  }
  return true;
}

/** Item Piles reads an amount as text, and throws where there is not enough. */
function itemPiles(stand) {
  const move = (actor, text, sign) => {
    const [, amount, coin] = /^(\d+)([a-z]+)$/.exec(text);
    if (!(coin in COPPER)) throw new Error("Could not determine currencies");
    if (!change(actor, coin, sign * amount)) throw new Error("cannot afford");
  };
  const API = {
    removeCurrencies: (actor, text) => (move(actor, text, -1), Promise.resolve({})), // at once, not as a promise
    addCurrencies: async (actor, text) => move(actor, text, 1),
  };
  for (const client of stand.world.clients) client.globals.game.itempiles = { API };
}

export async function coins_of_item_piles() {
  const stand = await paying("itempiles", () => {});
  itemPiles(stand);
  await oneWhoCanAndOneWhoCannot(stand);
}

/** What the system of D&D tells of its coins: how many of each are worth a gold piece. */
const DND = { pp: 0.1, gp: 1, ep: 2, sp: 10, cp: 100 };
const dnd5e = (stand, rates = DND) => {
  const currencies = Object.entries(rates).map(([coin, conversion]) => [coin, { label: coin, conversion }]);
  stand.world.config.DND5E = { currencies: Object.fromEntries(currencies) };
  return stand;
};

export async function coins_of_dnd5e() {
  await oneWhoCanAndOneWhoCannot(dnd5e(await paying("dnd5e", () => {})));
}

/** Pathfinder's coins are items; taking says whether it worked. */
const inventory = (actor, take, give) => {
  const pay = (coins, sign) => {
    const [[coin, amount], ...more] = Object.entries(coins);
    assert.deepEqual(more, []);
    return change(actor, coin, sign * amount);
  };
  actor.inventory = { [take]: async (coins) => pay(coins, -1), [give]: async (coins) => void pay(coins, 1) };
};

export async function coins_of_pf2e() {
  await oneWhoCanAndOneWhoCannot(await paying("pf2e", (actor) => inventory(actor, "removeCoins", "addCoins")));
}

export async function currency_of_pf2e() {
  await oneWhoCanAndOneWhoCannot(await paying("pf2e", (actor) => inventory(actor, "removeCurrency", "addCurrency")));
}

/** Ann stakes once and leaves again; what she has then, and before. */
async function staking(currency, coin, stake, purse, prepare, given = () => {}) {
  const stand = await paying(currency, prepare, { coin });
  given(stand);
  const { world } = stand;
  const ann = world.actors.get("Actor.ann");
  Object.assign(ann.system.currency, { gp: 0, ...purse });
  const create = { game: "piglet", setting: "one", stake, advice: "gm", seats: [user("alice"), user("bob")] };
  assert.equal(await ask(world.gm, "create", create), null);
  const { id } = first(world);
  const before = worthOf(ann);
  const answer = await ask(world.alice, "join", { table: id, seat: 0 });
  const staked = { ...ann.system.currency };
  const { updates } = ann;
  if (answer === null) {
    assert.equal(before - worthOf(ann), stake * COPPER[coin]);
    assert.equal(await ask(world.alice, "leave", { table: id, seat: 0 }), null);
    assert.equal(worthOf(ann), before);
  } else assert.equal(worthOf(ann), before);
  assert.deepEqual(world.gm.reports, []);
  return { answer, updates, staked: Object.fromEntries(Object.entries(staked).filter(([, count]) => count)) };
}

export async function whoever_has_the_money_in_other_coins_can_stake_it() {
  const ways = {
    dnd5e: [() => {}, dnd5e],
    itempiles: [() => {}, itemPiles],
    pf2e: [(actor) => inventory(actor, "removeCurrency", "addCurrency")],
  };
  for (const [currency, [prepare, given]] of Object.entries(ways))
    for (const [coin, stake, purse] of [
      ["gp", 1, { pp: 1 }],
      ["sp", 1, { gp: 15 }],
      ["gp", 10, { gp: 9, sp: 9, cp: 10 }],
      ["gp", 11, { pp: 2 }],
      ["sp", 7, { gp: 1, cp: 15 }],
    ]) {
      const { answer } = await staking(currency, coin, stake, purse, prepare, given);
      assert.equal(answer, null, `${currency} ${stake} ${coin}`);
      const { answer: poor } = await staking(currency, coin, stake, { cp: stake * COPPER[coin] - 1 }, prepare, given);
      assert.equal(poor, "funds");
    }
}

export async function dnd5e_gives_change_in_one_update() {
  for (const [coin, stake, purse, left] of [
    ["gp", 1, { pp: 1, gp: 2 }, { pp: 1, gp: 1 }],
    ["gp", 1, { pp: 1 }, { gp: 9 }],
    ["sp", 1, { gp: 15 }, { gp: 14, sp: 9 }],
    ["gp", 2, { gp: 1, sp: 4, cp: 7, pp: 1 }, { gp: 9, sp: 4, cp: 7 }],
    ["gp", 1, { ep: 2 }, {}],
    ["cp", 3, { ep: 1 }, { cp: 47 }],
  ]) {
    const { answer, updates, staked } = await staking("dnd5e", coin, stake, purse, () => {}, dnd5e);
    assert.deepEqual([answer, updates], [null, 1]);
    assert.deepEqual(staked, left);
  }
}

export async function a_table_can_be_played_for_any_coin_that_is_kept_here() {
  const named = async (settings, prepare) => {
    const { gm } = await stage({ settings });
    prepare?.(gm.world, gm.globals.game);
    return currencyChoices(gm.host).map((one) => currencyKey(one));
  };
  const piles = (_, game) =>
    (game.itempiles = { API: { CURRENCIES: [{ abbreviation: "{#}GP" }, { abbreviation: "{#} SP" }] } });
  const dnd = (world) => dnd5e({ world });
  assert.deepEqual(await named({}), ["chips"]);
  assert.deepEqual(await named({}, dnd), ["chips", "dnd5e pp", "dnd5e gp", "dnd5e ep", "dnd5e sp", "dnd5e cp"]);
  assert.deepEqual(await named({ currency: "dnd5e", coin: "sp" }, dnd), [
    "dnd5e sp",
    "chips",
    "dnd5e pp",
    "dnd5e gp",
    "dnd5e ep",
    "dnd5e cp",
  ]);
  const pf2e = (world) => (world.config.PF2E = { currencies: { gp: "Gold", sp: "Silver" } });
  assert.deepEqual(await named({}, pf2e), ["chips", "pf2e gp", "pf2e sp"]);
  assert.deepEqual(await named({ currency: "itempiles" }, piles), ["itempiles gp", "chips", "itempiles sp"]);
  assert.deepEqual(await named({ currency: "path", path: "system.gold , system.silver" }, dnd), [
    "path system.gold",
    "chips",
    "path system.silver",
  ]);
  assert.deepEqual(await named({ currency: "constructor" }), ["constructor gp", "chips"]); // of a module that is gone
}

/** Pathfinder's coins are pieces of treasure in the inventory, of which each kind is one item. */
function treasure(actor, coins) {
  const items = Object.entries(coins).map(([coin, quantity]) => ({ coin, quantity }));
  const worth = () => items.reduce((sum, { coin, quantity }) => sum + COPPER[coin] * quantity, 0);
  const put = (coin, quantity) => {
    const item = items.find((one) => one.coin === coin);
    if (item) item.quantity += quantity;
    else items.push({ coin, quantity });
  };
  actor.inventory = {
    items,
    worth,
    addCurrency: async (given) => Object.entries(given).forEach(([coin, quantity]) => put(coin, quantity)),
    removeCurrency: async (taken) => {
      let left = worth() - Object.entries(taken).reduce((sum, [coin, count]) => sum + COPPER[coin] * count, 0);
      if (left < 0) return false;
      items.length = 0;
      for (const coin of ["gp", "sp", "cp"]) {
        put(coin, Math.floor(left / COPPER[coin]));
        left %= COPPER[coin];
      }
      return true;
    },
  };
}

export async function coins_that_are_items_change_hands_with_an_innkeeper() {
  const { world } = await paying("pf2e", (actor) => treasure(actor, { pp: 1, sp: 3 }), { coin: "sp" });
  const keeper = world.actor("Keeper", []);
  treasure(keeper, { gp: 2 });
  const { inventory: own } = world.actors.get("Actor.ann");
  const seats = [user("alice"), { ...npc(), actor: "Actor.keeper" }];
  const body = { game: "piglet", setting: "one", stake: 15, advice: "gm", seats, house: "own" };
  assert.equal(await ask(world.gm, "create", body), null);
  assert.equal(await ask(world.alice, "join", { table: first(world).id, seat: 0 }), null);
  assert.equal(await ask(world.gm, "start", { table: first(world).id }), null);
  assert.deepEqual([own.worth(), keeper.inventory.worth()], [880, 50]);
  await toTheEnd(world);
  assert.ok(["1180,50", "880,350"].includes(String([own.worth(), keeper.inventory.worth()])));
  assert.deepEqual(world.gm.reports, []);
}

export async function coins_at_a_path() {
  await oneWhoCanAndOneWhoCannot(await paying("path", () => {}, { path: "system.currency.gp" }));
}

export async function a_currency_that_is_not_there_takes_no_stakes() {
  for (const [currency, settings] of [
    ["itempiles", {}],
    ["dnd5e", {}],
    ["pf2e", {}],
    ["path", { path: "system.purse.silver" }],
    ["shells", {}],
    ["constructor", {}],
  ]) {
    const { world, gold } = await paying(currency, () => {}, settings);
    const create = { game: "piglet", setting: "one", stake: 1, advice: "gm", seats: [user("alice"), user("bob")] };
    assert.equal(await ask(world.alice, "create", create), "funds", currency);
    assert.deepEqual(gold(), [5, 2]);
    assert.deepEqual(world.gm.tables.all(), []);
  }
}

export async function change_is_exact_whatever_coins_there_are() {
  const { random } = await stage();
  for (const rates of [DND, { gb: 1 }, { cp: 10_000, sp: 100, gp: 1, pp: 0.01 }, { shell: 12, stone: 4, pearl: 1 }]) {
    const worth = coinValuesInCommonUnit(rates);
    const coins = Object.keys(rates);
    const total = (purse) => coins.reduce((sum, coin) => sum + worth[coin] * purse[coin], 0);
    for (let i = 0; i < 500; i++) {
      const purse = Object.fromEntries(coins.map((coin) => [coin, random.below(12)]));
      const coin = coins[random.below(coins.length)];
      const amount = 1 + random.below(15);
      const left = purseAfterPaying(purse, worth, coin, amount);
      const due = amount * worth[coin];
      assert.equal(left !== null, total(purse) >= due);
      if (!left) continue;
      assert.equal(total(purse) - total(left), due);
      assert.ok(Object.values(left).every((count) => Number.isSafeInteger(count) && count >= 0));
      // Nobody breaks a coin who has the right one.
      if (purse[coin] >= amount) assert.deepEqual(left, { ...purse, [coin]: purse[coin] - amount });
    }
  }
  // Neither is a multiple of the other.
  assert.deepEqual(coinValuesInCommonUnit({ one: 3, other: 2 }), { one: 2, other: 3 });
  assert.equal(purseAfterPaying({ one: 0, other: 1 }, { one: 2, other: 3 }, "one", 1), null); // no coin for the change
  assert.equal(coinValuesInCommonUnit({ one: 1, other: Math.PI }), null);
  assert.equal(purseAfterPaying({ pp: 5 }, { pp: 1 }, "pp", Number.MAX_SAFE_INTEGER + 1), null);
}

export async function a_payment_to_an_actor_that_is_gone_is_no_fault() {
  const { world } = await paying("path", undefined, { path: "system.currency.gp" });
  const seats = [user("alice"), user("bob")];
  await ask(world.gm, "create", { game: "piglet", setting: "one", stake: 2, advice: "gm", seats });
  const { id } = first(world);
  for (const [seat, who] of ["alice", "bob"].entries())
    assert.equal(await ask(world[who], "join", { table: id, seat }), null);
  world.actors.delete("Actor.ann");
  assert.equal(await ask(world.gm, "close", { table: id }), null);
  assert.deepEqual(
    first(world).chips.payments.map(({ amount, state }) => [amount, state]),
    [
      [-2, "done"],
      [-2, "done"],
      [2, "refused"],
      [2, "done"],
    ],
  );
  assert.deepEqual(world.gm.reports, []);
}
