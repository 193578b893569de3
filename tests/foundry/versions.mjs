// What an older version of the module has written is read on, and what a newer one has written is left alone.

import assert from "node:assert/strict";

import { VERSION } from "../../site/foundry/world/shapes.mjs";
import { act, arrive, ask, first, seated, stage, toTheEnd, user } from "./stage.mjs";

/** The world's record as version 1 wrote it. */
function aged(world) {
  for (const key of ["tables", "rested"]) {
    const kept = world.settings.get(key);
    if (!kept) continue;
    if (key === "tables") kept.v = 1;
    for (const table of Object.values(kept.tables ?? kept)) {
      table.v = 1;
      delete table.house;
      delete table.keeper;
    }
  }
}

/** A new table without stakes, with one seat free. */
const opened = (client, name) =>
  ask(client, "create", { game: "piglet", setting: "one", stake: 0, advice: "gm", seats: [user(name), user(null)] });

export async function a_game_of_the_version_before_goes_on() {
  const { world, id } = await seated({ stake: 5, advice: "gm" });
  await act(world);
  aged(world);
  for (const who of ["gm", "alice", "bob"]) await arrive(world[who]); // the module was updated, and everybody comes back
  await world.quiet();
  assert.deepEqual(
    [first(world).v, first(world).house, first(world).keeper, first(world).log.length],
    [VERSION, "", null, 1],
  );
  assert.equal(await act(world), null);
  const kept = world.settings.get("tables");
  assert.deepEqual([kept.v, kept.tables[id].v, kept.tables[id].house], [VERSION, VERSION, ""]);
  await toTheEnd(world);
  assert.equal(await ask(world.gm, "rematch", { table: id }), null);
}

export async function a_table_of_the_version_before_that_rests_can_be_taken_back() {
  const { world, id } = await seated({ stake: 5, advice: "gm" });
  await toTheEnd(world);
  await opened(world.alice, "alice");
  assert.ok(Object.hasOwn(world.settings.get("rested"), id));
  aged(world);
  await arrive(world.gm);
  await world.quiet();
  assert.equal(await ask(world.gm, "undo", { table: id }), null);
  assert.equal(first(world).phase, "play");
}

export async function nothing_is_written_over_what_a_newer_version_wrote() {
  const world = await stage();
  await opened(world.gm, "bob");
  world.settings.get("tables").v = VERSION + 1;
  const before = JSON.stringify([...world.settings]);
  const { id } = first(world);
  assert.equal(await ask(world.bob, "join", { table: id, seat: 0 }), "newer");
  assert.equal(await ask(world.gm, "close", { table: id }), "newer");
  assert.equal(JSON.stringify([...world.settings]), before);
}
