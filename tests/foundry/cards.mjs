// What cards and the window of purses say of money, on a few elements that only hold texts.

import assert from "node:assert/strict";

import { act, arrive, ask, enter, first, paying, purses, seated, stage, toTheEnd, user } from "./stage.mjs";

class Element {
  constructor(name) {
    Object.assign(this, { name, kids: [], heard: {}, style: {}, dataset: {}, isConnected: true, value: "", type: "" });
  }
  get ownerDocument() {
    return { activeElement: null };
  }
  get text() {
    return this.kids.map((one) => one.text ?? String(one)).join("\n");
  }
  append(...kids) {
    this.kids.push(...kids);
  }
  prepend(...kids) {
    this.kids.unshift(...kids);
  }
  replaceChildren(...kids) {
    this.kids = kids;
  }
  addEventListener(name, heard) {
    this.heard[name] = heard;
  }
  setAttribute() {}
  querySelector() {
    return null;
  }
  querySelectorAll() {
    return [];
  }
  find(name) {
    return this.name === name ? this : this.kids.map((one) => one.find?.(name)).find(Boolean);
  }
}

class Window {
  async render() {
    this.rendered = true;
    this.rows = await this.content();
  }
  _onClose() {}
}

const warned = [];
Object.assign(globalThis, {
  document: {
    createElement: (name) => new Element(name),
    createElementNS: (_, name) => new Element(name),
  },
  Hooks: { on: () => 0 },
  foundry: { applications: { api: { ApplicationV2: Window } } },
  ui: { notifications: { warn: (text) => warned.push(text), error: (text) => warned.push(text) } },
});
const { ChatCards } = await import("../../site/foundry/windows/cards.mjs");
const { PursesWindow } = await import("../../site/foundry/windows/purses.mjs");

/** The cards of a world for its game master. */
function cardsOf(world) {
  Object.assign(globalThis.game, { user: { id: "gm", isGM: true }, messages: world.messages });
  const { tables } = world.gm;
  return new ChatCards({
    id: "tavern",
    tables,
    rights: (record) => tables.rightsOf(record, "gm"),
    gameTitle: (game) => game,
    openTable() {},
  });
}

/** What messages say once they are dressed. */
async function dressed(world, wanted) {
  const cards = cardsOf(world);
  const lines = [...world.messages.values()].filter(wanted).map((message) => {
    const line = new Element("li");
    cards.addCard(message, line);
    return line;
  });
  for (let turn = 0; turn < 3; turn++) await world.quiet();
  return lines.map(({ text }) => text);
}

/** What the end cards of a world say to its game master, and what they say without the module. */
async function told(world) {
  const isEnd = ({ flags }) => flags.tavern?.card === "end";
  const said = await dressed(world, isEnd);
  return {
    said: said.map((text) =>
      text
        .split("\n")
        .filter((one) => !/^(piglet|pig|Rematch|Open the table|)$/.test(one))
        .join(" "),
    ),
    lasting: [...world.messages.values()].filter(isEnd).map(({ content }) => content.replace(/<[^>]*>/g, "")),
  };
}

/** What messages with dice say. */
const turns = (world) => dressed(world, ({ rolls }) => rolls.length);

const TAKEN_BACK = "This has been taken back.";

export async function a_card_tells_no_money_of_an_end_that_was_taken_back() {
  const { world, id } = await seated({ stake: 5, advice: "gm" });
  await toTheEnd(world);
  assert.match((await told(world)).said[0], /wins\. The pot of 10 chips goes to/);
  assert.equal(await ask(world.gm, "undo", { table: id }), null);
  assert.deepEqual(await told(world), { said: [TAKEN_BACK], lasting: [`Piglet. ${TAKEN_BACK}`] });
  assert.equal(await ask(world.gm, "close", { table: id }), null);
  const back = "The game was broken off; stakes went back. 5 chips went back to alice. 5 chips went back to bob.";
  assert.deepEqual(await told(world), {
    said: [TAKEN_BACK, back],
    lasting: [`Piglet. ${TAKEN_BACK}`, `Piglet. ${back}`],
  });
  assert.equal(await ask(world.gm, "close", { table: id }), null);
  assert.deepEqual((await told(world)).said, [TAKEN_BACK, back]); // the table is gone
}

