// Tables of sizes that nobody solved: any number of seats and any values that the rules allow, without advice and odds.

import assert from "node:assert/strict";

import { potPayoffText } from "../../site/foundry/money/stakes.mjs";
import { PracticeGame } from "../../site/foundry/play/practice.mjs";
import { settingOfSlug, slugOfSetting } from "../../site/runtime/table/settings.mjs";
import { ROLES } from "./double.mjs";
import { act, ask, asked, byHand, coinless, enter, first, npc, stage, toTheEnd, user } from "./stage.mjs";

const cards = (world, kind) => [...world.messages.values()].filter(({ flags }) => flags.tavern.card === kind);
const details = (game, setting, seats, more = {}) => ({ game, setting, stake: 0, advice: "nobody", seats, ...more });

/** A table of a size that nobody solved, for these people and non-players; begun. */
async function opened(game, setting, seats, more = {}) {
  const world = await stage();
  assert.equal(await ask(world.gm, "create", details(game, setting, seats, more)), null);
  const { id } = first(world);
  for (const [seat, { user: held }] of seats.entries())
    if (held) assert.equal(await ask(world[held], "join", { table: id, seat }), null);
  if (first(world).phase === "lobby") assert.equal(await ask(world.gm, "start", { table: id }), null);
  return world;
}

export async function any_size_that_the_rules_allow_is_played_to_its_end() {
  const transcripts = [];
  const sizes = [
    ["pig", "=2 target=20", 2],
    ["pig", "=4 target=12", 4],
    ["rogues-gambit", "=3 coins_each=3 full_belly=hungry", 3],
    ["left-centre-right", "=3 coins_each=1", 3],
    ["piglet", "=2 may_wait=true", 2],
  ];
  for (const [game, setting, seats] of sizes) {
    const players = [user("alice"), ...Array.from({ length: seats - 1 }, (_, i) => npc(i))];
    const world = await stage({ people: { gm: ROLES.GM, alice: 1 } });
    const book = await world.gm.tables.library.playFile(game);
    const skills = settingOfSlug(book, setting).opponents.length;
    const body = details(
      game,
      setting,
      players.map((one) => ({ ...one, skill: one.skill % skills })),
    );
    assert.equal(await ask(world.alice, "create", body), null, setting);
    await toTheEnd(world);
    const record = first(world);
    assert.equal(record.setting, setting);
    const { loadedGame: ready } = await world.alice.tables.position(record);
    assert.deepEqual([ready.policy, ready.values, ready.game.seats], [null, null, seats]);
    const told = await world.alice.tables.transcript(record);
    assert.equal(told.seats, seats);
    transcripts.push(told);
  }
  return transcripts;
}

export async function stakes_undo_reloads_and_rematches_work_at_any_size() {
  const seats = [user("alice"), user("bob"), user("alice")];
  const world = await opened("pig", "=3 target=20", seats, { stake: 5 });
  for (let step = 0; step < 5; step++) assert.equal(await act(world, 1), null);
  const { log, id } = first(world);
  for (const who of ["gm", "alice"]) enter(world[who]); // everything begins anew
  await world.quiet();
  assert.equal((await world.alice.tables.position(first(world))).moves.length, 5);
  assert.equal(await ask(world.gm, "undo", { table: id }), null);
  assert.deepEqual(first(world).log, log.slice(0, -1));
  await toTheEnd(world);
  assert.equal(
    ["alice", "bob"].reduce((sum, who) => sum + world.gm.tables.chipsOf(who), 0),
    200,
  );
  assert.equal(await ask(world.gm, "rematch", { table: id }), null);
  const next = world.gm.tables.all().at(-1);
  assert.deepEqual([next.setting, next.seats.length, next.phase], ["=3 target=20", 3, "lobby"]);
  assert.equal(await ask(world.gm, "hand", { table: next.id, seat: 2, skill: 99 }), "seats");
  assert.equal(await ask(world.gm, "hand", { table: next.id, seat: 2, skill: 1 }), null);
  return [await world.bob.tables.transcript(first(world))];
}

