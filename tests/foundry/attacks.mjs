// A player who means harm: names and pictures that weigh on everybody, cards and payments without end, marks in names.

import assert from "node:assert/strict";

import { ROLES } from "./double.mjs";
import { act, ask, first, paying, purses, seated, stage, states, toTheEnd, user } from "./stage.mjs";

const piglet = (seats, more = {}) => ({ game: "piglet", setting: "one", stake: 0, advice: "gm", seats, ...more });
const last = (world) => world.gm.tables.all().at(-1);
const cards = (world, kind) => [...world.messages.values()].filter(({ flags }) => flags.tavern.card === kind);

export async function long_names_and_pictures_as_data_weigh_on_nobody() {
  const long = "\u{1F3B2}".repeat(100_000);
  const prepare = (world) => {
    world.actor("Sir", ["alice"], {}, { name: long, img: `data:image/png;base64,${"A".repeat(200_000)}` });
    world.actor("Page", ["alice"], {}, { img: `${"a/".repeat(1000)}page.webp` });
    world.actor("Maid", ["alice"], {}, { img: "worlds/inn/maid.webp" });
  };
  const people = {
    gm: ROLES.GM,
    alice: [ROLES.PLAYER, { name: long, character: { uuid: "Actor.sir" } }],
    bob: ROLES.PLAYER,
  };
  const { world } = await seated({
    people,
    prepare,
    stake: 5,
    seats: [user("alice", { actor: "Actor.sir" }), user("bob")],
  });
  const [seat] = first(world).seats;
  assert.deepEqual([seat.name, seat.img], ["\u{1F3B2}".repeat(80), ""]);
  await toTheEnd(world);
  for (const uuid of ["Actor.page", "Actor.maid"])
    assert.equal(await ask(world.alice, "create", piglet([user("alice", { actor: uuid }), user(null)])), null);
  const pictures = world.gm.tables
    .all()
    .slice(1)
    .map(({ seats }) => seats[0].img);
  assert.deepEqual(pictures, ["", "worlds/inn/maid.webp"]);
  assert.equal(await ask(world.gm, "purse", { user: "alice", was: purses(world, "alice")[0], amount: 7 }), null);
  assert.ok(world.heaviest < 20_000, `${world.heaviest}`);
  for (const { content, flags } of world.messages.values()) assert.ok(JSON.stringify([content, flags]).length < 5000);
}

export async function a_player_opens_tables_only_so_often_and_leaves_no_invitations() {
  const world = await stage();
  const { alice, bob, gm } = world;
  const opens = async (who) => {
    const answer = await ask(who, "create", piglet([user(who.id), user(null)]));
    if (answer === null) assert.equal(await ask(who, "close", { table: last(world).id }), null);
    world.time += 1000;
    return answer;
  };
  for (let table = 0; table < 6; table++) assert.equal(await opens(alice), null);
  const writes = world.writes;
  for (let table = 0; table < 20; table++) assert.equal(await opens(alice), "many");
  assert.equal(world.writes, writes);
  assert.deepEqual([await opens(bob), await opens(gm)], [null, null]); // nobody pays for another
  assert.equal(world.messages.size, 0);
  world.time += 600_000;
  assert.equal(await opens(alice), null);
  assert.deepEqual(world.denied, []);
}

export async function the_invitation_to_a_table_that_was_played_at_stays() {
  const { world, id } = await seated();
  await act(world);
  for (let close = 0; close < 2; close++) assert.equal(await ask(world.gm, "close", { table: id }), null);
  assert.equal(cards(world, "invitation").length, 1);
}

export async function a_card_that_cannot_be_taken_away_stops_nothing() {
  const world = await stage();
  assert.equal(await ask(world.alice, "create", piglet([user("alice"), user(null)])), null);
  world.gm.globals.game.messages.get = () => ({ delete: () => Promise.reject(new Error("no connection")) });
  assert.equal(await ask(world.alice, "close", { table: first(world).id }), null);
  assert.deepEqual([world.gm.tables.all(), world.gm.reports], [[], []]);
}

