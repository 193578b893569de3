// People who leave or do not move: who gives a seat up and what becomes of the stake, the turn timer, who stands in;
// second seats, tables that are shown, and tables that are over.

import assert from "node:assert/strict";

import { ROLES } from "./double.mjs";
import { act, ask, asked, emit, failing, first, npc, purses, seated, stage, toTheEnd, user } from "./stage.mjs";

const ALL = { gm: ROLES.GM, alice: ROLES.PLAYER, bob: ROLES.PLAYER, eve: ROLES.PLAYER };
const ends = (world) => [...world.messages.values()].filter(({ flags }) => flags.tavern.card === "end");

export async function who_gives_up_plays_no_more_and_gets_nothing() {
  let house = 0;
  for (let seed = 1; seed <= 6; seed++) {
    const { world, id } = await seated({ stake: 5, advice: "gm", seed });
    assert.equal(await ask(world.alice, "yield", { table: id, seat: 0 }), null);
    const [seat] = first(world).seats;
    assert.deepEqual([seat.kind, seat.user, seat.name], ["npc", null, "alice (gave up)"]);
    assert.equal(await ask(world.alice, "act", { table: id, action: 0 }), "turn");
    await toTheEnd(world);
    // Best play of a seat that somebody gave up wins for the house.
    const [one, other] = purses(world, "alice", "bob");
    assert.equal(one, 95);
    assert.ok(other === 95 || other === 105);
    house += Number(other === 95);
    const text = ends(world)[0].content.replace(/<[^>]*>/g, "");
    assert.match(text, /alice has lost 5 chips\./);
    assert.equal(text.includes("alice (gave up) played for the house."), true);
  }
  assert.ok(house > 0 && house < 6); // both came to pass
}

export async function nobody_gives_up_a_seat_but_who_sits_there() {
  const { world, id } = await seated({ people: ALL, stake: 5, advice: "gm" });
  const { rev } = first(world);
  const before = JSON.stringify([first(world), world.writes]);
  for (const who of ["bob", "eve", "gm"])
    assert.equal(await ask(world[who], "yield", { table: id, seat: 0 }), "rights");
  assert.equal(await ask(world.alice, "yield", { table: id, seat: 1 }), "rights");
  assert.equal(await ask(world.alice, "yield", { table: id, seat: 9 }), "rights");
  assert.equal(await ask(world.alice, "yield", { table: id, seat: 0, rev: rev + 1 }), "stale");
  const body = { table: id, rev, seat: 0 };
  let count = 0;
  const forged = (more) => ({ v: 1, t: "yield", nonce: `y${String(++count).padStart(15, "0")}`, body, ...more });
  await emit(world.bob, forged({ user: "alice" }));
  await emit(world.bob, forged({ body: { ...body, user: "alice" } }));
  await emit(world.alice, forged({ body: { ...body, skill: 0 } })); // nobody chooses who plays on
  assert.equal(JSON.stringify([first(world), world.writes]), before);
  world.settings.set("owners", true); // an owner may play for a seat, and not give it away
  assert.equal(await ask(world.bob, "yield", { table: id, seat: 0 }), "rights");
  assert.equal(await ask(world.alice, "yield", { table: id, seat: 0 }), null);
  assert.equal(await ask(world.alice, "yield", { table: id, seat: 0 }), "rights"); // once
  await toTheEnd(world);
  assert.equal(await ask(world.bob, "yield", { table: id, seat: 1 }), "phase");
}

export async function before_the_start_a_seat_is_left_and_not_given_up() {
  const world = await stage();
  const seats = [user("alice"), user("bob")];
  await ask(world.gm, "create", { game: "piglet", setting: "one", stake: 5, advice: "gm", seats });
  assert.equal(await ask(world.alice, "join", { table: first(world).id, seat: 0 }), null);
  assert.equal(await ask(world.alice, "yield", { table: first(world).id, seat: 0 }), "phase");
}

export async function a_stake_that_was_given_up_goes_back_where_the_game_is_broken_off() {
  const { world, id } = await seated({ stake: 5, advice: "gm" });
  assert.equal(await ask(world.alice, "yield", { table: id, seat: 0 }), null);
  assert.equal(await ask(world.gm, "close", { table: id }), null);
  assert.deepEqual(purses(world, "alice", "bob"), [100, 100]);
}