export async function a_size_that_is_solved_is_used_as_such() {
  const world = await stage();
  const book = await world.gm.tables.library.playFile("piglet");
  assert.equal(slugOfSetting(book, 2, { target: 2, bend: 3 }), "one");
  for (const setting of ["=2 target=2 bend=3", "=2 bend=3 target=2", "=2 target=2 bend=3 may_wait=false"])
    assert.equal(await ask(world.gm, "create", details("piglet", setting, [npc(), npc()])), null);
  assert.deepEqual(
    world.gm.tables.all().map(({ setting }) => setting),
    ["one", "one", "one"],
  );
  assert.equal(await ask(world.gm, "create", details("piglet", "=02 bend=3 target=9 target=5", [npc(), npc()])), null);
  assert.equal(world.gm.tables.all().at(-1).setting, "=2 bend=3 target=5"); // written in one way
}

export async function a_size_that_the_rules_do_not_allow_is_refused() {
  const world = await stage();
  const before = JSON.stringify(world.settings.get("tables") ?? null);
  const wrong = [
    "=",
    "=0",
    "=99",
    "=-2",
    "=2.5",
    "=x",
    "=2 target=1000",
    "=2 target=",
    "=2 target=x",
    "=2 nothing=1",
    "=2 __proto__=1",
    "=2 constructor=1",
    "=2 seats=3",
    "=2 target=true",
    "2 target=5",
    "",
    "one ",
    "__proto__",
    "= 2",
  ];
  for (const setting of wrong)
    assert.equal(await ask(world.alice, "create", details("pig", setting, [user("alice"), npc()])), "game", setting);
  assert.equal(await ask(world.alice, "create", details("pig", "=3 target=20", [user("alice"), npc()])), "seats");
  assert.equal(
    await ask(world.alice, "create", details("pig", `=2 target=5${" ".repeat(500)}`, [user("alice"), npc()])),
    "action",
  );
  assert.deepEqual(world.gm.reports, []); // refused, and not by a fault
  assert.equal(JSON.stringify(world.settings.get("tables") ?? null), before);
}

export async function a_size_at_which_the_rules_break_is_refused() {
  const world = await stage();
  const book = await world.gm.tables.library.playFile("pig");
  book.bundle.parameters.target.max = null; // as in rules that forgot to say how much is too much
  book.bundle.lists.steps = { from: ["call", "span", 1, ["parameter", "target"]] };
  const broken = (target) => ask(world.alice, "create", details("pig", `=2 target=${target}`, [user("alice"), npc()]));
  assert.equal(await broken(9000), null);
  assert.equal(await broken(90_000), "game");
  book.bundle.end_when = true;
  assert.equal(await broken(50), "game"); // over before it begins
  assert.deepEqual(world.gm.reports, []);
}

export async function whoever_thinks_of_sizes_fills_no_memory() {
  const world = await stage();
  const { library } = world.gm.tables;
  for (let target = 6; target <= 100; target++)
    for (const seats of [2, 3, 4]) await library.openSetting("pig", `=${seats} target=${target}`);
  assert.ok(library.held.size <= 200);
  assert.equal((await library.openSetting("piglet", "one")).setting.slug, "one");
}

export async function one_practises_at_any_size() {
  const world = await stage();
  for (const [setting, other] of [
    ["one", "Best play"],
    ["=3 target=20", "Hold at 5"],
  ]) {
    const practice = new PracticeGame(await world.alice.tables.library.openSetting("pig", setting));
    for (let step = 0; step < 2000 && !practice.table.isOver; step++)
      practice.act(practice.actions ? step % practice.actions.length : null);
    assert.ok(practice.table.isOver, setting);
    assert.equal(practice.names[1], `Player 2 (${other})`);
  }
}

export async function what_the_pot_goes_by_is_told_where_advice_is_for_something_else() {
  const { library } = (await stage({ prepare: (world) => coinless(world, "rogues-gambit") })).gm.tables;
  const told = async (game, slug) => potPayoffText(await library.openSetting(game, slug));
  assert.equal(
    await told("rogues-gambit", "one"),
    "The pot is paid out by “win”, but advice and odds are for “coins”.",
  );
  assert.equal(await told("rogues-gambit", "=3"), "The pot is paid out by “win”.");
  for (const game of ["piglet", "craps", "dragons-hoard"]) assert.equal(await told(game, "one"), "");
}

