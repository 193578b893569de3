// The rules of who may do what, one scene each.

import assert from "node:assert/strict";

import { Denied, ROLES } from "./double.mjs";
import { act, ask, emit, first, npc, seated, stage, toTheEnd, user } from "./stage.mjs";

let count = 0;
const nonce = () => `n${String(++count).padStart(15, "0")}`;
const message = (t, body, more = {}) => ({ v: 1, t, nonce: nonce(), body, ...more });

/** Nothing of the world changed while something was tried. */
async function unchanged(world, attempt) {
  const before = JSON.stringify([
    world.settings.get("tables"),
    world.messages.size,
    world.writes,
    world.formulas.length,
  ]);
  await attempt();
  await world.quiet();
  assert.equal(
    JSON.stringify([world.settings.get("tables"), world.messages.size, world.writes, world.formulas.length]),
    before,
  );
}

export async function the_sender_is_who_the_server_says() {
  const { world, id } = await seated();
  const body = { table: id, rev: first(world).rev, action: 0 };
  await unchanged(world, async () => {
    await emit(world.bob, message("act", body)); // it is Alice's turn
    await emit(world.bob, message("act", body, { user: "alice", sender: "alice", userId: "alice" }));
    await emit(world.bob, message("act", { ...body, user: "alice" }));
    await emit(world.bob, message("undo", { table: id, rev: body.rev, user: "gm" }));
  });
  await emit(world.alice, message("act", body));
  assert.equal(first(world).log.length, 1);
}

export async function only_the_seat_to_move_acts() {
  const { world, id } = await seated({ people: { gm: ROLES.GM, alice: 1, bob: 1, eve: 1 } });
  await unchanged(world, async () => {
    assert.equal(await ask(world.bob, "act", { table: id, action: 0 }), "turn");
    assert.equal(await ask(world.eve, "act", { table: id, action: 0 }), "turn");
  });
  assert.equal(world.eve.tables.rightsOf(first(world), "eve").act, false);
  assert.equal(await ask(world.alice, "act", { table: id, action: 0 }), null);
  // The game master may play for an absent one.
  assert.equal(await ask(world.gm, "act", { table: id, action: null }), null);
}

export async function owners_of_an_actor_act_only_where_it_is_allowed() {
  const seats = [user("alice", { actor: "Actor.sir" }), user("bob")];
  const { world, id } = await seated({ seats, prepare: (w) => w.actor("Sir", ["alice", "bob"]) });
  assert.equal(first(world).seats[0].name, "Sir");
  assert.equal(await ask(world.bob, "act", { table: id, action: 0 }), "turn");
  world.settings.set("owners", true);
  assert.equal(await ask(world.bob, "act", { table: id, action: 0 }), null);
}

export async function an_actor_of_another_cannot_be_seated() {
  const world = await stage({ prepare: (w) => w.actor("Dragon", []) });
  const create = {
    game: "piglet",
    setting: "one",
    stake: 0,
    advice: "gm",
    seats: [user("bob", { actor: "Actor.dragon" }), npc()],
  };
  assert.equal(await ask(world.bob, "create", create), "rights");
  assert.equal(await ask(world.gm, "create", create), null);
  assert.equal(
    await ask(world.bob, "create", { ...create, seats: [user("bob", { actor: "Item.sword" }), npc()] }),
    "rights",
  );
}

export async function a_stale_request_does_nothing() {
  const { world, id } = await seated();
  const { rev } = first(world);
  assert.equal(await ask(world.alice, "act", { table: id, rev, action: 0 }), null);
  await unchanged(world, async () => {
    assert.equal(await ask(world.alice, "act", { table: id, rev, action: null }), "stale");
    assert.equal(await ask(world.alice, "act", { table: id, rev: rev + 7, action: null }), "stale");
    assert.equal(await ask(world.gm, "undo", { table: id, rev }), "stale");
  });
}

