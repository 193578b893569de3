// Stakes: reserved first, settled once, given back, never below zero.

import assert from "node:assert/strict";

import { makePayments } from "../../site/foundry/money/payments.mjs";
import { chipsWonBySeat } from "../../site/foundry/money/stakes.mjs";
import { Fraction } from "../../site/runtime/rules/values.mjs";
import {
  act,
  ask,
  failing,
  first,
  lost,
  npc,
  paying,
  purses,
  seated,
  stage,
  states,
  succeeded,
  toTheEnd,
  user,
} from "./stage.mjs";

export async function the_winner_gets_the_pot() {
  const { world } = await seated({ stake: 7 });
  assert.deepEqual(purses(world, "alice", "bob"), [93, 93]);
  await toTheEnd(world);
  const { state, loadedGame: ready } = await world.gm.tables.position(first(world));
  const won = chipsWonBySeat(ready, state, 7);
  assert.deepEqual([...won].sort(), [0, 14]);
  assert.deepEqual(
    purses(world, "alice", "bob"),
    won.map((one) => 93 + one),
  );
  const before = JSON.stringify(world.settings.get("tables"));
  world.gm.tables.resumePending(); // settled once, whoever looks again
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
  assert.equal(await ask(world.gm, "purse", { user: "bob", was: 10, amount: 5 }), null);
  assert.equal(await ask(world.bob, "join", { table: first(world).id, seat: 1 }), "funds");
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
  assert.equal(
    purses(world, "alice", "bob").reduce((sum, one) => sum + one),
    200,
  );
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
  const { state, loadedGame: ready } = await world.gm.tables.position(first(world));
  const [won] = ready.rules.payoffs(state, "even");
  assert.deepEqual(purses(world, "alice"), [100 + 20 * Number(won)]);
  const other = await seated({ stake: 5, seats: [user("alice"), npc()] });
  await toTheEnd(other.world);
  assert.equal(
    first(other.world).chips.payments.every(({ seat }) => seat === 0),
    true,
  );
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
    policy: { head: { objective: "win" } },
    setting: {},
    rules: { payoffs: () => texts.map(([top, bottom]) => new Fraction(BigInt(top), BigInt(bottom))) },
  });
  assert.deepEqual(chipsWonBySeat(share([1, 2], [1, 2], [0, 1]), null, 5), [8, 7, 0]);
  assert.deepEqual(chipsWonBySeat(share([1, 3], [1, 3], [1, 3]), null, 7), [7, 7, 7]);
  assert.deepEqual(chipsWonBySeat(share([0, 1], [1, 3], [1, 3], [1, 3]), null, 1), [0, 2, 1, 1]);
  assert.deepEqual(chipsWonBySeat(share([1, 1], [0, 1]), null, 4e15), [8e15, 0]);
  const bet = (top, bottom, wager) => ({
    game: { seats: 1, bundle: { payoffs: [] } },
    policy: { head: { objective: "gold" } },
    setting: { wager },
    rules: { payoffs: () => [new Fraction(BigInt(top), BigInt(bottom))] },
  });
  assert.deepEqual(chipsWonBySeat(bet(-1, 1, "1"), null, 9), [0]);
  assert.deepEqual(chipsWonBySeat(bet(3, 2, "1"), null, 5), [12]); // 5 + 7.5, and no half chip
  assert.deepEqual(chipsWonBySeat(bet(-1, 3, "2/3"), null, 5), [2]);
  assert.deepEqual(chipsWonBySeat(bet(-9, 1, "1"), null, 5), [0]);
}

export async function an_absent_player_keeps_what_was_staked() {
  const { world, id } = await seated({ stake: 10 });
  assert.equal(await ask(world.gm, "hand", { table: id, seat: 1, skill: 0 }), null);
  await toTheEnd(world);
  assert.equal(
    purses(world, "alice", "bob").reduce((sum, one) => sum + one),
    200,
  );
}

export async function who_is_sent_away_before_the_start_gets_the_stake_back() {
  const world = await stage();
  await ask(world.gm, "create", {
    game: "piglet",
    setting: "one",
    stake: 9,
    advice: "gm",
    seats: [user("alice"), user("bob")],
  });
  const { id } = first(world);
  await ask(world.alice, "join", { table: id, seat: 0 });
  assert.deepEqual(purses(world, "alice"), [91]);
  assert.equal(await ask(world.gm, "hand", { table: id, seat: 0, skill: 0 }), null);
  assert.deepEqual(purses(world, "alice"), [100]);
}