// --- what lasts, and what waits

export async function the_end_is_told_in_words_that_outlast_the_module() {
  const world = await opened("piglet", "one", [user("alice"), user("bob")], { stake: 5, advice: "gm" });
  await toTheEnd(world);
  const [{ content }] = cards(world, "end");
  const winner = world.gm.tables.chipsOf("alice") > 100 ? "alice" : "bob";
  assert.ok(content.includes(`${winner} wins`), content);
  const broken = await opened("piglet", "one", [user("alice"), user("bob")], { stake: 5, advice: "gm" });
  assert.equal(await ask(broken.gm, "close", { table: first(broken).id }), null);
  assert.match(cards(broken, "end")[0].content, /broken off; stakes went back/);
}

export async function what_waited_until_it_counts_as_lost_is_not_done() {
  const world = await stage();
  let go;
  void world.gm.tables.net.runInTurn(() => new Promise((done) => (go = done))); // the game master's machine is busy
  const body = details("piglet", "one", [user("bob"), user(null)]);
  const bob = asked(world.bob, "create", body);
  await world.elapse(8000);
  assert.equal(bob.answer, "slow");
  assert.equal(await ask(world.bob, "create", body), "pending"); // he tries again
  await world.elapse(1000);
  go();
  await world.quiet();
  assert.equal(world.gm.tables.all().length, 1);
}

export async function other_tables_go_on_while_dice_are_thrown_by_hand() {
  const world = await opened("piglet", "one", [user("alice"), user("bob")]);
  await act(world);
  const dice = byHand(world);
  const { id, rev } = first(world);
  const alice = asked(world.alice, "act", { table: id, rev, action: null });
  await world.quiet();
  assert.equal(await ask(world.alice, "act", { table: id, rev, action: null }), "dice"); // one throw is enough
  assert.equal(await ask(world.bob, "create", details("piglet", "one", [user("bob"), npc()])), null);
  assert.deepEqual([alice.answer, first(world).log.length, cards(world, "turn").length], ["pending", 1, 0]);
  const { set } = world.gm.host;
  let write;
  world.gm.host.set = (...given) => new Promise((done) => (write = () => done(set(...given))));
  assert.equal(await ask(world.alice, "create", details("piglet", "one", [user("alice"), npc()])), "pending");
  world.gm.host.set = set;
  dice.land(); // while something else is written
  await world.quiet();
  write();
  await world.quiet();
  assert.deepEqual([alice.answer, first(world).log.length, cards(world, "turn").length], [null, 2, 1]);
  assert.equal(world.gm.tables.all().length, 3);
}

export async function a_non_player_asks_once_for_dice_that_are_thrown_by_hand() {
  const world = await opened("piglet", "one", [npc(), user("bob")]);
  await world.elapse(100); // it tosses
  const dice = byHand(world);
  await world.elapse(100);
  world.gm.tables.resumePending(); // somebody comes
  await world.elapse(20_000);
  assert.deepEqual([dice.asked, world.gm.reports], [1, []]);
  dice.land();
  await world.quiet();
  assert.equal(first(world).log.length, 2);
}

export async function dice_of_a_move_that_was_taken_back_count_for_nothing() {
  const world = await opened("piglet", "one", [user("alice"), user("bob")]);
  await act(world);
  const dice = byHand(world);
  const { id, rev } = first(world);
  const alice = asked(world.alice, "act", { table: id, rev, action: null });
  await world.quiet();
  assert.equal(await ask(world.gm, "undo", { table: id }), null);
  dice.land();
  await world.quiet();
  assert.deepEqual([alice.answer, first(world).log.length, cards(world, "turn").length], ["stale", 0, 0]);
  assert.equal(world.gm.tables.authority.rolling.size, 0);
}
