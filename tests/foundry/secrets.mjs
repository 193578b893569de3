// Games with secrets at a table: nobody can look, not even the game master, and nobody can change what lies sealed.

import assert from "node:assert/strict";

import { COVERED } from "../../site/runtime/rules/values.mjs";
import { verifyTranscript } from "../../site/runtime/table/record.mjs";
import { RefusedRequest } from "../../site/foundry/world/shapes.mjs";
import { enter, first, npc, purses, seated, succeeded, user } from "./stage.mjs";

const GAMES = ["mia", "cups-and-coins", "liars-dice", "blind-auction", "two-lanterns", "kuhn-poker"];

/** Wait until no client adds anything by itself any more. */
async function calm(world) {
  const here = () => world.clients.filter(({ active, tables }) => active && tables);
  for (let same = 0, before = ""; same < 3;) {
    await Promise.all(here().map(({ tables }) => tables.sealing.queue));
    await world.quiet();
    const now = world.gm.tables.all().map(({ id, rev }) => `${id} ${rev}`);
    same = now.join() === before ? same + 1 : 0;
    before = now.join();
  }
}

/** What a request comes to, which may have many hashes to make. */
const asks = (client, type, body) =>
  client.tables.send(type, body).then(
    () => null,
    ({ message }) => message.replace("ODDSMITH.refused.", ""),
  );

/** What a client sees of the first table. */
const seen = (client) => client.tables.position(first(client.world));
const covers = ({ state }) => state.cells.includes(COVERED);

/** One move of whoever is to move: a person takes any action. */
async function move(world) {
  await calm(world);
  const record = first(world);
  if (record.phase !== "play" || record.mover === null) return;
  const { kind, user: who } = record.seats[record.mover];
  if (kind === "npc") await world.elapse(100);
  else {
    const { actions } = await seen(world[who]);
    await world[who].tables.move(record, actions ? world.random.below(actions.length) : null);
  }
  await calm(world);
}

/** Play to the end. `each` is told of the world before every move. */
async function played(world, each = async () => {}) {
  for (let step = 0; step < 300 && first(world).phase === "play"; step++) {
    await each(world);
    await move(world);
  }
  assert.equal(first(world).phase, "over");
  for (const { reports } of world.clients) assert.deepEqual(reports, []);
}

const bluff = (more) => seated({ game: "mia", seats: [user("alice"), user("bob")], ...more });

export async function games_with_secrets_are_played_to_their_ends() {
  const transcripts = [];
  for (const game of GAMES)
    for (const seats of [
      [user("alice"), user("bob")],
      [npc(), user("bob")],
      [npc(), npc(1)],
    ]) {
      const { world } = await seated({ game, seats });
      let covered = 0;
      await played(world, async () => {
        const views = await Promise.all([world.gm, world.alice, world.bob].map(seen));
        covered += views.filter(covers).length;
        const [master, alice, bob] = views.map(({ state }) => state.cells);
        // What the game master sees is what everybody sees, and two who see something see the same.
        for (const [at, cell] of master.entries()) {
          if (cell !== COVERED) assert.deepEqual([alice[at], bob[at]], [cell, cell]);
          if (alice[at] !== COVERED && bob[at] !== COVERED) assert.deepEqual(alice[at], bob[at]);
        }
      });
      const record = first(world);
      const { moves, state } = await seen(world.alice);
      assert.ok(!covers({ state }) && moves.every((one) => !one.covered));
      if (game !== "two-lanterns" && game !== "blind-auction") assert.ok(covered > 0, game);
      const told = await world.alice.tables.transcript(record);
      verifyTranscript(await world.alice.tables.library.openGameOf(record), record.rules, told);
      const [end] = [...world.messages.values()].filter(({ flags }) => flags.tavern.card === "end");
      assert.deepEqual(end.flags.tavern.transcript, JSON.parse(JSON.stringify(told)));
      transcripts.push(told);
    }
  return transcripts;
}

export async function whoever_moves_sees_what_others_do_not() {
  const { world } = await bluff();
  await move(world);
  const [alice, bob, master] = await Promise.all([world.alice, world.bob, world.gm].map(seen));
  assert.deepEqual([alice, bob, master].map(covers), [false, true, true]);
  assert.ok(alice.actions.length > 1);
  // What lies in the world is hashes and numbers that were promised, and no roll.
  const keys = first(world).log.map((entry) => Object.keys(entry).sort().join());
  assert.deepEqual([...new Set(keys)], ["promise,seat", "number,seat"]);
  assert.equal(first(world).log.filter((entry) => "number" in entry).length, 1);
}