export async function of_two_ends_only_the_last_one_tells_money() {
  const { world, id } = await seated({ stake: 5, advice: "gm" });
  await toTheEnd(world);
  assert.equal(await ask(world.gm, "undo", { table: id }), null);
  await toTheEnd(world);
  const check = async () => {
    const { said, lasting } = await told(world);
    assert.deepEqual([said[0], lasting[0], said.length], [TAKEN_BACK, `Piglet. ${TAKEN_BACK}`, 2]);
    for (const text of [said[1], lasting[1]]) assert.match(text, /The pot of 10 chips goes to/);
  };
  await check();
  assert.equal(await ask(world.gm, "close", { table: id }), null);
  assert.equal(world.gm.tables.get(id), null);
  await check();
}

export async function a_card_that_could_not_be_changed_tells_of_the_end_that_counts() {
  const { world, id } = await seated({ stake: 5, advice: "gm" });
  await toTheEnd(world);
  world.gm.host.amend = async () => false;
  assert.equal(await ask(world.gm, "undo", { table: id }), null);
  assert.deepEqual((await told(world)).said, [TAKEN_BACK]);
  assert.equal(await ask(world.gm, "close", { table: id }), null);
  assert.ok((await told(world)).said.every((text) => !text.includes("pot")));
}

/** A table of Ann and Ben for coins that something else keeps, which takes them and gives them in its own way; begun.
 * */
async function coins(giving) {
  const { world } = await paying("itempiles", undefined, { coin: "gp" });
  for (const { globals } of world.clients)
    globals.game.itempiles = { API: { removeCurrencies: async () => {}, addCurrencies: giving } };
  await ask(world.gm, "create", {
    game: "piglet",
    setting: "one",
    stake: 2,
    advice: "gm",
    seats: [user("alice"), user("bob")],
  });
  const { id } = first(world);
  for (const [seat, who] of ["alice", "bob"].entries())
    assert.equal(await ask(world[who], "join", { table: id, seat }), null);
  await ask(world.gm, "start", { table: id });
  return { world, id };
}

export async function no_sum_is_told_for_a_seat_whose_payment_is_not_settled() {
  for (const [giving, become] of [
    [() => new Promise(() => {}), "may or may not have been made"],
    [() => Promise.reject(new Error("locked")), "was refused"],
  ]) {
    const { world, id } = await coins(giving);
    for (let step = 0; step < 300 && first(world).log.length < 300 && first(world).phase === "play"; step++)
      if ((await act(world, world.random.below(3))) === "pending") break;
    await world.elapse(25_000);
    const winner = first(world).chips.payments.at(-1).seat === 0 ? "Ann" : "Ben";
    const loser = winner === "Ann" ? "Ben" : "Ann";
    const wanted = `The game is over. ${winner} wins. The pot of 4 gp goes to ${winner}. ${loser} has lost 2 gp. A payment of 4 gp for ${winner} ${become}. See to it by hand.`;
    assert.deepEqual(await told(world), { said: [wanted], lasting: [`Piglet. ${wanted}`] });
    assert.equal(await ask(world.gm, "close", { table: id }), null);
    assert.ok((await told(world)).said[0].endsWith(wanted.slice(wanted.indexOf("The pot"))));
  }
}

export async function stakes_that_did_not_go_back_are_not_said_to_have() {
  let given = 0;
  const { world, id } = await coins(async () => {
    given += 1;
    if (given === 2) throw new Error("locked");
  });
  assert.equal(await ask(world.gm, "close", { table: id }), null);
  const wanted =
    "The game was broken off. 2 gp went back to Ann. A payment of 2 gp for Ben was refused. See to it by hand.";
  assert.deepEqual(await told(world), { said: [wanted], lasting: [`Piglet. ${wanted}`] });
  assert.equal(await ask(world.gm, "close", { table: id }), null);
  assert.deepEqual((await told(world)).said, [wanted]);
}

