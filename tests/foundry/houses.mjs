// Who pays for non-players and the house, and what each table is played for: every coin that somebody wins was
// somebody's before.

import assert from "node:assert/strict";

import { act, ask, first, npc, paying, stage, states, toTheEnd, user } from "./stage.mjs";

const PATH = "system.currency.gp";
const table = (seats, more = {}) => ({ game: "piglet", setting: "one", stake: 5, advice: "gm", seats, ...more });
const gp = (world, ...names) => names.map((name) => world.actors.get(`Actor.${name}`).system.currency.gp);

/** A world in which Ann and Ben have 20 coins, the innkeeper and a guest of the house fewer or more. */
async function tavern({ settings = {}, keeper = 50, guest = 7, coins = [20, 20] } = {}) {
  const { world } = await paying("path", undefined, settings, coins);
  for (const [name, amount] of [
    ["Keeper", keeper],
    ["Guest", guest],
  ])
    world.actor(name, [], { currency: { pp: 0, gp: amount, ep: 0, sp: 40, cp: 0 }, skill: amount });
  return world;
}
const seatOf = (kind, name) => ({ ...npc(0, name), actor: `Actor.${kind}` });
const said = (world) =>
  [...world.messages.values()]
    .filter(({ flags }) => flags.tavern.card === "end")
    .map(({ content }) => content.replace(/<[^>]*>/g, ""))
    .at(-1);

export async function what_an_innkeeper_wins_and_loses_goes_through_his_actor() {
  const seen = new Set();
  for (let seed = 1; seed <= 12 && seen.size < 2; seed++) {
    const world = await tavern();
    world.random = new world.random.constructor(seed);
    const body = table([user("alice"), seatOf("keeper", "x")], { house: "own" });
    assert.equal(await ask(world.gm, "create", body), null);
    assert.deepEqual(gp(world, "ann", "keeper"), [20, 45]); // he stakes when the table is opened
    await ask(world.alice, "join", { table: first(world).id, seat: 0 });
    assert.deepEqual(gp(world, "ann", "keeper"), [15, 45]);
    await ask(world.gm, "start", { table: first(world).id });
    await toTheEnd(world);
    const [ann, keeper] = gp(world, "ann", "keeper");
    assert.equal(ann + keeper, 70);
    const won = ann === 25;
    seen.add(won);
    assert.ok(said(world).includes(`Keeper has ${won ? "lost" : "won"} 5 gp.`), said(world));
    assert.ok(!said(world).includes("for the house"));
    assert.equal(await ask(world.gm, "undo", { table: first(world).id }), null);
    assert.deepEqual(gp(world, "ann", "keeper"), [15, 45]);
    assert.equal(await ask(world.gm, "close", { table: first(world).id }), null);
    assert.deepEqual(gp(world, "ann", "keeper"), [20, 50]);
  }
  assert.equal(seen.size, 2);
}

export async function one_purse_pays_for_all_non_players() {
  const world = await tavern();
  const seats = [user("alice"), seatOf("guest", "x"), npc()];
  const body = { ...table(seats, { house: "Actor.keeper" }), game: "pig" };
  assert.equal(await ask(world.gm, "create", body), null);
  assert.deepEqual(gp(world, "ann", "keeper", "guest"), [20, 40, 7]);
  await ask(world.alice, "join", { table: first(world).id, seat: 0 });
  await ask(world.gm, "start", { table: first(world).id });
  await toTheEnd(world);
  const [ann, keeper, guest] = gp(world, "ann", "keeper", "guest");
  assert.deepEqual([ann + keeper, guest], [70, 7]);
  assert.ok([15, 30].includes(ann));
}

export async function a_stake_that_a_non_player_cannot_pay_is_refused_before_the_game() {
  const world = await tavern({ keeper: 3 });
  const seats = [seatOf("guest", "x"), seatOf("keeper", "x")];
  let lack = null;
  world.gm.tables.send("create", table(seats, { house: "own" })).catch((error) => (lack = error.lack));
  await world.quiet();
  assert.deepEqual(lack, { name: "Keeper", reason: "poor" });
  assert.deepEqual(gp(world, "keeper", "guest"), [3, 7]); // the guest has his stake back
  assert.deepEqual(world.gm.tables.all(), []);
  assert.equal(world.messages.size, 0);
  assert.equal(await ask(world.gm, "create", table(seats, { house: "own", stake: 3 })), null);
}

