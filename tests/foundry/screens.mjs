// What the tabletop itself shows of rolls: a message that nobody dresses, and dice that roll on the screens.

import assert from "node:assert/strict";

import { moveText } from "../../site/runtime/words/sentences.mjs";
import { shownContent } from "./chat.mjs";
import { act, first, npc, seated, stage, user } from "./stage.mjs";

/** What a message says where nobody dresses it. */
const undressed = (message) =>
  shownContent(message)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

export async function what_a_message_says_by_itself_is_what_fell_in_the_game() {
  for (const [game, fell] of [
    ["hold-the-pot", / L /],
    ["dragons-hoard", /draws \w+/],
    ["marbles", /draws \w+/],
    ["craps", /rolls [1-6] [1-6]/],
  ]) {
    const { setting } = await (await stage()).gm.tables.library.openSetting(game, "one");
    const seats = Array.from({ length: setting.seats }, (_, seat) => user(seat ? "bob" : "alice"));
    const { world } = await seated({ game, seats, advice: "gm" });
    for (let step = 0; step < 40 && first(world).phase === "play"; step++) await act(world, step % 2);
    const cards = [...world.messages.values()].filter(({ rolls }) => rolls.length);
    assert.ok(cards.length > 0, game);
    for (const card of cards) assert.doesNotMatch(shownContent(card), /dice-roll/);
    assert.ok(
      cards.some((card) => fell.test(undressed(card))),
      `${game}: ${undressed(cards[0])}`,
    );
    const { loadedGame: ready, moves } = await world.gm.tables.position(first(world));
    for (const [at, { message }] of first(world).log.entries())
      if (message) {
        const { seat, before } = moves[at];
        const told = moveText(ready.game, before, moves[at], ["alice", "bob"][seat]);
        const said = undressed(world.messages.get(message));
        const squeezed = (text) => text.replaceAll(" ", "");
        assert.ok(said.includes("…") || squeezed(said).includes(squeezed(told)), `${said}: ${told}`);
      }
  }
}

export async function dice_roll_on_the_screen_only_where_they_show_what_fell() {
  for (const [game, wanted, faces] of [
    ["pig", true, ["numbers"]],
    ["hold-the-pot", true, ["1 2 3 4 5 L"]],
    ["marbles", true, ["red red blu bla", "numbers"]], // a draw from a bag, and a plain die
    ["piglet", true, ["H H H T"]], // a coin that falls on heads three times in four
  ]) {
    for (const trusting of [false, true]) {
      const { world } = await seated({
        game,
        advice: "gm",
        seats: game === "pig" ? ["alice", "bob", "bob"].map((who) => user(who)) : undefined,
        settings: { trusting },
        prepare: (made) => (made.dice = Infinity),
      });
      const made = () => [...world.messages.values()].filter(({ rolls }) => rolls.length);
      for (let step = 0; step < 9 && !made().length; step++) {
        const { actions } = await world.alice.tables.position(first(world));
        const who = world[first(world).seats[first(world).mover].user];
        await who.tables.move(first(world), actions && 0);
        await world.quiet();
      }
      const [card] = made();
      for (const client of world.clients)
        assert.equal(client.message(card)._dice3danimating, wanted, `${game} ${client.id} ${trusting}`);
      for (const client of world.clients) assert.deepEqual([...new Set(client.faces)], faces, `${game} ${client.id}`);
    }
  }
}

/** A game of non-players alone, whose dice are seen on the screens: when each move came, and whether a throw came right
 * before it. */
async function watched(dice) {
  const prepare = (made) => (made.dice = dice);
  const { world } = await seated({ game: "column-race", seats: [npc(), npc()], prepare });
  const came = [];
  for (let step = 0; step < 3000 && came.length < 12 && first(world).phase === "play"; step++) {
    await world.elapse(50);
    const { log } = first(world);
    while (came.length < log.length) came.push({ time: world.time, thrown: "throw" in log[came.length] });
  }
  assert.deepEqual(world.gm.reports, []);
  assert.ok(came.filter(({ thrown }) => thrown).length > 1);
  return came.slice(1).map(({ time }, at) => ({ waited: time - came[at].time, after: came[at].thrown }));
}

export async function non_players_wait_until_dice_lie_still() {
  for (const { waited, after } of await watched(3000)) assert.ok(after ? waited >= 3100 : waited <= 150, `${waited}`);
}

export async function dice_that_never_lie_still_hold_nobody_up_for_ever() {
  for (const { waited, after } of await watched(Infinity))
    assert.ok(after ? waited <= 9000 : waited <= 150, `${waited}`);
}