export async function a_card_says_that_the_rules_did_not_go_on() {
  const world = await stage();
  for (const { tables } of world.clients)
    (await tables.library.playFile("pig")).bundle.phases.throw.entries.forEach((one) => (one.when = false));
  await ask(world.gm, "create", {
    game: "pig",
    setting: "=2 target=20",
    stake: 5,
    advice: "gm",
    seats: [user("alice"), user("bob")],
  });
  const { id } = first(world);
  for (const [seat, who] of ["alice", "bob"].entries())
    assert.equal(await ask(world[who], "join", { table: id, seat }), null);
  await ask(world.gm, "start", { table: id });
  assert.equal(await act(world), null);
  const wanted =
    "The rules do not go on from here at this size of the game. The game was broken off; stakes went back. " +
    "5 chips went back to alice. 5 chips went back to bob.";
  assert.deepEqual(await told(world), { said: [wanted], lasting: [`Pig. ${wanted}`] });
  assert.equal(await ask(world.gm, "close", { table: id }), null);
  assert.deepEqual((await told(world)).said, [wanted]); // the table is gone
}

export async function seats_of_one_name_are_told_apart_wherever_money_is() {
  const world = await stage();
  const people = ["alice", "bob", "alice"];
  const opened = async () => {
    await ask(world.gm, "create", {
      game: "pig",
      setting: "=3 target=6",
      stake: 5,
      advice: "gm",
      seats: people.map((who) => user(who)),
    });
    const { id } = world.gm.tables.all().at(-1);
    for (const [seat, who] of people.entries()) assert.equal(await ask(world[who], "join", { table: id, seat }), null);
    assert.equal(await ask(world.gm, "start", { table: id }), null);
    return id;
  };
  const id = await opened();
  await toTheEnd(world);
  const { names } = await world.gm.tables.position(first(world));
  assert.equal(new Set(names).size, 3);
  const check = ([text]) =>
    names.forEach((name) =>
      assert.ok(
        ["won", "lost"].some((what) => text.includes(`${name} has ${what} `)),
        text,
      ),
    );
  for (const texts of Object.values(await told(world))) check(texts);
  const [, winner] = (await told(world)).lasting[0].match(/^Pig\. The game is over\. (.*) wins\./);
  assert.ok(names.includes(winner) && (await told(world)).said[0].includes(`The pot of 15 chips goes to ${winner}.`));
  await ask(world.gm, "close", { table: id });
  const [past] = (await told(world)).said;
  check([past]);
  for (const name of names) assert.match(past.split("The pot")[0], new RegExp(name.replace(/[()]/g, "\\$&")));
  assert.equal(await ask(world.gm, "close", { table: await opened() }), null);
  for (const texts of Object.values(await told(world)))
    for (const name of names) assert.ok(texts.at(-1).includes(`5 chips went back to ${name}.`));
}

export async function a_card_of_the_version_before_is_still_read() {
  const { world, id } = await seated({ stake: 5, advice: "gm" });
  await toTheEnd(world);
  const [card] = [...world.messages.values()].filter(({ flags }) => flags.tavern.card === "end");
  delete card.flags.tavern.account.open;
  const [before] = (await told(world)).said;
  await ask(world.gm, "close", { table: id });
  assert.equal((await told(world)).said[0].split("The pot")[1], before.split("The pot")[1]);
}

export async function cards_whose_rules_are_gone_say_what_was_written_then() {
  const { world, id } = await seated({ stake: 5, advice: "gm" });
  await toTheEnd(world);
  const note = "The rules could not be opened, so this is what was written then.";
  const before = await told(world);
  for (const key of ["tables", "rested"]) {
    const held = structuredClone(world.settings.get(key) ?? {});
    const record = (held.tables ?? held)[id];
    if (record) record.rules = "0".repeat(64); // the module was renewed
    world.settings.set(key, held);
  }
  enter(world.gm); // loads the page again
  const { error } = console;
  const errors = [];
  console.error = (...parts) => errors.push(parts);
  const [after] = (await told(world)).said;
  const account = before.said[0].slice(before.said[0].indexOf("The pot"));
  assert.ok(account.length > 20 && after.endsWith(`${account} ${note}`), after);
  console.error = error;
  assert.deepEqual(errors, []);
}

// --- dice of a turn card

const OTHER = "Not all of these dice count: some were taken back or changed. What is written here counts.";