/** Play until both hold a card that only they see. */
async function dealt(more) {
  const stood = await seated({ game: "kuhn-poker", seats: [user("alice"), user("bob")], ...more });
  await move(stood.world);
  await move(stood.world);
  return stood;
}

export async function a_card_is_seen_by_its_owner_and_not_by_the_game_master() {
  const { world } = await dealt();
  const [alice, bob, master] = await Promise.all([world.alice, world.bob, world.gm].map(seen));
  assert.deepEqual([alice, bob, master].map(covers), [true, true, true]);
  const cards = ({ moves }) => moves.map(({ thrown }) => thrown?.[0][1] ?? null);
  assert.deepEqual(cards(master), [null, null]);
  const [[own, theirs], [others, mine]] = [cards(alice), cards(bob)];
  assert.deepEqual([theirs, others], [null, null]);
  assert.ok(own && mine && own !== mine);
  // What lies in the world is masked points, of which none is told open.
  const keys = first(world).log.map((entry) => Object.keys(entry).sort().join());
  assert.deepEqual([...new Set(keys)], ["deck,seat", "cards,seat"]);
}

export async function whoever_cheats_with_cards_cannot_end_the_game() {
  const { world, id } = await dealt();
  const { rev, log } = first(world);
  const point = log.find((entry) => "deck" in entry).deck[0];
  const bob = (entry) => asks(world.bob, "enter", { table: id, rev, entries: [{ seat: 2, ...entry }] });
  const place = log.findIndex((entry) => "cards" in entry);
  for (const entry of [
    { cards: [point] },
    { deck: [point] },
    { opens: 0, number: "0".repeat(64) }, // before the end
    { opens: place, cards: [point] }, // what alice drew
    { opens: place, number: "0".repeat(64) },
    { opens: place, cards: [point, 7] },
    { cards: "all" },
  ])
    assert.equal(await bob(entry), "action");
  assert.deepEqual(first(world).log, log);
  // Bob's browser is changed, and tells another number at the end than that with which it shuffled.
  const { sealed } = world.bob.tables.sealing;
  const { dueEntries } = sealed;
  sealed.dueEntries = async (...given) =>
    (await dueEntries.apply(sealed, given)).map((entry) =>
      "number" in entry ? { ...entry, number: "0".repeat(64) } : entry,
    );
  for (let step = 0; step < 20 && (await seen(world.gm)).state.phase; step++) await move(world);
  await calm(world);
  const { busy, waits } = await seen(world.gm);
  assert.deepEqual([first(world).phase, busy, waits], ["play", true, [1]]);
}

export async function nobody_acts_for_whom_he_has_no_secrets() {
  const { world, id } = await bluff();
  await move(world);
  const { log, rev } = first(world);
  for (const [who, entry] of [
    ["gm", { seat: 1, choose: "claim", with: {} }],
    ["bob", { seat: 1, choose: "claim", with: {} }],
    ["bob", log[0]],
  ])
    assert.equal(await asks(world[who], "enter", { table: id, rev, entries: [entry] }), "turn");
  for (const entry of [log[0], { seat: 1, choose: "fly", with: {} }, { seat: 1, opens: 0, number: "0" }, { seat: 1 }])
    assert.equal(await asks(world.alice, "enter", { table: id, rev, entries: [entry] }), "action");
  assert.equal(await asks(world.alice, "act", { table: id, action: 0 }), "phase");
  for (const [type, more] of [["undo"], ["stand"], ["hand", { seat: 0, skill: 0 }]])
    assert.equal(await asks(world.gm, type, { table: id, ...more }), "rights");
  assert.equal(await asks(world.alice, "yield", { table: id, seat: 0 }), "rights");
  assert.deepEqual([first(world).log, first(world).rev], [log, rev]);
}

export async function a_player_who_comes_back_to_the_same_browser_plays_on() {
  const { world } = await bluff();
  await move(world);
  const before = await seen(world.alice);
  world.alice.listeners.length = 0;
  enter(world.alice);
  await calm(world);
  assert.deepEqual((await seen(world.alice)).state.cells, before.state.cells);
  await played(world);
}