export async function who_sits_down_and_leaves_again_fills_no_ledger() {
  const world = await stage({ people: { gm: ROLES.GM, alice: 1, bob: 1, poor: 1 } });
  await ask(world.gm, "create", piglet([user("bob"), user(null)], { stake: 40 }));
  const { id } = first(world);
  assert.equal(await ask(world.alice, "join", { table: id, seat: 1 }), null);
  assert.equal(await ask(world.bob, "join", { table: id, seat: 0 }), null);
  for (let round = 0; round < 120; round++) {
    assert.equal(await ask(world.alice, "leave", { table: id, seat: 1 }), null);
    assert.equal(await ask(world.alice, "join", { table: id, seat: 1 }), null);
    world.time += 1000;
  }
  assert.deepEqual(
    states(world).map((one) => one.split(" ").slice(2).join(" ")),
    ["-40 done", "-40 done"],
  );
  assert.equal(new Set(first(world).chips.payments.map(({ key }) => key)).size, 2);
  assert.deepEqual(purses(world, "alice", "bob"), [60, 60]);
  assert.equal(await ask(world.alice, "leave", { table: id, seat: 1 }), null);
  assert.equal(await ask(world.gm, "purse", { user: "poor", was: 100, amount: 39 }), null);
  for (let round = 0; round < 120; round++) {
    assert.equal(await ask(world.poor, "join", { table: id, seat: 1 }), "funds");
    world.time += 1000;
  }
  assert.equal(first(world).chips.payments.length, 1);
  assert.equal(await ask(world.alice, "join", { table: id, seat: 1 }), null);
  assert.equal(await ask(world.gm, "start", { table: id }), null);
  await toTheEnd(world);
  assert.equal(
    purses(world, "alice", "bob").reduce((sum, one) => sum + one),
    200,
  );
}

export async function payments_that_a_person_must_look_after_stay_in_the_ledger() {
  const { world, gold } = await paying("path", undefined, {}, [50, 50]);
  await ask(world.gm, "create", piglet([user(null), user("bob")], { stake: 2 }));
  const { id } = first(world);
  const ann = world.actors.get("Actor.ann");
  const { update } = ann;
  for (let round = 0; round < 3; round++) {
    assert.equal(await ask(world.alice, "join", { table: id, seat: 0 }), null);
    ann.update = () => Promise.reject(new Error("locked"));
    assert.equal(await ask(world.alice, "leave", { table: id, seat: 0 }), null);
    ann.update = update;
  }
  assert.deepEqual(gold(), [44, 50]);
  assert.deepEqual(
    states(world).filter((one) => one.startsWith("back")),
    [0, 1, 2].map((number) => `back stake ${number} 2 refused`),
  );
}

export async function marks_in_names_are_text_in_cards() {
  const name = "[[1d6]] @UUID[Actor.x]{Click} [[/award 9gp]] https://example.org";
  const { world } = await seated({ people: { gm: ROLES.GM, alice: [1, { name }], bob: 1 }, stake: 5 });
  await toTheEnd(world);
  const [{ content }] = cards(world, "end");
  assert.doesNotMatch(content, /<a /);
  assert.ok(content.replace(/<[^>]*>/g, "").includes(name));
  // They would be marks.
  const { content: other } = await world.gm.globals.ChatMessage.create({ content: name, flags: { tavern: {} } });
  assert.equal(other.match(/<a /g).length, 4);
}

export async function cards_are_public_in_every_chat_mode() {
  const { world } = await seated({ settings: { "core.messageMode": "blind", "core.rollMode": "blindroll" } });
  await toTheEnd(world);
  assert.deepEqual([...new Set([...world.messages.values()].map(({ whisper }) => whisper.length))], [0]);
  // Where it is passed.
  const { whisper } = await world.gm.globals.ChatMessage.create({ flags: { tavern: {} } }, { messageMode: "blind" });
  assert.deepEqual(whisper, ["gm"]);
}