export async function a_double_click_throws_once() {
  const { world, id } = await seated();
  await act(world);
  const once = message("act", { table: id, rev: first(world).rev, action: null });
  emit(world.alice, once);
  await emit(world.alice, { ...once, nonce: nonce() }); // at the same moment
  const after = first(world);
  assert.deepEqual(world.formulas, ["1d4"]); // the bent coin: three sides of four are heads
  await unchanged(world, () => emit(world.alice, once));
  await unchanged(world, () => emit(world.alice, { ...once, nonce: nonce() }));
  assert.deepEqual(first(world), after);
}

export async function a_repeated_message_counts_once() {
  const world = await stage();
  const once = message("create", {
    game: "piglet",
    setting: "one",
    stake: 0,
    advice: "gm",
    seats: [user("alice"), user(null)],
    money: null,
    house: "",
  });
  await emit(world.alice, once);
  await emit(world.alice, once);
  assert.equal(world.gm.tables.all().length, 1);
}

export async function garbage_is_dropped_without_an_answer() {
  const { world, id } = await seated();
  const { rev } = first(world);
  const good = { table: id, rev, action: 0 };
  const junk = [
    null,
    0,
    "",
    "act",
    [],
    {},
    [[]],
    true,
    { v: 1 },
    { t: "act" },
    message("act", null),
    message("act", []),
    message("act", {}),
    message("win", good),
    message("__proto__", good),
    message("constructor", good),
    message("toString", good),
    message("act", { ...good, action: "0" }),
    message("act", { ...good, action: 0.5 }),
    message("act", { ...good, action: -1 }),
    message("act", { ...good, action: true }),
    message("act", { ...good, rev: String(rev) }),
    message("act", { ...good, more: 1 }),
    message("act", { table: id, rev }),
    message("act", { ...good, table: 7 }),
    message("act", { ...good, table: { id } }),
    { ...message("act", good), v: 2 },
    { ...message("act", good), nonce: "short" },
    { ...message("act", good), nonce: 1 },
  ];
  let answers = 0;
  world.alice.listeners.push([`module.${world.id}`, () => (answers += 1)]);
  await unchanged(world, async () => {
    for (const one of junk) {
      await emit(world.alice, one);
      world.time += 10_000; // so that it is not for their number that they are dropped
    }
  });
  assert.equal(answers, 0);
  assert.deepEqual(world.gm.reports, []);
  for (const table of ["__proto__", "constructor", "nothing"])
    await unchanged(world, () => emit(world.alice, message("act", { ...good, table })));
  assert.equal(await ask(world.alice, "act", { ...good, action: 99 }), "action");
  assert.equal(await ask(world.alice, "act", { ...good, action: null }), "action"); // it must be a choice
}

export async function what_is_too_long_is_dropped() {
  const world = await stage();
  const seats = Array.from({ length: 40 }, () => user("alice", { name: "x".repeat(79) }));
  const body = { game: "piglet", setting: "one", stake: 0, advice: "gm", seats };
  await unchanged(world, () => emit(world.alice, message("create", { ...body, money: null, house: "" })));
  assert.equal(await ask(world.alice, "create", body), "action"); // not even sent
}

export async function who_asks_too_often_is_not_heard() {
  const { world, id } = await seated();
  const good = () => message("act", { table: id, rev: first(world).rev, action: 0 });
  for (let i = 0; i < 40; i++) await emit(world.bob, message("act", { table: id, rev: 0, action: 0 }));
  let answers = 0;
  world.bob.listeners.push([`module.${world.id}`, () => (answers += 1)]);
  await emit(world.bob, good());
  assert.equal(answers, 0);
  await emit(world.alice, good()); // others are
  assert.equal(first(world).log.length, 1);
  world.time += 10_001;
  await emit(world.bob, good());
  assert.equal(answers, 1);
}