export async function a_payment_is_made_once() {
  const world = { purses: { alice: 10 } };
  const record = { chips: { currency: "chips", round: 0, payments: [] } };
  const desk = { host: { later: () => {}, users: () => [] }, world, save: async () => {} };
  const payment = () => ({ key: "pay 0 0", seat: 0, user: "alice", actor: null, amount: 5, state: "due" });
  await makePayments(desk, record, [payment()], false);
  await makePayments(desk, record, [payment()], false);
  assert.deepEqual([world.purses.alice, record.chips.payments.length], [15, 1]);
  const two = [-4, -30].map((amount, seat) => ({ ...payment(), key: `undo 0 ${seat}`, amount }));
  await assert.rejects(makePayments(desk, record, two, true), /funds/); // all or none
  assert.equal(world.purses.alice, 15);
}

export async function what_was_left_unfinished_is_made_good() {
  const { world } = await seated({ stake: 7 });
  const broken = world.settings.get("tables");
  const [record] = Object.values(broken.tables);
  record.chips.payments.push({ key: "pay 0 1", seat: 1, user: "bob", actor: null, amount: 14, state: "due" });
  record.chips.payments.push({ key: "stake 9", seat: 0, user: "alice", actor: null, amount: -7, state: "due" });
  world.gm.tables.resumePending();
  await world.quiet();
  world.gm.tables.resumePending();
  await world.quiet();
  assert.deepEqual(purses(world, "alice", "bob"), [93, 107]);
  assert.deepEqual(states(world).slice(2), ["pay 0 1 14 done", "stake 9 -7 refused"]);
}

export async function what_another_left_unfinished_is_shown_not_repeated() {
  const { world, gold } = await paying("path", () => {});
  const create = { game: "piglet", setting: "one", stake: 1, advice: "gm", seats: [user("alice"), user("bob")] };
  await ask(world.gm, "create", create);
  const { id } = first(world);
  world.actors.get("Actor.ann").update = () => new Promise(() => {}); // the game master leaves before it is done
  assert.equal(await ask(world.alice, "join", { table: id, seat: 0 }), "pending");
  assert.deepEqual(states(world), ["stake 0 -1 due"]); // written down first
  const other = await succeeded(world);
  assert.deepEqual(
    other.tables.get(id).chips.payments.map(({ state }) => state),
    ["unsure"],
  );
  assert.deepEqual(gold(), [5, 2]);
}

// --- what goes wrong between two writes

/** Alice and Bob sit at a table and have staked 50 chips each; it has not begun. */
async function staking() {
  const world = await stage();
  await ask(world.gm, "create", {
    game: "piglet",
    setting: "one",
    stake: 50,
    advice: "gm",
    seats: [user("alice"), user("bob")],
  });
  const { id } = first(world);
  for (const [seat, who] of ["alice", "bob"].entries())
    assert.equal(await ask(world[who], "join", { table: id, seat }), null);
  return { world, id };
}

export async function who_gets_a_stake_back_has_lost_the_seat() {
  const tries = [
    ["alice", "leave", { seat: 0 }, ({ seats }) => seats[0].user === null],
    ["gm", "hand", { seat: 0, skill: 0 }, ({ seats }) => seats[0].user === null && seats[0].kind === "npc"],
    ["gm", "close", {}, ({ phase }) => phase === "over"],
  ];
  for (const [who, type, more, left] of tries)
    for (const write of [1, 2]) {
      const { world, id } = await staking();
      lost(world, write);
      assert.equal(await ask(world[who], type, { table: id, ...more }), "pending");
      const { tables } = await succeeded(world);
      const back = tables.chipsOf("alice") === 100;
      assert.equal(left(tables.get(id)), back, `${type} ${write}`);
      assert.equal(back, write === 2);
    }
}

export async function an_end_of_which_one_write_is_lost_is_seen_by_all() {
  const { world, id } = await seated({ stake: 7 });
  const { set } = world.gm.host;
  world.gm.host.set = (key, value) => {
    if (value.tables[id].phase === "over") lost(world, 1);
    return set(key, value);
  };
  for (let step = 0; step < 600 && first(world).phase === "play"; step++) {
    await world.alice.tables.position(first(world));
    await act(world, world.random.below(3));
  }
  const { tables } = await succeeded(world);
  const { state } = await world.alice.tables.position(world.alice.tables.get(id));
  assert.equal(state.phase, "");
  assert.equal(tables.chipsOf("alice") + tables.chipsOf("bob"), 200);
}

