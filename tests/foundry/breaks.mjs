// Sizes at which the rules break in mid-play: nobody throws again for money, the table is broken off and stakes go
// back.

import assert from "node:assert/strict";

import { act, ask, byHand, enter, first, npc, purses, stage, user } from "./stage.mjs";

const cards = (world, kind) => [...world.messages.values()].filter(({ flags }) => flags.tavern.card === kind);
const plain = ({ content }) => content.replace(/<[^>]*>/g, "");
const shown = (world) => [...world.messages.values()].flatMap(({ rolls }) => rolls).length;
const thrown = (world) => first(world).log.filter((entry) => "throw" in entry).length;
const STUCK = "The rules do not go on from here at this size of the game.";

/** The variable of a bundle by its name. */
const variable = (bundle, name) => bundle.state.find(([one]) => one === name)[1];

/** Pig at a size that nobody solved, by rules that were changed at every screen; begun. */
async function opened(change, seats = [user("alice"), user("bob")], { stake = 5, seed = 1, settings = {} } = {}) {
  const world = await stage({ seed, settings });
  for (const { tables } of world.clients) change((await tables.library.playFile("pig")).bundle);
  assert.equal(
    await ask(world.gm, "create", { game: "pig", setting: "=2 target=20", stake, seats, advice: "nobody" }),
    null,
  );
  const { id } = first(world);
  for (const [seat, { user: held }] of seats.entries())
    if (held) assert.equal(await ask(world[held], "join", { table: id, seat }), null);
  if (first(world).phase === "lobby") assert.equal(await ask(world.gm, "start", { table: id }), null);
  return world;
}

/** What is so wherever the rules broke: nothing counts that nobody saw, nobody saw what does not count, and nobody has
 * lost. */
async function isBrokenOff(world, unseen = 0) {
  const { id, phase, stuck } = first(world);
  assert.deepEqual([phase, stuck, shown(world) - thrown(world)], ["over", true, unseen]);
  assert.deepEqual(purses(world, "alice", "bob"), [100, 100]);
  assert.deepEqual([world.gm.reports, world.denied], [[], []]);
  const [card, ...more] = cards(world, "end");
  assert.deepEqual(more, []);
  assert.ok(plain(card).startsWith(`Pig. ${STUCK} The game was broken off`), card.content);
  await world.elapse(60_000); // nobody tries again
  assert.equal(shown(world) - thrown(world), unseen);
  assert.equal(await ask(world.alice, "act", { table: id, action: null }), "phase");
  assert.equal(await ask(world.gm, "undo", { table: id }), "undo");
  // It can still be looked at.
  for (const { tables } of world.clients) assert.ok((await tables.position(first(world))).state.phase);
  enter(world.bob);
  await world.quiet();
  assert.equal(first(world, world.bob).stuck, true);
  return plain(card);
}

/** Acts until the table is over: throws, and the option at a place. */
async function played(world, place) {
  for (let step = 0; step < 50 && first(world).phase === "play"; step++) assert.equal(await act(world, place), null);
}

export async function a_throw_that_the_rules_cannot_take_breaks_the_table_off() {
  for (let seed = 1; seed <= 3; seed++) {
    const world = await opened((bundle) => (variable(bundle, "pot").max = 3), undefined, { seed });
    await played(world, 1);
    assert.ok(
      (await isBrokenOff(world)).endsWith("; stakes went back. 5 chips went back to alice. 5 chips went back to bob."),
    );
  }
}

export async function a_choice_that_the_rules_cannot_take_breaks_the_table_off() {
  const world = await opened((bundle) => (variable(bundle, "score").max = 1));
  await played(world, 0);
  assert.ok("throw" in first(world).log.at(-1));
  await isBrokenOff(world);
}

export async function a_throw_after_which_nobody_can_choose_breaks_the_table_off() {
  const world = await opened((bundle) =>
    bundle.phases.decide.entries.forEach((one) => (one.when = ["<", ["state", "pot"], 3])),
  );
  await played(world, 1);
  await isBrokenOff(world);
}

export async function an_end_that_pays_nothing_that_is_a_number_breaks_the_table_off() {
  const nothing = ["//", 1, ["-", ["state", "visits", ["seat"]], ["state", "visits", ["seat"]]]];
  const world = await opened((bundle) => (bundle.payoffs[1][1].value = nothing));
  await played(world, 0);
  assert.ok("throw" in first(world).log.at(-1)); // what would have ended it is not written down
  await isBrokenOff(world);
}

export async function rules_that_break_between_two_throws_break_the_table_off() {
  const more = { dice: [[["-", 0, 1], "d6"]], kept: false, kind: "roll", name: "more" };
  const change = (bundle) => bundle.phases.throw.throws.push(more);
  const world = await opened(change);
  await played(world, 0);
  assert.deepEqual([world.formulas, first(world).log], [["1d6"], []]);
  await isBrokenOff(world);
  const trusting = await opened(change, undefined, { settings: { trusting: true } });
  await trusting.alice.tables.move(first(trusting), null); // at her own screen, where everybody sees it
  await trusting.quiet();
  await isBrokenOff(trusting, 1);
}

export async function a_player_who_throws_at_his_screen_does_not_throw_again_either() {
  const world = await opened((bundle) => (variable(bundle, "pot").max = 1), undefined, {
    settings: { trusting: true },
    seed: 2,
  });
  for (let step = 0; step < 50 && first(world).phase === "play"; step++) {
    const { actions } = await world.gm.tables.position(first(world));
    await world[first(world).seats[first(world).mover].user].tables.move(first(world), actions && 0);
    await world.quiet();
  }
  await isBrokenOff(world, 1);
}

export async function non_players_do_not_throw_again_either() {
  for (const change of [
    (bundle) => (variable(bundle, "pot").max = 3),
    (bundle) => (variable(bundle, "score").max = 1),
  ]) {
    const world = await opened(change, [npc(0), npc(1)], { stake: 0 });
    for (let step = 0; step < 50 && first(world).phase === "play"; step++) await world.elapse(100);
    assert.equal(await isBrokenOff(world), `Pig. ${STUCK} The game was broken off.`); // nothing was staked
  }
}

export async function a_throw_of_a_non_player_that_a_person_overtakes_is_no_fault() {
  for (const overtake of ["undo", "hand", "close"]) {
    const world = await opened(() => {}, [user("alice"), npc(0)]);
    while (first(world).mover === 0) assert.equal(await act(world, 0), null);
    const dice = byHand(world);
    await world.elapse(100);
    assert.equal(
      await ask(world.gm, overtake, { table: first(world).id, ...(overtake === "hand" ? { seat: 1, skill: 1 } : {}) }),
      null,
    );
    const { length } = first(world).log;
    dice.stop();
    dice.land();
    await world.quiet();
    assert.deepEqual([world.gm.reports, first(world).log.length], [[], length], overtake);
  }
}