export async function a_rematch_asks_who_gave_up_too() {
  const { world, id } = await seated({ stake: 5, advice: "gm" });
  assert.equal(await ask(world.alice, "yield", { table: id, seat: 0 }), null);
  await toTheEnd(world);
  assert.equal(await ask(world.bob, "rematch", { table: id }), "rights"); // a non-player staked at last
  assert.equal(await ask(world.gm, "rematch", { table: id }), null);
  const { seats } = world.gm.tables.get(first(world).next);
  assert.deepEqual(
    seats.map(({ kind, held, name, yielded }) => [kind, held, name, yielded]),
    [
      ["user", "alice", "alice", undefined],
      ["user", "bob", "bob", undefined],
    ],
  );
}

export async function the_timer_moves_once_for_who_does_not() {
  const { world } = await seated({ settings: { timer: 60 } });
  await world.elapse(59_000);
  assert.equal(first(world).log.length, 0);
  await world.elapse(1000);
  assert.equal(first(world).log.length, 1);
  assert.equal(first(world).seats[0].user, "alice"); // who keeps the seat
  await act(world); // and plays on
  const { length } = first(world).log;
  await world.elapse(59_000);
  assert.equal(first(world).log.length, length);
  world.settings.set("timer", 0); // whoever takes the timer away means it
  await world.elapse(600_000);
  assert.equal(first(world).log.length, length);
  assert.deepEqual(world.gm.reports, []);
}

export async function without_a_timer_everybody_has_all_the_time() {
  const { world } = await seated();
  await world.elapse(100_000_000);
  assert.equal(first(world).log.length, 0);
}

export async function a_table_without_people_is_played_by_the_timer_to_its_end() {
  const { world } = await seated({ settings: { timer: 15 }, stake: 5, advice: "gm" });
  world.alice.active = world.bob.active = false;
  for (let step = 0; step < 300 && first(world).phase === "play"; step++) await world.elapse(15_000);
  assert.equal(first(world).phase, "over");
  assert.equal(
    purses(world, "alice", "bob").reduce((sum, one) => sum + one),
    200,
  ); // what they staked is still theirs
  return [await world.gm.tables.transcript(first(world))];
}

export async function a_game_master_has_a_non_player_move_once() {
  const { world, id } = await seated({ people: ALL });
  for (const who of ["alice", "bob", "eve"]) assert.equal(await ask(world[who], "stand", { table: id }), "rights");
  assert.equal(first(world).log.length, 0);
  assert.equal(await ask(world.gm, "stand", { table: id }), null);
  assert.equal(first(world).log.length, 1);
  assert.equal(await ask(world.gm, "stand", { table: id }), null); // and the roll, for the same person
  assert.deepEqual([first(world).log.length, world.formulas.length], [2, 1]);
  const [{ author, speaker }] = [...world.messages.values()].filter(({ flags }) => flags.tavern.card === "turn");
  assert.deepEqual([author.id, speaker.alias], ["gm", "alice"]);
}

export async function only_a_game_master_opens_tables_at_the_screens_of_others() {
  const { world, id } = await seated({ people: ALL });
  const opened = [];
  for (const who of ["gm", "alice", "bob", "eve"]) world[who].tables.onShow((table) => opened.push([who, table]));
  world.gm.tables.showTo(id, ["alice", "eve"]);
  await world.quiet();
  assert.deepEqual(opened.splice(0), [
    ["alice", id],
    ["eve", id],
  ]);
  world.bob.tables.showTo(id, ["alice", "gm"]);
  for (const table of ["gone", "__proto__", 7, null, { id }]) world.gm.tables.showTo(table, ["alice"]);
  await emit(world.bob, { v: 1, t: "show", table: id, user: "gm" }, "alice");
  assert.deepEqual(opened, []);
}

export async function nobody_joins_twice_unless_a_game_master_says_so() {
  const world = await stage({ people: ALL });
  const table = (seats, more) => ({ game: "pig", setting: "one", stake: 5, advice: "gm", seats, ...more });
  const twice = [user("alice"), user("alice"), user(null)];
  assert.equal(await ask(world.alice, "create", table(twice)), "seats");
  assert.equal(await ask(world.alice, "create", table([user("alice"), user(null), user(null)])), null);
  const { id } = first(world);
  assert.deepEqual(world.alice.tables.rightsOf(first(world), "alice").join, []);
  assert.equal(await ask(world.alice, "join", { table: id, seat: 1 }), "rights");
  assert.equal(await ask(world.bob, "join", { table: id, seat: 1 }), null);
  assert.equal(await ask(world.bob, "join", { table: id, seat: 2 }), "rights");
  assert.equal(await ask(world.alice, "leave", { table: id, seat: 0 }), null);
  assert.equal(await ask(world.alice, "join", { table: id, seat: 2 }), null); // another seat instead
  assert.deepEqual(purses(world, "alice", "bob"), [95, 95]);
  assert.equal(await ask(world.gm, "create", table(twice)), null); // both are kept for her
  const kept = world.gm.tables.all().at(-1);
  for (const seat of [0, 1]) assert.equal(await ask(world.alice, "join", { table: kept.id, seat }), null);
}