export async function whoever_sits_down_has_the_stake_back_if_a_non_player_cannot_pay() {
  const world = await tavern({ keeper: 3 });
  world.gm.user.character = { uuid: "Actor.guest" };
  const seats = [user("gm"), seatOf("keeper", "x")];
  assert.equal(await ask(world.gm, "create", table(seats, { house: "own" })), "funds");
  assert.deepEqual(gp(world, "keeper", "guest"), [3, 7]);
}

export async function a_bet_is_paid_from_the_purse_of_the_house() {
  const seen = new Set();
  for (let seed = 1; seed <= 12 && seen.size < 2; seed++) {
    const world = await tavern();
    world.random = new world.random.constructor(seed);
    const body = { ...table([user("alice")], { house: "Actor.keeper", stake: 8 }), game: "craps" };
    assert.equal(await ask(world.gm, "create", body), null);
    assert.deepEqual(gp(world, "ann", "keeper"), [20, 42]); // it puts down what Alice can win
    await ask(world.alice, "join", { table: first(world).id, seat: 0 });
    await ask(world.gm, "start", { table: first(world).id });
    await toTheEnd(world);
    const [ann, keeper] = gp(world, "ann", "keeper");
    assert.equal(ann + keeper, 70);
    seen.add(ann);
    const word = ann > 20 ? "lost" : "won";
    assert.ok(said(world).includes(`Keeper (the house) has ${word} 8 gp.`), said(world));
    assert.equal(await ask(world.gm, "undo", { table: first(world).id }), null);
    assert.equal(await ask(world.gm, "close", { table: first(world).id }), null);
    assert.deepEqual(gp(world, "ann", "keeper"), [20, 50]);
    assert.ok(said(world).includes("8 gp went back to Keeper (the house)."), said(world));
  }
  assert.deepEqual([...seen].sort(), [12, 28]);
}

export async function a_house_that_cannot_pay_takes_no_bet() {
  const world = await tavern({ keeper: 7 });
  const bet = (stake) => ({ ...table([user("alice")], { house: "Actor.keeper", stake }), game: "craps" });
  assert.equal(await ask(world.gm, "create", bet(8)), "funds");
  assert.equal(await ask(world.gm, "create", bet(7)), null);
}

export async function the_house_gets_what_nobody_is_to_have() {
  const { world, id } = await (async () => {
    const world = await tavern();
    await ask(world.gm, "create", table([user("alice"), user("bob")], { house: "Actor.keeper" }));
    const { id } = first(world);
    for (const [seat, who] of ["alice", "bob"].entries()) await ask(world[who], "join", { table: id, seat });
    await ask(world.gm, "start", { table: id });
    return { world, id };
  })();
  assert.equal(await ask(world.alice, "yield", { table: id, seat: 0 }), null);
  await toTheEnd(world);
  const [ann, ben, keeper] = gp(world, "ann", "ben", "keeper");
  assert.equal(ann, 15);
  assert.ok((ben === 25 && keeper === 50) || (ben === 15 && keeper === 60));
}

export async function a_seat_that_is_handed_over_is_paid_for_before_the_start() {
  const world = await tavern({ keeper: 4 });
  const seats = [user("alice"), user("bob", { actor: "Actor.ben" })];
  await ask(world.gm, "create", table(seats, { house: "Actor.keeper" }));
  const { id } = first(world);
  await ask(world.alice, "join", { table: id, seat: 0 });
  await ask(world.bob, "join", { table: id, seat: 1 });
  assert.equal(await ask(world.gm, "hand", { table: id, seat: 1, skill: 0 }), null);
  assert.deepEqual(gp(world, "ann", "ben", "keeper"), [15, 20, 4]);
  assert.equal(await ask(world.gm, "start", { table: id }), "funds");
  assert.equal(first(world).phase, "lobby");
  world.actors.get("Actor.keeper").system.currency.gp = 6;
  assert.equal(await ask(world.gm, "start", { table: id }), null);
  assert.deepEqual(gp(world, "ann", "ben", "keeper"), [15, 20, 1]);
}