export async function two_game_masters_roll_once() {
  const { world, id } = await seated({ people: { gm: ROLES.GM, gn: ROLES.GM, alice: 1, bob: 1 } });
  await act(world);
  const both = message("act", { table: id, rev: first(world).rev, action: null });
  await unchanged(world, () => emit(world.alice, both, "gn")); // to the one who is not the authority
  world.alice.globals.game.socket.emit(`module.${world.id}`, both); // to everybody
  await world.quiet();
  assert.equal(first(world).log.length, 2);
  assert.equal(world.formulas.length, 1);
  assert.equal([...world.messages.values()].filter(({ flags }) => flags.tavern.card === "turn").length, 1);
}

export async function without_a_game_master_nothing_happens() {
  const { world, id } = await seated();
  world.gm.active = false;
  assert.equal(world.alice.tables.isWaitingForGameMaster, true);
  const good = message("act", { table: id, rev: first(world, world.alice).rev, action: 0 });
  await unchanged(world, async () => {
    assert.equal(await ask(world.alice, "act", good.body), "nobody");
    await emit(world.alice, good, "bob");
    await emit(world.bob, good, "alice");
  });
}

export async function a_second_game_master_takes_over() {
  const { world, id } = await seated({
    people: { gm: ROLES.GM, gn: ROLES.GM, alice: 1 },
    seats: [user("alice"), npc()],
  });
  const { rev } = first(world);
  world.gm.active = false;
  assert.equal(world.alice.tables.isWaitingForGameMaster, false);
  assert.equal(await ask(world.alice, "act", { table: id, rev, action: 0 }), null);
  assert.equal(await ask(world.alice, "act", { table: id, action: null }), null);
  while (first(world, world.gn).mover === 0)
    await ask(world.alice, "act", {
      table: id,
      action: (await world.gn.tables.position(first(world, world.gn))).actions ? 0 : null,
    });
  world.gm.active = true; // in the middle of the innkeeper's turn
  const before = first(world).log.length;
  await world.elapse(1000);
  assert.equal(first(world).log.length, before);
  assert.deepEqual(world.gn.reports, []); // it did not even try
  world.gm.tables.resumePending();
  await world.elapse(100);
  assert.equal(first(world).log.length, before + 1);
}

export async function an_assistant_who_cannot_write_is_no_authority() {
  const weak = [ROLES.ASSISTANT, { permissions: { SETTINGS_MODIFY: false } }];
  const world = await stage({ people: { aide: weak, alice: 1 } });
  assert.equal(world.alice.tables.isWaitingForGameMaster, true);
  world.client("gm", ROLES.GM);
  assert.equal(world.alice.host.authority(), "gm");
  world.clients.at(-1).active = false;
  world.client("helper", ROLES.ASSISTANT);
  assert.equal(world.alice.host.authority(), "helper"); // one who can write is
}

export async function a_player_s_client_writes_nothing() {
  const { world } = await seated();
  await assert.rejects(world.alice.globals.game.settings.set("tavern", "tables", {}), Denied);
  await assert.rejects(world.alice.globals.ChatMessage.create({ author: "bob" }), Denied);
  world.denied.length = 0;
  await toTheEnd(world);
  assert.deepEqual(world.denied, []);
  assert.deepEqual(
    world.clients.flatMap(({ reports }) => reports),
    [],
  );
  assert.equal(
    await world.alice.tables.authority
      .handleRequest("close", { table: first(world).id, rev: first(world).rev }, "gm")
      .catch((error) => error.message),
    "ODDSMITH.refused.nobody",
  ); // a client that takes itself for the authority
}

export async function an_answer_of_another_is_not_believed() {
  const { world, id } = await seated();
  world.gm.listeners.length = 0; // the game master's answer is lost
  let settled = "";
  let sent = "";
  world.gm.listeners.push([`module.${world.id}`, (heard) => (sent = heard.nonce)]);
  world.alice.tables.send("act", { table: id, action: 0 }).then(
    () => (settled = "done"),
    (error) => (settled = error.message),
  );
  await world.quiet();
  await emit(world.bob, { v: 1, t: "answer", nonce: sent, refused: null }, "alice");
  await emit(world.bob, { v: 1, t: "answer", nonce: sent, refused: "<b>" }, "alice");
  assert.equal(settled, "");
  await world.elapse(8000);
  assert.equal(settled, "ODDSMITH.refused.slow");
}

