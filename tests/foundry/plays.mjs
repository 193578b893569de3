// Whole games at a table: reloads, undo, rematches, non-players, cards, what is kept, and transcripts for Python to
// verify.

import assert from "node:assert/strict";

import { opponentsOf } from "../../site/runtime/table/opponents.mjs";
import {
  actionsAt,
  RecordError,
  replayLog,
  applyEntry,
  makeTranscript,
  verifyTranscript,
} from "../../site/runtime/table/record.mjs";
import { ROLES } from "./double.mjs";
import { act, arrive, ask, emit, enter, failing, first, npc, seated, stage, toTheEnd, user } from "./stage.mjs";

const cards = (world, kind) => [...world.messages.values()].filter(({ flags }) => flags.tavern.card === kind);

export async function every_game_is_played_to_its_end() {
  const transcripts = [];
  const world = await stage();
  for (const { id: game } of await world.gm.tables.library.games()) {
    const { rules, setting } = await world.gm.tables.library.openSetting(game, "one");
    if (rules.hasSecrets) continue; // secrets.mjs has them
    for (const skill of opponentsOf(setting).keys()) {
      const seats = Array.from({ length: setting.seats }, (_, seat) =>
        npc((skill + seat) % opponentsOf(setting).length),
      );
      assert.equal(await ask(world.gm, "create", { game, setting: "one", stake: 0, seats, advice: "everyone" }), null);
      const { id } = world.gm.tables.all().at(-1);
      for (let step = 0; step < 500 && world.gm.tables.get(id).phase === "play"; step++) await world.elapse(100);
      const record = world.gm.tables.get(id);
      assert.deepEqual(world.gm.reports, []);
      assert.equal(record.phase, "over", game);
      const told = await world.alice.tables.transcript(record);
      assert.deepEqual(cards(world, "end").at(-1).flags.tavern.transcript, JSON.parse(JSON.stringify(told)));
      verifyTranscript(await world.alice.tables.library.openGameOf(record), record.rules, told);
      transcripts.push(told);
    }
  }
  return transcripts;
}

export async function a_reload_in_mid_turn_changes_nothing() {
  const { world, id } = await seated({ game: "pig", seats: [user("alice"), user("bob"), npc()] });
  for (let step = 0; step < 3; step++) await act(world);
  const place = await world.alice.tables.position(first(world));
  world.alice.listeners.length = 0;
  enter(world.alice); // the scripts begin anew
  enter(world.gm);
  await world.quiet();
  const again = await world.alice.tables.position(first(world, world.alice));
  assert.deepEqual(
    [again.state.phase, again.state.mover, again.state.cells],
    [place.state.phase, place.state.mover, place.state.cells],
  );
  assert.deepEqual(
    again.moves.map(({ events }) => events),
    place.moves.map(({ events }) => events),
  );
  assert.equal(first(world).id, id);
  return [await world.alice.tables.transcript(first(world))];
}

export async function undo_goes_back_to_before_a_person_s_act() {
  const { world, id } = await seated({ game: "column-race", seats: [user("alice"), npc(1)] });
  const start = await world.gm.tables.position(first(world));
  for (let turn = 0; turn < 2; turn++) {
    while (first(world).mover === 1) await world.elapse(100);
    while (first(world).mover === 0) await act(world);
  }
  await world.elapse(100);
  const { log, rev } = first(world);
  const last = log.findLastIndex(({ seat }) => seat === 1);
  assert.ok(last < log.length - 1);
  assert.ok(first(world).draws.length);
  assert.equal(await ask(world.gm, "undo", { table: id }), null);
  assert.deepEqual(first(world).log, log.slice(0, last));
  assert.ok(first(world).rev > rev);
  assert.equal(first(world).mover, 0);
  assert.ok(first(world).draws.every(({ entry }) => entry < last));
  while (first(world).log.length) assert.equal(await ask(world.gm, "undo", { table: id }), null);
  assert.equal(await ask(world.gm, "undo", { table: id }), "undo");
  const { state } = await world.gm.tables.position(first(world));
  assert.deepEqual(state, start.state);
  assert.deepEqual(first(world).draws, []);
}

