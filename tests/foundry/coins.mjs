// Stakes in the coins of the game: who pays in what, who leaves with what, and what it has to do with the odds.

import assert from "node:assert/strict";

import { act, ask, first, npc, paying, purses, seated, stage, toTheEnd, user } from "./stage.mjs";

const gambit = (more) => ({ game: "rogues-gambit", setting: "one", stake: 0, advice: "gm", ...more });
const ends = (world) => [...world.messages.values()].filter(({ flags }) => flags.tavern.card === "end");

export async function everybody_leaves_with_the_coins_of_the_game() {
  const seen = new Set();
  for (let seed = 1; seed <= 4; seed++) {
    const { world } = await seated({ game: "rogues-gambit", stake: 18, advice: "gm", seed }); // six coins at three chips
    assert.deepEqual(purses(world, "alice", "bob"), [82, 82]);
    await toTheEnd(world);
    const { loadedGame: ready, state } = await world.gm.tables.position(first(world));
    assert.equal(ready.setting.objective, "coins"); // which advice and odds are for
    const coins = ready.rules.payoffs(state, "coins").map(Number);
    assert.deepEqual(
      purses(world, "alice", "bob"),
      coins.map((own) => 82 + 3 * own),
    );
    assert.equal(coins[0] + coins[1], 12);
    const text = ends(world)[0].content.replace(/<[^>]*>/g, "");
    assert.doesNotMatch(text, /pot/i);
    for (const [seat, name] of ["alice", "bob"].entries()) {
      const got = 3 * coins[seat] - 18;
      const wanted = got
        ? `${name} has ${got > 0 ? "won" : "lost"} ${Math.abs(got)} chips.`
        : `${name} has neither won`;
      assert.ok(text.includes(wanted), text);
      seen.add(Math.sign(got));
    }
  }
  assert.ok(seen.has(1) && seen.has(-1));
}

export async function only_whole_coins_are_staked() {
  const world = await stage();
  const seats = [user("alice"), user("bob")];
  for (const stake of [1, 5, 7, 11]) assert.equal(await ask(world.alice, "create", gambit({ seats, stake })), "stake");
  for (const stake of [0, 6, 12]) assert.equal(await ask(world.alice, "create", gambit({ seats, stake })), null);
  assert.equal(await ask(world.gm, "create", gambit({ seats, stake: 10, setting: "=2 coins_each=5" })), null);
  assert.equal(await ask(world.gm, "create", gambit({ seats, stake: 12, setting: "=2 coins_each=5" })), "stake");
}

export async function coins_that_stay_with_nobody_are_nobody_s() {
  let left = 0;
  for (let seed = 1; seed <= 40 && !left; seed++) {
    const world = await stage({ seed });
    const setting = "=2 coins_each=6 full_belly=hungry"; // everybody may drop out, and the hoard stays
    await ask(world.gm, "create", gambit({ seats: [npc(1), user("gm")], setting, stake: 6 }));
    assert.deepEqual(purses(world, "gm"), [94]);
    for (let step = 0; step < 300 && first(world).phase === "play"; step++)
      if (first(world).mover === 0) await world.elapse(100);
      else await act(world, 1);
    const { loadedGame: ready, state } = await world.gm.tables.position(first(world));
    const coins = ready.rules.payoffs(state, "coins").map(Number);
    assert.deepEqual(purses(world, "gm"), [94 + coins[1]]);
    left += 12 - coins[0] - coins[1];
  }
  assert.ok(left > 0);
}

export async function coins_of_the_game_are_coins_of_characters() {
  const { world, gold } = await paying("path", undefined, {}, [20, 20]);
  assert.equal(await ask(world.gm, "create", gambit({ seats: [user("alice"), user("bob")], stake: 12 })), null);
  const { id } = first(world);
  for (const [seat, who] of ["alice", "bob"].entries())
    assert.equal(await ask(world[who], "join", { table: id, seat }), null);
  assert.deepEqual(gold(), [8, 8]);
  assert.equal(await ask(world.gm, "start", { table: id }), null);
  await toTheEnd(world);
  const { loadedGame: ready, state } = await world.gm.tables.position(first(world));
  assert.deepEqual(
    gold(),
    ready.rules.payoffs(state, "coins").map((own) => 8 + 2 * Number(own)),
  );
  assert.equal(await ask(world.gm, "undo", { table: id }), null);
  assert.deepEqual(gold(), [8, 8]);
}

export async function a_game_for_the_win_has_a_pot() {
  const { world } = await seated({ game: "left-centre-right", stake: 7, advice: "gm" });
  await toTheEnd(world);
  assert.deepEqual(purses(world, "alice", "bob").sort(), [107, 93]);
}