export async function from_another_browser_a_seat_sees_nothing_and_its_table_can_be_broken_off() {
  const { world, id } = await bluff({ stake: 5 });
  await move(world);
  while (world.alice.storage.length) world.alice.storage.removeItem(world.alice.storage.key(0));
  world.alice.listeners.length = 0;
  enter(world.alice);
  await calm(world);
  const before = first(world).rev;
  const { state, lost, actions } = await seen(world.alice);
  assert.deepEqual([covers({ state }), lost, actions], [true, true, null]);
  await assert.rejects(world.alice.tables.move(first(world), 0), /action/);
  assert.equal(first(world).rev, before);
  assert.equal(await asks(world.gm, "close", { table: id }), null);
  assert.deepEqual(purses(world, "alice", "bob"), [100, 100]);
}

export async function a_table_that_loses_an_entry_stands_still_for_whoever_saw_it() {
  const { world, id } = await bluff();
  await move(world);
  await seen(world.bob);
  const tables = structuredClone(world.settings.get("tables"));
  tables.tables[id].log.splice(0, 1, { seat: 1, promise: "0".repeat(64) });
  tables.tables[id].rev += 1;
  await world.gm.host.set("tables", tables);
  await calm(world);
  assert.equal((await seen(world.bob).catch(() => ({ changed: true }))).changed, true);
  assert.equal(first(world).rev, tables.tables[id].rev);
}

/** What a game master writes into the world by hand. */
async function written(world, change) {
  const tables = structuredClone(world.settings.get("tables"));
  change(tables.tables);
  await world.gm.host.set("tables", tables);
  await calm(world);
}

/** All numbers that are told from here on, by whose client tells them: to the game master at least. */
function toldNumbers(world) {
  const found = [];
  const { net } = world.gm.tables;
  const { handle } = net;
  net.handle = (type, body, who) => {
    for (const { number } of body.entries ?? []) if (number) found.push(who);
    return handle(type, body, who);
  };
  return found;
}

export async function another_game_in_place_of_a_table_s_own_opens_nothing() {
  // In each of them what alice hid would be open to all.
  for (const other of ["two-lanterns", "blind-auction", "mia"]) {
    const { world, id } = await bluff();
    await move(world);
    const own = first(world);
    const told = toldNumbers(world);
    const { rules } = (await world.gm.tables.library.games()).find((one) => one.id === other);
    const setting = other === "mia" ? "=2" : "one";
    for (const length of [own.log.length, own.log.length - 1])
      await written(world, (tables) => {
        const log = own.log.slice(0, length);
        Object.assign(tables[id], { game: other, rules, setting, log, rev: tables[id].rev + 1 });
      });
    await written(world, (tables) => Object.assign(tables[id], { ...own, rev: tables[id].rev + 1 }));
    assert.deepEqual(told, []);
    assert.equal((await seen(world.alice)).changed, false);
    await played(world);
  }
}

export async function stakes_are_paid_once_everything_is_open() {
  const { world } = await bluff({ stake: 5 });
  assert.deepEqual(purses(world, "alice", "bob"), [95, 95]);
  await played(world);
  assert.equal(
    purses(world, "alice", "bob").reduce((sum, one) => sum + one, 0),
    200,
  );
  assert.deepEqual(purses(world, "alice", "bob").sort(), [105, 95]);
}

export async function non_players_wait_for_the_game_master_who_keeps_their_secrets() {
  const { world, id } = await seated({ game: "mia", seats: [npc(), user("bob")] });
  await calm(world);
  await succeeded(world);
  const { log } = first(world);
  await world.elapse(1000);
  assert.equal(first(world).log.length, log.length);
  assert.equal(first(world).keeper, "gm");
  assert.equal(first(world).id, id);
  world.gm.active = true;
  world.gn.active = false;
  enter(world.gm);
  await calm(world);
  await played(world);
}

export async function a_rematch_of_a_game_with_secrets_has_secrets_of_its_own() {
  const { world, id } = await bluff();
  await played(world);
  const before = first(world).log.map(({ promise }) => promise);
  assert.equal(await asks(world.alice, "rematch", { table: id }), null);
  const next = world.gm.tables.all().at(-1);
  assert.equal(next.keeper, "gm");
  assert.equal(await asks(world.bob, "join", { table: next.id, seat: 1 }), null);
  assert.equal(await asks(world.alice, "start", { table: next.id }), null);
  await calm(world);
  await world.alice.tables.move(world.gm.tables.get(next.id), null);
  await calm(world);
  const now = world.gm.tables.get(next.id).log.flatMap(({ promise }) => promise ?? []);
  assert.ok(now.length > 1 && now.every((promise) => !before.includes(promise)));
}