export async function a_rematch_asks_everybody_again() {
  const { world, id } = await seated({ stake: 5, advice: "gm" });
  await toTheEnd(world);
  assert.equal(await ask(world.bob, "rematch", { table: id }), null);
  assert.equal(await ask(world.alice, "rematch", { table: id }), "rights"); // there is one already
  const next = world.gm.tables.get(first(world).next);
  assert.deepEqual(
    [next.phase, next.stake, next.seats.map(({ user, held }) => [user, held])],
    [
      "lobby",
      5,
      [
        [null, "alice"],
        ["bob", "bob"],
      ],
    ],
  );
  assert.equal(next.chips.payments.length, 1); // Alice has staked nothing yet
  assert.equal(cards(world, "invitation").length, 2);
}

export async function an_absent_player_is_handed_to_a_non_player() {
  const { world, id } = await seated();
  assert.equal(await ask(world.alice, "hand", { table: id, seat: 0, skill: 0 }), "rights");
  assert.equal(await ask(world.gm, "hand", { table: id, seat: 0, skill: 9 }), "seats");
  assert.equal(await ask(world.gm, "hand", { table: id, seat: 0, skill: 0 }), null);
  const { log } = first(world);
  await world.elapse(100);
  assert.equal(first(world).log.length, log.length + 1); // one step at a time
  assert.equal(await ask(world.alice, "act", { table: id, action: 0 }), "turn");
  await toTheEnd(world);
}

export async function non_players_pause_and_roll_in_the_open() {
  const { world } = await seated({ seats: [npc(0, "Old Meg"), user("alice")] });
  await world.elapse(99);
  assert.equal(first(world).log.length, 0);
  await world.elapse(1);
  assert.equal(first(world).log.length, 1);
  await world.elapse(100);
  const [card] = cards(world, "turn");
  assert.deepEqual([card.author.id, card.speaker.alias, card.rolls.length], ["gm", "Old Meg", 1]);
  assert.equal(first(world).log[1].message, card.id);
}

/** Whoever is to move throws so often in a turn, up to the choice after that. */
async function throwing(world, rolls) {
  for (let count = 0; ;) {
    const { state, actions } = await world.gm.tables.position(first(world));
    if (count === rolls && state.phase === "decide") return;
    if (!actions) count += 1;
    assert.equal(await act(world, state.phase === "decide" ? 1 : 0), null);
  }
}

export async function what_leaves_no_choice_is_taken_at_once_and_goes_back_with_what_led_there() {
  const { world, id } = await seated({ game: "column-race" });
  let forced = 0;
  for (let step = 0; step < 40 && first(world).phase === "play"; step++) {
    const { mover, log } = first(world);
    assert.equal(await act(world, step % 2), null);
    if (first(world).phase !== "play") break;
    const { actions, state } = await world.gm.tables.position(first(world));
    assert.ok(state.mover !== mover || actions?.length !== 1); // nothing waits for a tap
    const added = first(world).log.length - log.length;
    assert.ok(
      first(world)
        .log.slice(log.length + 1)
        .every((entry) => "choose" in entry),
    );
    if (added === 1) continue;
    forced += 1;
    assert.equal(await ask(world.gm, "undo", { table: id }), null);
    assert.deepEqual(first(world).log, log);
    assert.equal(await act(world, step % 2), null); // it falls otherwise now
  }
  assert.ok(forced > 2);
}

export async function a_turn_is_one_card() {
  const { world } = await seated({ game: "column-race" });
  await throwing(world, 2);
  const { moves } = await world.gm.tables.position(first(world));
  const { log } = first(world);
  const turns = moves.reduce(
    (found, { turnOver }, place) => {
      if (log[place].message) found.at(-1).add(log[place].message);
      return turnOver ? [...found, new Set()] : found;
    },
    [new Set()],
  );
  for (const turn of turns) assert.ok(turn.size <= 1);
  assert.equal(cards(world, "turn").length, turns.filter(({ size }) => size).length);
  const throws = log.filter((entry) => "throw" in entry);
  assert.equal(cards(world, "turn").flatMap(({ rolls }) => rolls).length, throws.length);
  const [card] = cards(world, "turn");
  assert.equal(card.author.id, "alice"); // dice look like hers
  assert.ok(cards(world, "turn").some(({ rolls }) => rolls.length > 1));
  world.messages.clear(); // somebody tidied the chat
  for (let step = 0; step < 2; step++) assert.equal(await act(world, 1), null);
  assert.equal(cards(world, "turn").length, 1);
}