/** A game of some throws, and what becomes of the first turn's card at the hands of its author. */
async function rewritten(change, more = {}) {
  const { world, id } = await seated({ advice: "gm", ...more });
  while (first(world).log.filter((entry) => "throw" in entry).length < 2) await act(world, 1);
  const [{ id: card }] = [...world.messages.values()].filter(({ rolls }) => rolls.length);
  const asAuthor = world[world.messages.get(card).author.id].globals;
  await change(asAuthor.game.messages.get(card), asAuthor);
  return { world, id, card, said: await turns(world) };
}

export async function dice_that_their_author_rewrites_are_told_to_be_others() {
  const plain = await rewritten(() => {});
  assert.ok(plain.said.length && plain.said.every((text) => !text.includes(OTHER)));
  const {
    said: [before],
  } = plain;
  const roll = async ({ Roll }, formula, result) => {
    const made = await new Roll(formula).evaluate();
    for (const die of made.dice) for (const one of die.results) one.result = result ?? one.result;
    return made;
  };
  const tried = [
    async (card, globals) => card.update({ rolls: [await roll(globals, "1d4", 4), ...card.rolls.slice(1)] }),
    async (card, globals) => card.update({ rolls: [await roll(globals, "1d4", 1), ...card.rolls.slice(1)] }),
    async (card, globals) => card.update({ rolls: [await roll(globals, "1d20", 20)] }),
    async (card, globals) =>
      card.update({ rolls: [await roll(globals, "1d4", 4)], flags: { tavern: { card: "end", table: "" } } }),
    async (card, globals) =>
      card.update({ rolls: [await roll(globals, "1d4", 1)], flags: { tavern: { card: null, table: null } } }),
  ];
  const seen = [];
  for (const change of tried) {
    const {
      world,
      said: [text],
    } = await rewritten(change);
    assert.deepEqual(world.denied, []);
    assert.ok([before, `${OTHER}\n${before}`].includes(text), text); // what the log says stays
    seen.push(text.startsWith(OTHER));
  }
  // One of two sides was the coin's own.
  assert.deepEqual([seen[0] !== seen[1], seen[2], seen[3] !== seen[4]], [true, true, true]);
}

export async function nobody_else_changes_a_card() {
  const { world, card } = await rewritten(() => {});
  const other = world.messages.get(card).author.id === "alice" ? world.bob : world.alice;
  await assert.rejects(other.globals.game.messages.get(card).update({ rolls: [] }));
  await assert.rejects(other.globals.game.messages.get(card).delete());
}

export async function dice_on_their_way_and_dice_taken_back_are_told_apart() {
  const { world, id, card } = await rewritten(() => {}, {
    game: "pig",
    seats: ["alice", "bob", "alice"].map((who) => user(who)),
  });
  const last = async () => (await turns(world)).at(-1);
  const message = [...world.messages.values()].filter(({ rolls }) => rolls.length).at(-1);
  const { turnOver } = (await world.gm.tables.position(first(world))).moves.at(-1);
  const more = (source) =>
    world.gm.globals.game.messages.get(source.id).update({ rolls: [...source.rolls, source.rolls[0]] });
  await more(message);
  assert.equal((await last()).includes(OTHER), turnOver); // while the turn goes on, the log may not have it yet
  await more(world.messages.get(card));
  assert.equal((await turns(world))[0].includes(OTHER), card !== message.id || turnOver);
  await toTheEnd(world);
  assert.ok((await turns(world))[0].startsWith(OTHER));
  assert.equal(await ask(world.gm, "close", { table: id }), null);
  assert.equal((await turns(world))[0], "This table has been closed.");
}

/** Jobs of the game master wait until what this returns is called. */
function held(world) {
  let go = () => {};
  world.gm.host.line.last = new Promise((done) => (go = done));
  return async () => {
    go();
    await world.quiet();
  };
}

/** A roll of Alice's at her own screen; `over` once her window is free again. */
async function rolled(world) {
  const roll = { over: false };
  void world.alice.tables.move(first(world), null).then(() => (roll.over = true));
  await world.quiet();
  return roll;
}