export async function errors_are_not_told_to_players() {
  const { world, id } = await seated();
  world.gm.host.set = () => Promise.reject(new Error("the password is swordfish"));
  assert.equal(await ask(world.alice, "act", { table: id, action: 0 }), "fault");
  assert.match(String(world.gm.reports[0]), /swordfish/);
}

export async function names_stay_text() {
  const name = '<img src=x onerror="alert(1)">';
  const world = await stage({ people: { gm: ROLES.GM, alice: [1, { name }] } });
  const seats = [user("alice", { name: "Queen" }), npc(0, `${name}__proto__`)];
  assert.equal(await ask(world.gm, "create", { game: "piglet", setting: "one", stake: 0, advice: "gm", seats }), null);
  assert.equal(await ask(world.alice, "join", { table: first(world).id, seat: 0 }), null);
  const record = first(world);
  assert.deepEqual(
    record.seats.map((seat) => seat.name),
    [name, `${name}__proto__`],
  ); // nobody gets the name he asks for
  // For a world without the module.
  const plain = (/** @type {string} */ title) => `<p class="oddsmith-plain">${title}</p>`;
  assert.deepEqual(
    [...world.messages.values()].map(({ content }) => content),
    [plain("Piglet")],
  );
  const odd = { ...user("alice"), img: "https://example.org/spy.png" };
  await unchanged(world, () =>
    emit(
      world.alice,
      message("create", {
        game: "piglet",
        setting: "one",
        stake: 0,
        advice: "gm",
        money: null,
        house: "",
        seats: [odd, npc()],
      }),
    ),
  );
  for (const game of ["__proto__", "constructor", "../../etc"])
    assert.equal(await ask(world.alice, "create", { game, setting: "one", stake: 0, advice: "gm", seats }), "game");
}

export async function seats_are_taken_by_those_they_are_for() {
  const world = await stage({ people: { gm: ROLES.GM, alice: 1, bob: 1, eve: 1 } });
  const create = { game: "pig", setting: "one", stake: 0, advice: "gm", seats: [user("alice"), user(null), npc()] };
  await ask(world.gm, "create", create);
  const { id } = first(world);
  assert.equal(await ask(world.bob, "join", { table: id, seat: 0 }), "rights");
  assert.equal(await ask(world.bob, "join", { table: id, seat: 2 }), "rights");
  assert.equal(await ask(world.bob, "join", { table: id, seat: 9 }), "seats");
  assert.equal(await ask(world.bob, "join", { table: id, seat: 1 }), null);
  assert.equal(await ask(world.eve, "join", { table: id, seat: 1 }), "full");
  assert.equal(await ask(world.eve, "leave", { table: id, seat: 1 }), "rights");
  assert.equal(await ask(world.gm, "start", { table: id }), "rights"); // Alice is not there
  for (const type of ["undo", "close", "start"]) assert.equal(await ask(world.bob, type, { table: id }), "rights");
  assert.equal(await ask(world.bob, "hand", { table: id, seat: 0, skill: 0 }), "rights");
  assert.equal(await ask(world.bob, "leave", { table: id, seat: 1 }), null);
}

export async function players_open_few_tables_or_none() {
  const world = await stage();
  const create = { game: "piglet", setting: "one", stake: 0, advice: "gm", seats: [user("alice"), user(null)] };
  for (let i = 0; i < 3; i++) assert.equal(await ask(world.alice, "create", create), null);
  assert.equal(await ask(world.alice, "create", create), "many");
  world.settings.set("open", "gm");
  assert.equal(await ask(world.bob, "create", create), "rights");
  assert.equal(await ask(world.gm, "create", create), null);
  assert.equal(await ask(world.gm, "create", { ...create, seats: [npc(99), npc()] }), "seats");
  assert.equal(await ask(world.gm, "create", { ...create, seats: [npc()] }), "seats");
}
