// Who may open which tables, who sits at them and who pays for that, and what is left of a table that is closed.

import assert from "node:assert/strict";

import { ROLES } from "./double.mjs";
import { ask, first, npc, paying, purses, seated, stage, toTheEnd, user } from "./stage.mjs";

const piglet = (seats, more = {}) => ({ game: "piglet", setting: "one", stake: 0, advice: "gm", seats, ...more });
const last = (world) => world.gm.tables.all().at(-1);

export async function who_leaves_a_free_seat_leaves_nothing_there() {
  const { world, gold } = await paying("path", () => {}, { owners: true });
  await ask(world.gm, "create", piglet([user(null), user("alice")], { stake: 2 }));
  const { id, seats } = first(world);
  assert.equal(await ask(world.alice, "join", { table: id, seat: 0 }), null);
  assert.equal(await ask(world.alice, "leave", { table: id, seat: 0 }), null);
  assert.deepEqual(first(world).seats[0], seats[0]);
  assert.equal(await ask(world.bob, "join", { table: id, seat: 0 }), null);
  assert.deepEqual(gold(), [5, 0]); // Bob's own purse pays
  assert.equal(first(world).seats[0].name, "Ben");
}

export async function an_actor_pays_only_for_who_owns_it() {
  const { world, gold } = await paying("path", () => {}, {}, [5, 20]);
  world.alice.user.character = { uuid: "Actor.ben" }; // anybody can choose any character for himself
  await ask(world.gm, "create", piglet([user(null), user("bob")], { stake: 3 }));
  assert.equal(await ask(world.alice, "join", { table: first(world).id, seat: 0 }), "funds");
  assert.equal(await ask(world.alice, "create", piglet([user("alice"), user("bob")], { stake: 3 })), "funds");
  await ask(world.gm, "create", piglet([user("alice", { actor: "Actor.ben" }), user("bob")], { stake: 3 }));
  assert.equal(await ask(world.alice, "join", { table: last(world).id, seat: 0 }), "funds");
  assert.deepEqual(gold(), [5, 20]);
}

export async function the_house_stakes_against_players_where_a_game_master_says_so() {
  const world = await stage();
  const alone = { ...piglet([user("alice")], { stake: 5 }), game: "craps" };
  const against = piglet([user("alice"), npc(1)], { stake: 5 });
  const told = (advice) => piglet([user("alice"), user("bob")], { stake: 5, advice });
  for (const body of [alone, against, told("owner"), told("everyone")])
    assert.equal(await ask(world.alice, "create", body), "house");
  assert.deepEqual(world.gm.tables.all(), []);
  for (const advice of ["gm", "nobody"]) assert.equal(await ask(world.alice, "create", told(advice)), null);
  assert.equal(await ask(world.alice, "create", { ...against, stake: 0, advice: "everyone" }), null);
  for (const body of [alone, against, told("owner")]) assert.equal(await ask(world.gm, "create", body), null);
}

export async function a_player_sits_at_the_table_that_he_opens() {
  const world = await stage();
  for (const seats of [
    [npc(), npc()],
    [user("bob"), npc()],
    [user(null), user(null)],
  ]) {
    assert.equal(await ask(world.alice, "create", piglet(seats)), "own");
    assert.equal(await ask(world.gm, "create", piglet(seats)), null);
  }
}

export async function a_player_does_not_name_a_non_player() {
  const world = await stage();
  const seats = [npc(0, "GM: Bob owes Alice 500 gp"), user("alice")];
  await ask(world.alice, "create", piglet(seats));
  await ask(world.gm, "create", piglet(seats));
  const names = world.gm.tables.all().map((one) => one.seats[0].name);
  assert.deepEqual(names, ["Best play", "GM: Bob owes Alice 500 gp"]);
}

export async function a_rematch_that_somebody_cannot_pay_leaves_nothing() {
  const { world, id } = await seated({ stake: 80, advice: "gm" });
  await toTheEnd(world);
  const [winner, loser] = purses(world, "alice")[0] > 100 ? ["alice", "bob"] : ["bob", "alice"];
  assert.equal(await ask(world[loser], "rematch", { table: id }), "funds");
  assert.equal(first(world).next, null);
  assert.equal(world.gm.tables.all().length, 1);
  assert.equal(await ask(world[winner], "rematch", { table: id }), null);
  assert.equal(first(world).next, last(world).id);
}