export async function a_roll_at_a_player_s_screen_ends_once_it_is_recorded_and_a_second_one_does_not_count() {
  const { world, id } = await seated({ advice: "gm", settings: { trusting: true } });
  await act(world);
  const go = held(world);
  const [roll, second] = [await rolled(world), await rolled(world)];
  assert.deepEqual([roll.over, second.over], [false, false]);
  await go();
  assert.deepEqual([roll.over, second.over, first(world).log.length], [true, true, 2]);
  const wanted = "This roll did not count: the game had gone on before a game master saw it.";
  assert.equal((await turns(world)).at(-1), wanted);
  assert.equal(await ask(world.gm, "undo", { table: id }), null);
  assert.deepEqual((await turns(world)).slice(-2), [TAKEN_BACK, wanted]);
}

export async function a_roll_at_a_player_s_screen_is_not_waited_for_too_long() {
  const { world } = await seated({ advice: "gm", settings: { trusting: true } });
  await act(world);
  held(world);
  const roll = await rolled(world);
  await world.elapse(8000);
  assert.equal(roll.over, true);
}

export async function a_roll_made_while_no_game_master_was_there_counts_once_one_is_unless_the_game_went_on() {
  const { world, id } = await seated({ advice: "gm", settings: { trusting: true } });
  await act(world);
  world.gm.tables.authority.acceptPlayerRoll = async () => {}; // the message is lost to a page that is being loaded
  await rolled(world);
  assert.equal(first(world).log.length, 1);
  const waits = "No game master has seen this roll yet. It counts once one has.";
  assert.equal((await turns(world)).at(-1), waits);
  const forged = { tavern: { card: "turn", table: id, rev: first(world).rev, thrown: true } };
  await world.bob.globals.ChatMessage.create({
    rolls: [await new world.bob.globals.Roll("1d4").evaluate()],
    flags: forged,
  });
  await arrive(world.gm);
  await world.quiet();
  assert.equal(first(world).log.length, 2);
  const said = await turns(world);
  const none = "This roll did not count: the game had gone on before a game master saw it.";
  assert.deepEqual([said.includes(waits), said.at(-1)], [false, none]);
  assert.deepEqual(world.gm.reports, []);
}

// --- the window of purses

/** The window, with what is set and pressed in it. */
async function opened(world) {
  const window = new PursesWindow({
    id: "tavern",
    tables: world.gm.tables,
    forgetWindow() {},
    withModuleTitle: (text) => text,
  });
  await window.render();
  const row = (name) => window.rows.find(({ text }) => text.includes(name));
  const type = (name, text) => {
    const input = row(name).find("input");
    input.value = text;
    input.heard.input();
  };
  return {
    value: (name) => row(name).find("input").value,
    type,
    set: (name) => row(name).heard.submit({ preventDefault() {} }),
  };
}

export async function what_was_typed_for_other_chips_is_not_set() {
  const { world, id } = await seated({ stake: 50, advice: "gm" });
  const window = await opened(world);
  for (const name of ["alice", "bob"]) window.type(name, "60");
  await toTheEnd(world);
  await world.quiet();
  const held = purses(world, "alice", "bob");
  // For the same chips it still stands.
  assert.deepEqual(["alice", "bob"].map((name) => window.value(name)).sort(), ["150", "60"]);
  const winner = held[0] === 150 ? "alice" : "bob";
  const { size } = world.messages;
  window.set(winner);
  await world.quiet();
  assert.deepEqual([purses(world, "alice", "bob"), world.messages.size, warned], [held, size, []]);
  assert.equal(await ask(world.gm, "undo", { table: id }), null);
  assert.equal(window.value(winner), "50"); // and does not come back
}

export async function chips_are_set_once_by_a_double_click() {
  const world = await stage();
  const window = await opened(world);
  window.type("bob", "60");
  for (let click = 0; click < 2; click++) window.set("bob");
  await world.quiet();
  window.set("bob");
  await world.quiet();
  assert.deepEqual([purses(world, "bob"), world.messages.size, warned], [[60], 1, []]);
  window.type("bob", "70");
  window.set("bob");
  await world.quiet();
  assert.deepEqual(purses(world, "bob"), [70]);
}