export async function moves_do_not_send_tables_that_are_over() {
  const world = await stage();
  const create = { game: "piglet", setting: "one", stake: 0, advice: "gm", seats: [npc(), npc()] };
  for (let game = 0; game < 10; game++) {
    assert.equal(await ask(world.gm, "create", create), null);
    const { id } = world.gm.tables.all().at(-1);
    for (let step = 0; step < 500 && world.gm.tables.get(id).phase === "play"; step++) await world.elapse(100);
  }
  await ask(world.gm, "create", { ...create, seats: [user("gm"), npc()] });
  await ask(world.gm, "act", { table: world.gm.tables.all().at(-1).id, action: 0 });
  assert.equal(Object.keys(world.settings.get("tables").tables).length, 1);
  const weight = world.settings.get("rested");
  const { writes } = world;
  await ask(world.gm, "stand", { table: world.gm.tables.all().at(-1).id });
  assert.equal(world.writes, writes + 1); // what rests is not written either
  assert.deepEqual(world.settings.get("rested"), weight);
  assert.equal(world.bob.tables.all().length, 11);
}

export async function a_table_that_rests_can_be_taken_back_and_closed() {
  const { world, id } = await seated({ stake: 5, advice: "gm" });
  await toTheEnd(world);
  const create = { game: "piglet", setting: "one", stake: 0, advice: "gm", seats: [user("gm"), npc()] };
  await ask(world.gm, "create", create);
  const at = () => [world.settings.get("tables").tables[id], world.settings.get("rested")[id]].map(Boolean);
  assert.deepEqual(at(), [false, true]);
  failing(world, 2); // the write of what is due is there, a later one is lost
  assert.equal(await ask(world.gm, "undo", { table: id }), "fault");
  assert.equal(await ask(world.gm, "undo", { table: id }), null);
  assert.equal(world.bob.tables.get(id).phase, "play");
  assert.deepEqual(purses(world, "alice", "bob"), [95, 95]);
  for (let close = 0; close < 2; close++) assert.equal(await ask(world.gm, "close", { table: id }), null);
  assert.deepEqual([at(), world.gm.tables.get(id)], [[false, false], null]);
  assert.deepEqual(purses(world, "alice", "bob"), [100, 100]);
}

/** How long a move of two non-players takes on average while nobody looks at the game master's tab, in milliseconds. */
async function moveUnseen(prepare = () => {}) {
  const world = await stage({ prepare });
  world.gm.hidden = true;
  const seats = [npc(), npc()];
  assert.equal(
    await ask(world.gm, "create", { game: "column-race", setting: "one", stake: 0, advice: "gm", seats }),
    null,
  );
  const begun = world.time;
  for (let step = 0; step < 20_000 && first(world).phase === "play"; step++) await world.elapse(50);
  assert.ok(first(world).log.length > 3);
  return (world.time - begun) / first(world).log.length;
}

export async function non_players_do_not_wait_for_somebody_to_look_at_the_game_master_s_tab() {
  assert.ok((await moveUnseen()) <= 150);
}

export async function where_a_page_may_have_no_worker_non_players_move_all_the_same() {
  const refused = class {
    constructor() {
      throw new Error("refused by a policy");
    }
  };
  const { warn } = console;
  console.warn = () => {};
  const took = await moveUnseen((world) => (world.Worker = refused));
  console.warn = warn;
  assert.ok(took >= 40_000); // as often as the browser wakes the page
}

export async function the_turn_timer_goes_on_in_a_tab_that_nobody_looks_at() {
  const { world } = await seated({ settings: { timer: 15 } });
  world.gm.hidden = true;
  await world.elapse(15_100);
  assert.equal(first(world).log.length, 1);
}

export async function a_game_master_who_throws_by_hand_is_not_asked_to_throw_for_non_players() {
  const { world } = await seated({ game: "column-race", seats: [npc(), npc()] });
  world.gm.byHand = true;
  await world.elapse(60_000);
  assert.equal(first(world).phase, "over");
}

export async function a_request_is_given_up_once_the_game_master_has_left() {
  const { world, id } = await seated();
  world.gm.host.line.last = new Promise(() => {}); // the page is loaded again before it answers
  const request = asked(world.alice, "act", { table: id, action: 0 });
  world.alice.tables.resumePending(); // somebody else came
  await world.quiet();
  assert.equal(request.answer, "pending");
  world.gm.active = false;
  world.alice.tables.resumePending();
  await world.quiet();
  assert.equal(request.answer, "slow");
}