export async function a_table_that_cannot_be_opened_holds_up_no_other() {
  const { world } = await bluff();
  const seats = [user("alice"), user("bob")];
  const asked = { game: "liars-dice", setting: "one", stake: 0, seats, advice: "gm" };
  assert.equal(await asks(world.gm, "create", asked), null);
  const [, { id: second }] = world.gm.tables.all();
  for (const [seat, { user: who }] of seats.entries())
    assert.equal(await asks(world[who], "join", { table: second, seat }), null);
  assert.equal(await asks(world.gm, "start", { table: second }), null);
  // The module was updated, and Mia has other rules now.
  for (const { tables } of world.clients) (await tables.library.game("mia")).rules = "0".repeat(64);
  await world.alice.tables.move(world.gm.tables.get(second), null);
  await calm(world);
  assert.equal(world.gm.tables.get(second).log.length, 3);
}

export async function a_non_player_whose_move_was_not_answered_moves_again() {
  const { world } = await seated({ game: "mia", seats: [npc(), user("bob")] });
  await calm(world);
  const { sealing } = world.gm.tables;
  const { send } = sealing;
  sealing.send = async () => {
    sealing.send = send;
    throw new RefusedRequest("slow");
  };
  await world.elapse(100);
  while (sealing.send !== send) await world.quiet();
  await calm(world);
  assert.equal(first(world).log.length, 0);
  await world.elapse(3000);
  await played(world);
}

export async function an_older_window_goes_on_when_the_newer_one_is_closed() {
  const { world } = await bluff();
  for (const [, heard] of world.bob.listeners) heard({ v: 1, t: "newer", window: "another" }, "bob");
  assert.equal(world.bob.tables.net.quiet, true);
  await move(world);
  assert.equal(first(world).log.length, 3);
  await played(world);
}

export async function two_windows_of_everybody_add_everything_once() {
  const { world } = await seated({ game: "liars-dice", seats: [user("alice"), user("bob")] });
  for (const client of [world.alice, world.bob]) {
    const { host, tables, reports } = client;
    enter(client);
    client.other = { host, tables, reports };
  }
  await played(world);
  for (const { other } of [world.alice, world.bob]) assert.deepEqual(other.reports, []);
}

/** Mia by other rules. */
const changed = (change) => (world) => {
  const path = "games/mia/play.json";
  const book = JSON.parse(world.files.get(path));
  change(book.bundle);
  world.files.set(path, Buffer.from(JSON.stringify(book)));
};

/** Rules whose variable can be no more than this. */
const narrowed = (name, max) => changed(({ state }) => (state.find(([one]) => one === name)[1].max = max));

export async function a_roll_that_nobody_may_see_is_covered_for_who_has_all_seats() {
  const prepare = changed(({ phases }) => (phases.roll.seen_by = ["listed"]));
  for (const seats of [
    [user("alice"), user("alice")],
    [user("alice"), user("bob")],
  ]) {
    const { world } = await seated({ game: "mia", seats, prepare });
    await move(world);
    for (const client of [world.alice, world.bob, world.gm]) assert.ok(covers(await seen(client)));
    await played(world);
    assert.ok(!covers(await seen(world.gm)));
  }
}

export async function a_game_with_secrets_whose_rules_do_not_go_on_is_broken_off() {
  for (const [name, max] of [
    ["cup", 20], // no roll is possible
    ["cup", 65], // one of the rolls is not
    ["claim", 1], // no choice is possible
    ["claim", 40],
  ])
    for (const seats of [
      [user("alice"), user("bob")],
      [npc(1), npc(1)],
    ]) {
      const { world } = await seated({ game: "mia", seats, stake: 5, prepare: narrowed(name, max) });
      for (let step = 0; step < 300 && first(world).phase === "play"; step++) await move(world);
      const { phase, stuck, log, id } = first(world);
      assert.equal(phase, "over");
      if (name === "cup" || max === 1) assert.equal(stuck, true);
      assert.equal(
        purses(world, "alice", "bob").reduce((sum, one) => sum + one, 0),
        200,
      );
      for (const { reports } of world.clients) assert.deepEqual(reports, []);
      if (!stuck) continue;
      assert.deepEqual(purses(world, "alice", "bob"), [100, 100]);
      const [end] = [...world.messages.values()].filter(({ flags }) => flags.tavern.card === "end");
      assert.ok(end.content.includes("The rules do not go on from here"));
      for (const client of [world.gm, world.alice, world.bob]) assert.ok((await seen(client)).state.phase);
      assert.equal(await asks(world.alice, "rematch", { table: id }), "rights");
      assert.deepEqual(first(world).log, log);
    }
}