export async function a_non_player_does_not_play_for_the_purse_of_the_player_before() {
  const world = await tavern();
  await ask(world.gm, "create", table([user("alice"), user("bob", { actor: "Actor.ben" })], { house: "own" }));
  const { id } = first(world);
  await ask(world.alice, "join", { table: id, seat: 0 });
  await ask(world.gm, "hand", { table: id, seat: 1, skill: 0 });
  assert.equal(await ask(world.gm, "start", { table: id }), null);
  assert.deepEqual(gp(world, "ben"), [20]);
}

export async function only_a_game_master_says_who_is_the_house_and_what_is_played_for() {
  const world = await tavern({ settings: { path: `${PATH}, system.currency.sp` } });
  const seats = [user("alice"), user(null)];
  const money = (path) => ({ currency: "path", coin: "gp", path });
  for (const house of ["Actor.keeper", "own", "Actor.alice", "Item.sword"])
    assert.equal(await ask(world.alice, "create", table(seats, { house })), "rights");
  assert.equal(await ask(world.gm, "create", table(seats, { house: "Item.sword" })), "rights");
  assert.equal(await ask(world.alice, "create", table(seats, { money: money("system.currency.sp") })), "stake");
  for (const [who, path] of [
    ["alice", "system.currency.pp"],
    ["gm", "system.currency.pp"],
    ["gm", "name"],
  ])
    assert.equal(await ask(world[who], "create", table(seats, { money: money(path) })), "stake");
  assert.equal(await ask(world.alice, "create", table(seats, { money: money(PATH) })), null); // the usual one
}

export async function a_silver_table_stands_beside_a_gold_table() {
  const world = await tavern({ settings: { path: `${PATH}, system.currency.sp` } });
  const silver = { currency: "path", coin: "gp", path: "system.currency.sp" };
  for (const money of [null, silver]) {
    assert.equal(await ask(world.gm, "create", table([user("alice"), npc()], { money })), null);
    const { id } = world.gm.tables.all().at(-1);
    world.actors.get("Actor.ann").system.currency.sp = 30;
    assert.equal(await ask(world.alice, "join", { table: id, seat: 0 }), null);
  }
  const { currency } = world.actors.get("Actor.ann").system;
  assert.deepEqual([currency.gp, currency.sp], [15, 25]);
  const [gold, other] = world.gm.tables.all();
  assert.equal(await ask(world.gm, "start", { table: other.id }), null);
  assert.equal(await ask(world.gm, "close", { table: other.id }), null);
  assert.deepEqual([currency.gp, currency.sp], [15, 30]);
  assert.equal(await ask(world.gm, "rematch", { table: other.id }), null);
  assert.equal(world.gm.tables.all().at(-1).chips.path, "system.currency.sp"); // the rematch too
  assert.equal(gold.chips.path, PATH);
}

export async function chips_are_for_people_alone() {
  const world = await stage({ prepare: (made) => made.actor("Keeper", []) });
  const seats = [user("alice"), seatOf("keeper", "x")];
  assert.equal(await ask(world.gm, "create", table(seats, { house: "Actor.keeper" })), null);
  assert.deepEqual(states(world), []);
  assert.equal(first(world).house, "");
  await ask(world.alice, "join", { table: first(world).id, seat: 0 });
  await ask(world.gm, "start", { table: first(world).id });
  assert.equal(await act(world), null);
}

export async function a_house_whose_actor_is_gone_leaves_a_payment_to_look_after() {
  const world = await tavern();
  const body = { ...table([user("alice")], { house: "Actor.keeper", stake: 8 }), game: "craps" };
  assert.equal(await ask(world.gm, "create", body), null);
  const { id } = first(world);
  await ask(world.alice, "join", { table: id, seat: 0 });
  await ask(world.gm, "start", { table: id });
  world.actors.delete("Actor.keeper");
  assert.equal(await ask(world.gm, "close", { table: id }), null);
  assert.deepEqual(gp(world, "ann"), [20]);
  assert.ok(said(world).includes("A payment of 8 gp for the house was refused. See to it by hand."), said(world));
}
