// Stakes in the currencies of others, as fakes.

import assert from "node:assert/strict";

import { ask, first, paying, toTheEnd, user } from "./stage.mjs";

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
  const API = {
    removeCurrencies: async (actor, text) => change(actor, -price(text)),
    addCurrencies: async (actor, text) => change(actor, price(text)),
  };
  for (const client of stand.world.clients) client.globals.game.itempiles = { API };
  await oneWhoCanAndOneWhoCannot(stand);
}

export async function coins_of_dnd5e() {
  const stand = await paying("dnd5e", () => {});
  const applications = {
    CurrencyManager: {
      deductActorCurrency: async (actor, amount, coin) => change(actor, coin === "gp" ? -amount : NaN),
    },
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