export async function bags_and_odd_dice_fall_as_they_should() {
  const { world } = await seated({ game: "marbles" });
  await act(world); // draws a marble of four, then a coin's side
  assert.deepEqual(world.formulas, ["1d4", "1d2"]);
  const [[name, marble], [die, hand]] = first(world).log[0].throw;
  assert.deepEqual([name, die], ["drawn", "die"]);
  assert.ok(["red", "blue", "black"].includes(marble));
  assert.equal(hand.hand[0][0], "d2");
  assert.equal(cards(world, "turn")[0].rolls.length, 2);
  const other = await seated({ game: "hold-the-pot" });
  await act(other.world);
  assert.match(other.world.formulas[0], /^\d+d6( \+ \d+d6)*$/);
}

export async function finished_tables_are_pruned_to_ten() {
  const { world, id } = await seated();
  await toTheEnd(world);
  const open = { game: "piglet", setting: "one", stake: 0, advice: "gm", seats: [npc(), npc()] };
  for (let table = 0; table < 11; table++) {
    assert.equal(await ask(world.gm, "create", open), null); // starts at once
    assert.equal(await ask(world.gm, "close", { table: world.gm.tables.all().at(-1).id }), null);
  }
  assert.equal(await ask(world.gm, "create", open), null);
  const all = world.gm.tables.all();
  assert.equal(all.filter(({ phase }) => phase === "over").length, 10);
  assert.equal(all.length, 11);
  assert.equal(world.gm.tables.get(id), null);
  assert.equal(cards(world, "end").length, 1); // what was played is still in the chat
  return cards(world, "end").map(({ flags }) => flags.tavern.transcript);
}

export async function other_rules_end_a_table_without_loss() {
  const { world, id } = await seated({ stake: 5 });
  const held = world.settings.get("tables");
  Object.values(held.tables)[0].rules = "0".repeat(64); // the module was renewed
  assert.equal(await ask(world.alice, "act", { table: id, action: 0 }), "rules");
  await assert.rejects(enter(world.bob).tables.position(first(world)), /refused.rules/);
  Object.values(held.tables)[0].game = "gone"; // or has left the game out
  assert.equal(await ask(world.gm, "close", { table: id }), null);
  assert.equal(world.gm.tables.chipsOf("alice"), 100);
  assert.equal(cards(world, "end").length, 1);
}

export async function a_non_player_at_a_table_by_other_rules_is_no_fault() {
  const { world } = await seated({ seats: [npc(), user("alice")] });
  Object.values(world.settings.get("tables").tables)[0].rules = "0".repeat(64); // the module was renewed
  await world.elapse(60_000);
  assert.deepEqual([first(world).log.length, world.gm.reports], [0, []]);
}

export async function everybody_hears_of_every_change() {
  const { world } = await seated();
  let heard = 0;
  const stop = world.bob.tables.onChange(() => (heard += 1));
  await act(world);
  assert.equal(heard, 1);
  stop();
  await act(world);
  assert.equal(heard, 1);
  assert.deepEqual(world.bob.tables.rightsOf(first(world), "nobody"), {
    act: false,
    manage: false,
    direct: false,
    close: false,
    join: [],
    leave: [],
    yield: [],
    start: false,
    rematch: false,
  });
}

export async function a_table_of_the_longest_log_stops() {
  const { world, id } = await seated();
  const { tables } = world.settings.get("tables");
  const ready = await world.gm.tables.library.openGameOf(tables[id]);
  let state = ready.rules.start();
  const write = (choose, side) => {
    const seat = state.mover + 1;
    const entry = actionsAt(ready, state)
      ? { seat, choose, with: {} }
      : { seat, throw: [["flip", { hand: [["coin", side]] }]] };
    tables[id].log.push(entry);
    ({ state } = applyEntry(ready, state, entry).step);
  };
  for (const choose of ["Toss", "", "Stop"]) write(choose, 1);
  while (tables[id].log.length < 1500) write("Toss", 0); // tails for ever
  tables[id].mover = state.mover;
  assert.equal(actionsAt(ready, state), null);
  const { size } = world.messages;
  assert.equal(await act(world), "long");
  assert.deepEqual([world.messages.size, world.formulas.length], [size, 0]); // nothing was thrown for that
  world.settings.set("trusting", true);
  await assert.rejects(world[first(world).seats[state.mover].user].tables.move(first(world), null), /refused.long/);
  assert.deepEqual([world.messages.size, world.formulas.length], [size, 0]);
}

