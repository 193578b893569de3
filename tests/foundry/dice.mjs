// Dice: where they come from, how they are read, and whose are believed.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";

import { rollFormula, rolledValue } from "../../site/foundry/tables/throws.mjs";
import { act, first, npc, seated, toTheEnd } from "./stage.mjs";

export async function dice_come_from_the_tabletop_alone() {
  const scripts = ["../../site/foundry/", "../../site/runtime/"].map((path) => new URL(path, import.meta.url));
  for (const folder of scripts)
    for (const name of readdirSync(folder, { recursive: true }).filter((one) => one.endsWith(".mjs"))) {
      const source = readFileSync(new URL(name, folder), "utf8");
      assert.doesNotMatch(source, /Math\.random|\beval\(|new Function|XMLHttpRequest|sendBeacon|WebSocket/, name);
      if (name !== "world/host.mjs") assert.doesNotMatch(source, /\bfetch\(/, name);
    }
  const { random } = Math;
  Math.random = () => assert.fail("no such chance");
  try {
    const { world } = await seated({ game: "pig", seats: [npc(1), npc(1), npc(2)] });
    await toTheEnd(world);
    const { log, draws } = first(world);
    const thrown = log.filter((entry) => "throw" in entry);
    assert.equal(world.formulas.length, thrown.length + draws.length);
    assert.ok(draws.length && draws.every(({ formula, total }) => formula.startsWith("1d") && total >= 1));
  } finally {
    Math.random = random;
  }
}

export async function dice_are_read_strictly() {
  const die = (name, kind, weights) => ({ name, kind, faces: weights.map((_, i) => i + 1), weights });
  const hand = {
    name: "hand",
    dice: [
      [2, die("d6", 0, [1, 1, 1, 1, 1, 1])],
      [0, die("d8", 1, Array(8).fill(1))],
      [1, die("bent", 2, [1, 3, 0, 1])],
    ],
  };
  const bag = {
    name: "drawn",
    items: [
      ["red", 2],
      ["black", 3],
    ],
  };
  assert.deepEqual(
    [rollFormula(hand), rollFormula(bag), rollFormula({ name: "none", dice: [[0, hand.dice[0][1]]] })],
    ["2d6 + 1d5", "1d5", ""],
  );
  const cast = (formula, ...dice) => ({
    roll: null,
    total: 0,
    formula,
    dice: dice.map(([faces, ...results]) => ({ faces, results })),
  });
  const shown = (side) =>
    rolledValue(hand, cast("2d6 + 1d5", [6, 5, 2], [5, side])).dice.find(([, kind]) => kind === 2)[0];
  assert.deepEqual([1, 2, 3, 4, 5].map(shown), [1, 2, 2, 2, 4]);
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((side) => rolledValue(bag, cast("1d5", [5, side]))),
    ["red", "red", "black", "black", "black"],
  );
  assert.deepEqual(rolledValue({ name: "none", dice: [] }, null).dice, []);
  const bad = [
    null,
    cast("1d6 + 2d5", [6, 5, 2], [5, 1]),
    cast("2d6 + 1d5", [6, 5], [5, 1]),
    cast("2d6 + 1d5", [6, 5, 2, 1], [5, 1]),
    cast("2d6 + 1d5", [6, 5, 2]),
    cast("2d6 + 1d5", [6, 5, 2], [6, 1]),
    cast("2d6 + 1d5", [6, 0, 2], [5, 1]),
    cast("2d6 + 1d5", [6, 7, 2], [5, 1]),
    cast("2d6 + 1d5", [6, 1.5, 2], [5, 1]),
    cast("2d6 + 1d5", [6, "5", 2], [5, 1]),
    cast("2d6 + 1d5", [6, 5, 2], [5, 1], [6, 1]),
  ];
  for (const [place, one] of bad.entries()) assert.throws(() => rolledValue(hand, one), /refused.action/, `${place}`);
}

export async function own_dice_are_trusted_only_as_they_are_due() {
  const { world, id } = await seated({ settings: { trusting: false } });
  await act(world);
  const { Roll, ChatMessage } = world.alice.globals;
  const post = async (
    client,
    formula,
    { dice, flags = {}, more = [], twice = false, formula: claimed = formula } = {},
  ) => {
    const roll = await new Roll(formula).evaluate();
    roll.formula = claimed;
    if (dice) roll.dice = dice;
    const { rev } = first(world);
    const made = await client.globals.ChatMessage.create({
      rolls: [roll, ...more],
      flags: { tavern: { table: id, rev, thrown: true, ...flags } },
    });
    if (twice) for (const heard of world.gm.hooks.get("createChatMessage")) heard(made, {}, client.id);
    await world.quiet();
  };
  const log = () => first(world).log.length;
  await post(world.alice, "1d4");
  assert.equal(log(), 1); // not trusted
  world.settings.set("trusting", true);
  await post(world.bob, "1d4"); // not his turn
  await post(world.gm, "1d4"); // not even the game master
  for (const formula of ["1d6", "2d4", "1d4 + 1d4", "1d2"]) await post(world.alice, formula);
  await post(world.alice, "1d4", { formula: "2d4kh" }); // the better of two
  await post(world.alice, "1d4", { dice: [{ faces: 4, results: [{ result: 7, active: true }] }] });
  await post(world.alice, "1d4", {
    dice: [
      {
        faces: 4,
        results: [
          { result: 4, active: true },
          { result: 4, active: true },
        ],
      },
    ],
  });
  await post(world.alice, "1d4", { dice: [{ faces: 4, results: [{ result: 2.5, active: true }] }] });
  await post(world.alice, "1d4", { more: [await new Roll("1d4").evaluate()] });
  await post(world.alice, "1d4", { flags: { rev: first(world).rev - 1 } });
  await post(world.alice, "1d4", { flags: { thrown: "yes" } });
  await post(world.alice, "1d4", { flags: { table: "__proto__" } });
  await ChatMessage.create({ rolls: [], flags: { tavern: { table: id, rev: first(world).rev, thrown: true } } });
  for (const heard of world.gm.hooks.get("createChatMessage"))
    // a message of Alice's that the server got from Bob
    heard(
      {
        id: "x",
        author: world.alice.user,
        flags: { tavern: { table: id, rev: first(world).rev, thrown: true } },
        rolls: [await new Roll("1d4").evaluate()],
      },
      {},
      "bob",
    );
  await world.quiet();
  assert.equal(log(), 1);
  await post(world.alice, "1d4", { twice: true, dice: [{ faces: 4, results: [{ result: 3, active: true }] }] });
  assert.equal(log(), 2); // once
  assert.deepEqual(first(world).log[1].throw, [["flip", { hand: [["coin", 1]] }]]);
  await act(world);
  if (!(await world.gm.tables.position(first(world))).actions && first(world).mover === 0) {
    const before = log();
    await world.alice.tables.move(first(world, world.alice), null);
    await world.quiet();
    assert.equal(log(), before + 1);
  }
}