/** A game of Liar's Dice that is over, but for the cup of Alice, who is away. */
async function unopened() {
  const at = await seated({ game: "liars-dice", stake: 5, advice: "nobody" });
  const { world } = at;
  for (;;) {
    await calm(world);
    const { mover, seats } = first(world);
    if (mover === null) return at;
    const who = world[seats[mover].user];
    const { actions } = await seen(who);
    world.alice.active = who === world.alice || !actions;
    await who.tables.move(first(world), actions && (who === world.alice ? 0 : actions.length - 1)); // a claim, a doubt
  }
}

export async function a_table_that_is_closed_before_everything_is_open_has_no_winner() {
  const { world, id } = await unopened();
  const { state, busy } = await seen(world.gm);
  assert.deepEqual([state.phase, busy, first(world).phase, world.alice.active], ["", true, "play", false]);
  assert.equal(await asks(world.gm, "close", { table: id }), null);
  assert.deepEqual(purses(world, "alice", "bob"), [100, 100]);
  world.alice.active = true;
  world.alice.tables.resumePending();
  await calm(world);
  assert.equal(await asks(world.bob, "rematch", { table: id }), "rights");
}

export async function what_was_begun_is_brought_to_its_end_however_long_the_log_is() {
  const { world } = await unopened();
  world.gm.tables.authority.longest = first(world).log.length;
  world.alice.active = true;
  world.alice.tables.resumePending();
  await calm(world);
  assert.equal(first(world).phase, "over");
  assert.deepEqual(purses(world, "alice", "bob").sort(), [105, 95]);
  const other = await bluff();
  other.world.gm.tables.authority.longest = 1;
  await other.world.alice.tables.move(first(other.world), null);
  await calm(other.world);
  assert.equal(first(other.world).log.length, 3);
  await assert.rejects(other.world.alice.tables.move(first(other.world), 0), /long/);
}

export async function entries_hold_what_they_need_and_no_more() {
  const { world, id } = await bluff();
  const long = "0".repeat(1800);
  const refused = async (entries) => {
    for (const entry of entries) {
      const { rev, log } = first(world);
      assert.equal(
        await asks(world.alice, "enter", { table: id, rev, entries: [entry] }),
        "action",
        Object.keys(entry),
      );
      assert.deepEqual(first(world).log, log);
    }
  };
  const promise = "0".repeat(64);
  await refused([{ promise: long }, { promise: [promise] }, { promise, long }].map((more) => ({ seat: 1, ...more })));
  await move(world);
  const choice = { seat: 1, choose: "Announce", with: { call: 31 } };
  await refused([{ message: long }, { sealed: promise }, { opens: 0 }].map((more) => ({ ...choice, ...more })));
  assert.equal(await asks(world.alice, "enter", { table: id, rev: first(world).rev, entries: [choice] }), null);
  await played(world);
}

export async function a_table_at_which_too_much_lies_covered_is_broken_off() {
  const { world, id } = await bluff();
  const seats = [user("alice"), user("bob"), user("alice"), user("bob")];
  const asked = { game: "liars-dice", setting: "=4 cups=2", stake: 0, seats, advice: "gm" };
  assert.equal(await asks(world.gm, "close", { table: id }), null);
  assert.equal(await asks(world.gm, "create", asked), null);
  const table = () => world.gm.tables.all().at(-1);
  for (const [seat, { user: who }] of seats.entries())
    assert.equal(await asks(world[who], "join", { table: table().id, seat }), null);
  assert.equal(await asks(world.gm, "start", { table: table().id }), null);
  for (let roll = 0; roll < 4 && table().phase === "play"; roll++) {
    await calm(world);
    const { mover } = table();
    await world[seats[mover].user].tables.move(table(), null);
    await calm(world);
  }
  assert.deepEqual([table().phase, table().stuck], ["over", true]);
  for (const { reports } of world.clients) assert.deepEqual(reports, []);
}