export async function the_end_is_undone_while_nobody_plays_the_rematch() {
  const { world, id } = await seated({ advice: "gm" });
  await toTheEnd(world);
  assert.equal(await ask(world.bob, "rematch", { table: id }), null);
  assert.equal(await ask(world.gm, "undo", { table: id }), null);
  assert.deepEqual([first(world).phase, first(world).next], ["play", null]);
  await toTheEnd(world);
  assert.equal(await ask(world.bob, "rematch", { table: id }), null);
  assert.equal(await ask(world.bob, "close", { table: last(world).id }), null); // in its lobby
  assert.equal(first(world).next, null);
  assert.equal(await ask(world.bob, "rematch", { table: id }), null);
  await ask(world.alice, "join", { table: last(world).id, seat: 0 });
  assert.equal(await ask(world.bob, "start", { table: last(world).id }), null);
  assert.equal(await ask(world.gm, "undo", { table: id }), "undo");
}

export async function a_rematch_is_granted_as_a_table_is() {
  const { world, id } = await seated({ advice: "gm" });
  await toTheEnd(world);
  world.settings.set("open", "gm");
  assert.equal(await ask(world.alice, "rematch", { table: id }), "rights");
  world.settings.set("open", "everyone");
  for (let table = 0; table < 3; table++)
    assert.equal(await ask(world.alice, "create", piglet([user("alice"), user(null)])), null);
  assert.equal(await ask(world.alice, "rematch", { table: id }), "many");
  assert.equal(await ask(world.bob, "rematch", { table: id }), null);
  const housed = await seated({ stake: 5, seats: [user("alice"), npc()] });
  await toTheEnd(housed.world);
  assert.equal(await ask(housed.world.alice, "rematch", { table: housed.id }), "rights");
  assert.equal(await ask(housed.world.gm, "rematch", { table: housed.id }), null);
}

export async function what_was_broken_off_is_a_game_master_s_to_begin_again() {
  const { world, id } = await seated();
  assert.equal(await ask(world.gm, "close", { table: id }), null);
  assert.equal(await ask(world.alice, "rematch", { table: id }), "rights");
  assert.equal(await ask(world.gm, "rematch", { table: id }), null);
}

export async function empty_tables_push_no_played_one_out() {
  const { world, id } = await seated();
  await toTheEnd(world);
  for (let table = 0; table < 11; table++) {
    assert.equal(await ask(world.alice, "create", piglet([user("alice"), user(null)])), null);
    assert.equal(await ask(world.alice, "close", { table: last(world).id }), null);
    world.time += 600_000;
  }
  assert.deepEqual(
    world.gm.tables.all().map((one) => one.id),
    [id],
  );
}

export async function a_table_stays_while_a_payment_is_to_be_looked_after() {
  const { world } = await paying("path", () => {});
  const ann = world.actors.get("Actor.ann");
  const { update } = ann;
  const refused = [];
  for (let table = 0; table < 3; table++) {
    assert.equal(await ask(world.alice, "create", piglet([user("alice"), user(null)], { stake: 1 })), null);
    ann.update = () => Promise.reject(new Error("locked"));
    assert.equal(await ask(world.alice, "close", { table: last(world).id }), null);
    ann.update = update;
    refused.push(last(world).id);
  }
  assert.equal(world.gm.reports.length, 3);
  assert.equal(await ask(world.alice, "create", piglet([user("alice"), user(null)])), "many");
  for (let table = 0; table < 11; table++) {
    await ask(world.gm, "create", piglet([npc(), npc()]));
    await ask(world.gm, "close", { table: last(world).id });
  }
  assert.ok(refused.every((id) => world.gm.tables.get(id)?.phase === "over"));
  assert.equal(world.gm.tables.all().length, 13);
  assert.equal(await ask(world.gm, "close", { table: refused[0] }), null); // once it was seen to
  assert.equal(world.gm.tables.get(refused[0]), null);
}

export async function a_ledger_does_not_grow_for_ever() {
  const world = await stage({ people: { gm: ROLES.GM, alice: 1 } });
  await ask(world.gm, "create", piglet([user("alice"), user(null)], { stake: 1 }));
  const { id } = first(world);
  const payment = { seat: 1, user: "gm", actor: null, amount: 1, state: "unsure" };
  world.settings.get("tables").tables[id].chips.payments = Array.from({ length: 200 }, (_, number) => ({
    ...payment,
    key: `back stake ${number}`,
  }));
  assert.equal(await ask(world.alice, "join", { table: id, seat: 1 }), "many");
  assert.equal(first(world).chips.payments.length, 200);
  assert.deepEqual(purses(world, "alice"), [100]);
}