export async function an_undo_that_failed_half_way_can_be_done_again() {
  const { world, id } = await seated({ stake: 50 });
  await toTheEnd(world);
  failing(world, 2);
  assert.equal(await ask(world.gm, "undo", { table: id }), "fault");
  assert.equal(await ask(world.gm, "undo", { table: id }), null);
  assert.deepEqual(purses(world, "alice", "bob"), [50, 50]);
  await toTheEnd(world);
  assert.equal(
    purses(world, "alice", "bob").reduce((sum, one) => sum + one),
    200,
  );
}

export async function a_purse_that_never_answers_stops_nobody() {
  const { world, gold } = await paying("path");
  const create = { game: "piglet", setting: "one", stake: 2, advice: "gm", seats: [user("alice"), user("bob")] };
  await ask(world.gm, "create", create);
  const { id } = first(world);
  for (const [seat, who] of ["alice", "bob"].entries()) await ask(world[who], "join", { table: id, seat });
  await ask(world.gm, "start", { table: id });
  for (const actor of world.actors.values()) {
    const { update } = actor;
    actor.update = (changes) => update(changes).then(() => new Promise(() => {})); // paid, and nobody hears of it
  }
  let answer = null;
  while (answer === null) answer = await act(world, world.random.below(3));
  assert.equal(answer, "pending");
  assert.equal(await ask(world.bob, "create", { ...create, stake: 0, seats: [user("bob"), user(null)] }), "pending");
  await world.elapse(20_000);
  assert.equal(world.gm.tables.all().length, 1); // Bob was told that his is lost, and asks again
  assert.equal(await ask(world.bob, "create", { ...create, stake: 0, seats: [user("bob"), user(null)] }), null);
  assert.equal(world.gm.tables.all().length, 2);
  assert.equal(first(world).phase, "over");
  assert.match(states(world).at(-1), /^pay 0 . 4 unsure$/);
  const paid = gold();
  assert.equal(await ask(world.gm, "undo", { table: id }), "undo"); // or the pot might be paid twice
  assert.deepEqual(gold(), paid);
}

export async function a_stake_that_did_not_go_back_hides_no_other() {
  const { world, gold } = await paying("path", () => {}, {}, [50, 50]);
  await ask(world.gm, "create", {
    game: "piglet",
    setting: "one",
    stake: 10,
    advice: "gm",
    seats: [user(null), npc()],
  });
  const { id } = first(world);
  await ask(world.alice, "join", { table: id, seat: 0 });
  const ann = world.actors.get("Actor.ann");
  const { update } = ann;
  ann.update = () => Promise.reject(new Error("locked"));
  assert.equal(await ask(world.alice, "leave", { table: id, seat: 0 }), null);
  ann.update = update;
  await ask(world.bob, "join", { table: id, seat: 0 });
  assert.equal(await ask(world.gm, "close", { table: id }), null);
  assert.deepEqual(gold(), [40, 50]); // Bob's stake is back
  assert.deepEqual(
    first(world).chips.payments.map(({ user: who, state }) => `${who} ${state}`),
    ["alice done", "alice refused", "bob done", "bob done"],
  );
}

export async function stakes_go_back_to_where_they_came_from() {
  const { world } = await paying("path", () => {}, { path: "system.currency.gp" });
  await ask(world.gm, "create", {
    game: "piglet",
    setting: "one",
    stake: 5,
    advice: "gm",
    seats: [user("alice"), npc()],
  });
  const { id } = first(world);
  await ask(world.alice, "join", { table: id, seat: 0 });
  world.settings.set("path", "system.currency.pp");
  assert.equal(await ask(world.gm, "close", { table: id }), null);
  const { gp, pp } = world.actors.get("Actor.ann").system.currency;
  assert.deepEqual([gp, pp], [5, 0]);
  const piles = await paying("itempiles");
  const asked = [];
  const API = {
    removeCurrencies: async (_, price) => asked.push(price),
    addCurrencies: async (_, price) => asked.push(price),
  };
  for (const client of piles.world.clients) client.globals.game.itempiles = { API };
  await ask(piles.world.gm, "create", {
    game: "piglet",
    setting: "one",
    stake: 5,
    advice: "gm",
    seats: [user("alice"), npc()],
  });
  await ask(piles.world.alice, "join", { table: first(piles.world).id, seat: 0 });
  piles.world.settings.set("coin", "pp");
  await ask(piles.world.gm, "close", { table: first(piles.world).id });
  assert.deepEqual(asked, ["5gp", "5gp"]);
}