export async function records_that_cannot_be_are_refused() {
  const { world } = await seated();
  await toTheEnd(world);
  const record = first(world);
  const ready = await world.gm.tables.library.openGameOf(record);
  const good = JSON.parse(JSON.stringify(makeTranscript(ready, record)));
  verifyTranscript(ready, record.rules, good);
  const spoilt = (change) => {
    const data = structuredClone(good);
    change(data, data.log);
    return data;
  };
  const thrown = good.log.findIndex((entry) => "throw" in entry);
  const bad = [
    (data) => (data.transcript = 2),
    (data) => (data.rules = "x"),
    (data) => (data.game = "pig"),
    (data) => (data.seats = 3),
    (data) => (data.parameters.target = 3),
    (data) => delete data.parameters.target,
    (data) => (data.payoffs = null),
    (data) => (data.payoffs.win = ["1/2", "1/2"]),
    (_, log) => (log[0].seat = 2),
    (_, log) => (log[0].choose = "Stop"),
    (_, log) => (log[0].with = { x: 1 }),
    (_, log) => (log[0].more = 1),
    (_, log) => (log[thrown].throw[0][1] = { hand: [["coin", 2]] }),
    (_, log) => (log[thrown].throw[0][1] = { hand: [["d6", 1]] }),
    (_, log) => (log[thrown].throw[0][1] = { hand: [] }),
    (_, log) => log[thrown].throw[0][1].hand.push(["coin", 1]),
    (_, log) => (log[thrown].throw[0][1] = 1),
    (_, log) => (log[thrown].throw[0][0] = "die"),
    (_, log) => log[thrown].throw.push(["flip", 1]),
    (_, log) => (log[thrown].throw = null),
    (_, log) => (log[thrown] = null),
    (_, log) => log.push(log.at(-1)),
    (_, log) => log.pop(),
    (_, log) => log.shift(),
  ];
  for (const [place, change] of bad.entries())
    assert.throws(() => verifyTranscript(ready, record.rules, spoilt(change)), RecordError, `${place}`);
  assert.throws(() => replayLog(ready, [...good.log, good.log[0]]), { at: good.log.length + 1 });
}

// --- the game master's own machine

export async function one_window_of_a_game_master_decides() {
  const world = await stage();
  const newer = await arrive(world.client("gm", ROLES.GM));
  assert.deepEqual(
    [world.gm.tables.isDecidedElsewhere, newer.tables.isDecidedElsewhere, world.alice.tables.isDecidedElsewhere],
    [true, false, false],
  );
  const open = { game: "piglet", setting: "one", stake: 5, advice: "gm", seats: [user("bob"), user("alice")] };
  assert.equal(await ask(world.bob, "create", open), null);
  assert.equal(world.gm.tables.all().length, 1);
  assert.equal(cards(world, "invitation").length, 1);
  assert.equal(await ask(world.gm, "create", open), "elsewhere");
  assert.equal(await ask(newer, "create", { ...open, stake: 0, seats: [npc(), npc()] }), null);
  await world.elapse(100);
  assert.equal(world.gm.tables.all().at(-1).log.length, 1); // a non-player moves once
  await emit(world.alice, { v: 1, t: "newer", window: "x" }); // says a player
  // Its own word.
  for (const [, heard] of newer.listeners) heard({ v: 1, t: "newer", window: newer.tables.net.window }, "gm");
  assert.equal(newer.tables.isDecidedElsewhere, false);
}

export async function the_newest_window_that_is_left_decides() {
  const world = await stage();
  const [second, third] = [await arrive(world.client("gm", ROLES.GM)), await arrive(world.client("gm", ROLES.GM))];
  const windows = [world.gm, second, third];
  const decides = () => windows.map(({ tables }) => !tables.isDecidedElsewhere);
  assert.deepEqual(decides(), [false, false, true]);
  third.leave();
  await world.quiet();
  windows.pop();
  assert.deepEqual(decides(), [false, true]);
  const open = { game: "piglet", setting: "one", stake: 0, advice: "gm", seats: [npc(), npc()] };
  assert.equal(await ask(second, "create", open), null);
  second.active = false; // its machine was switched off, so it told nobody
  assert.equal(await ask(world.gm, "create", open), "elsewhere");
  world.gm.tables.decideHere();
  await world.elapse(100);
  assert.equal(first(world).log.length, 1); // the table of the other window goes on
  assert.equal(await ask(world.gm, "create", open), null);
  const fourth = await arrive(world.client("gm", ROLES.GM));
  world.gm.tables.decideHere();
  await world.quiet();
  assert.deepEqual(
    [world.gm, fourth].map(({ tables }) => tables.isDecidedElsewhere),
    [false, true],
  );
}

export async function nothing_is_thrown_by_who_does_not_decide() {
  const { world, id } = await seated();
  await act(world);
  const { rev } = first(world);
  const { size } = world.messages;
  await assert.rejects(
    world.alice.tables.authority.handleRequest("act", { table: id, rev, action: null }, "alice"),
    /refused.nobody/,
  );
  assert.deepEqual([world.messages.size, world.formulas.length], [size, 0]);
}

export async function dice_that_nobody_throws_stop_nobody() {
  const { world, id } = await seated();
  await act(world);
  const { roll } = world.gm.host;
  world.gm.host.roll = () => new Promise(() => {}); // a question that nobody answers
  assert.equal(await act(world), "pending");
  await world.elapse(120_000);
  world.gm.host.roll = roll;
  assert.equal(cards(world, "turn").length, 0);
  assert.equal(await ask(world.alice, "act", { table: id, action: null }), null);
  assert.equal(first(world).log.length, 2);
}

export async function a_non_player_tries_again() {
  const { world } = await seated({ seats: [npc(), user("alice")] });
  failing(world, 1);
  await world.elapse(100);
  assert.deepEqual([first(world).log.length, world.gm.reports.length], [0, 1]);
  await world.elapse(10_000);
  assert.equal(first(world).log.length > 0, true);
  world.gm.host.set = () => Promise.reject(new Error("no connection"));
  await world.elapse(100_000);
  assert.equal(world.gm.reports.length, 4); // three times, and no more
}

export async function an_assistant_s_cards_are_the_player_s_where_that_is_allowed() {
  const permissions = { SPEAK_FOR_OTHERS: true };
  const { world } = await seated({
    game: "column-race",
    people: { gm: [ROLES.ASSISTANT, { permissions }], alice: 1, bob: 1 },
  });
  const seen = () =>
    cards(world, "turn").map(({ author, speaker, rolls }) => `${author.id} ${speaker.alias} ${rolls.length}`);
  await throwing(world, 1);
  assert.deepEqual(seen(), ["alice alice 1"]);
  assert.deepEqual(world.denied, []);
  permissions.SPEAK_FOR_OTHERS = false;
  for (const place of [1, 0]) assert.equal(await act(world, place), null); // Alice throws again
  assert.deepEqual(seen(), ["alice alice 1", "gm alice 1"]);
  assert.equal(world.denied.length, 2);
}

export async function players_throw_at_their_screens_and_the_game_master_for_who_is_away() {
  const { world } = await seated({ settings: { trusting: true } });
  await act(world);
  await world.gm.tables.move(first(world), null); // for Alice
  await world.quiet();
  assert.equal(first(world).log.length, 2);
  assert.equal(
    cards(world, "turn").every(({ flags }) => flags.tavern.thrown === undefined),
    true,
  );
  await ask(world.gm, "undo", { table: first(world).id });
  await world.alice.tables.move(first(world), null);
  await world.quiet();
  assert.equal(first(world).log.length, 2);
  assert.deepEqual(
    cards(world, "turn").map(({ author, flags }) => [author.id, flags.tavern.thrown ?? false]),
    [
      ["alice", false],
      ["alice", true],
    ],
  );
}
