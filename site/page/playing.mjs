// @ts-check
/** A game at this screen, with people and opponents in any seats. */

import { RuleFailure } from "../runtime/rules/values.mjs";
import { SystemRandom } from "../runtime/rules/random.mjs";
import { opponentsOf } from "../runtime/table/opponents.mjs";
import { RecordError } from "../runtime/table/record.mjs";
import { drawIndexByWeight } from "../runtime/table/plan.mjs";
import { extendLog, logBeforeLastAct, seatToMove, positionAfterLog } from "../runtime/table/round.mjs";
import { positionSeenBySeat, viewpointSeat } from "../runtime/table/sight.mjs";
import { adviceElements, adviceAt, mixedAdviceElements } from "../runtime/words/advice.mjs";
import { drawPosition } from "../runtime/words/board.mjs";
import { copyButton } from "../runtime/words/controls.mjs";
import { actionControls, storyLineWithDrawing } from "../runtime/words/drawn.mjs";
import { MovePacer } from "../runtime/words/pace.mjs";
import {
  actionName,
  endText,
  moveParts,
  uniqueSeatNames,
  opponentName,
  opponentText,
} from "../runtime/words/sentences.mjs";
import { replaceChildrenInPlace, updateMoveLines, makeElement } from "../runtime/words/view.mjs";
import { capitalized, withoutDoubleStops, readableName, sentenceText } from "../runtime/words/words.mjs";
import { positionAdviceElements } from "./asking.mjs";
import { button, smallButton } from "./buttons.mjs";
import { reviewedChoices, choiceCostText, lossText, reviewSection } from "./review.mjs";
import { saveGame, loadSavedGame, savedGameAddress } from "./saved.mjs";

/** @typedef {import("../runtime/table/settings.mjs").Ready} Ready */
/** @typedef {import("../runtime/table/record.mjs").Entry} Entry */
/** @typedef {import("../runtime/table/round.mjs").Position} Position */
/** @typedef {import("../runtime/table/round.mjs").Seat} Seat */
/** @typedef {import("../runtime/table/record.mjs").Told} Told */
/** @typedef {import("./saved.mjs").Saved} Saved */

const NEWS = 3; // moves that are shown beside the dice; the log has them all

/** The section in which people play. @param {Ready} loadedGame @param {Saved | null} savedGame a game that the address
 * holds
 * @returns {HTMLElement} */
export function playSection(loadedGame, savedGame) {
  return new PlayedGame(loadedGame, savedGame).element;
}

/** One game at this screen. */
class PlayedGame {
  /** @param {Ready} loadedGame @param {Saved | null} savedGame */
  constructor(loadedGame, savedGame) {
    this.loadedGame = loadedGame;
    this.opponents = opponentsOf(loadedGame.setting);
    this.players = [null, ...this.opponents];
    const before = savedGame ?? loadSavedGame(loadedGame.setting.slug);
    this.selects = Array.from({ length: loadedGame.game.seats }, (_, seat) =>
      this.#playerSelect(seat, before?.players[seat]),
    );
    this.hints = makeElement("input", { type: "checkbox", onchange: () => this.#drawTable() });
    this.story = makeElement(
      "div",
      { class: "od-log", role: "log", tabIndex: 0, "aria-label": "What happened", hidden: true },
      makeElement("ol", {}),
    );
    this.stage = makeElement("div", {});
    this.dice = new SystemRandom();
    /** @type {Seat[]} */
    this.seats = [];
    /** @type {Entry[]} */
    this.log = [];
    this.seen = 0; // moves that were there when the person last did something
    this.pace = new MovePacer(() => this.#drawTable(!this.pace.hasHiddenMoves, true));
    this.whose = makeElement("span", {});
    this.waits = makeElement(
      "p",
      {},
      this.whose,
      " ",
      smallButton("Skip ahead", () => {}),
    ); // as any tap does
    this.broken = false;
    this.drew = -1; // the place of the action that was drawn for the person
    this.looks = -1; // the seat whose secrets the screen shows, where several people share it
    this.queue = Promise.resolve();
    this.element = this.#makeSection();
    if (before) this.#resume(before, savedGame !== null);
  }

  /** A list of who can play a seat. @param {number} seat @param {number} [chosenIndex] @returns {HTMLSelectElement} */
  #playerSelect(seat, chosenIndex = seat ? 1 : 0) {
    const { setting } = this.loadedGame;
    const options = this.players.map((player, place) => {
      const text = player ? opponentText(setting, player, seat) : sentenceText("you");
      return makeElement("option", { selected: place === chosenIndex }, text);
    });
    return makeElement("select", {}, ...options);
  }

  /** The name of a seat that nobody has taken yet. @param {number} seat */
  #freeSeatName(seat) {
    const side = this.loadedGame.game.sides[seat];
    return side ? capitalized(readableName(side)) : `Player ${seat + 1}`;
  }

  /** The section with the seats and the table. */
  #makeSection() {
    const several = this.loadedGame.game.seats > 1;
    const seats = this.selects.map((select, seat) =>
      makeElement("label", {}, makeElement("span", {}, this.#freeSeatName(seat)), select),
    );
    const hints = makeElement("label", {}, makeElement("span", {}, "Show what actions are worth"), this.hints);
    const odds = several && this.opponents.some((player) => player.odds.length);
    const note = "The numbers are what such a player gets in that seat if everybody else follows best play.";
    const start = button("New game", () => this.#start());
    start.dataset.odHere = "";
    /** @type {HTMLDetailsElement | null} folded once a game is on its way */
    this.who = several
      ? makeElement(
          "details",
          { class: "od-more", open: true },
          makeElement("summary", {}, "Who plays"),
          makeElement("div", { class: "od-fields" }, ...seats),
          odds ? makeElement("p", { class: "od-note" }, note) : "",
        )
      : null;
    return makeElement(
      "section",
      { class: "od-playing", "aria-label": "Play at this screen" },
      makeElement("h3", {}, "Play at this screen"),
      this.who ?? "",
      makeElement("div", { class: "od-fields" }, hints),
      makeElement("p", {}, start),
      this.stage,
      this.story,
    );
  }

  // --- the game

  /** Start a new game. */
  #start() {
    this.#fillSeats();
    this.#showLog([]);
    this.#extendGame();
  }

  /** Fill the seats with the chosen players. */
  #fillSeats() {
    this.seats = this.selects.map(({ selectedIndex: place }) =>
      place
        ? { kind: "npc", user: null, name: "", skill: place - 1 }
        : { kind: "user", user: "here", name: "", skill: 0 },
    );
    if (this.who) this.who.open = false;
  }

  /** Continue a saved game, if its log is valid. @param {Saved} saved
   * @param {boolean} isImmediate whether it goes on at once; else a button offers it */
  #resume({ log }, isImmediate) {
    try {
      positionAfterLog(this.loadedGame, log);
    } catch (error) {
      if (!(error instanceof RecordError || error instanceof RuleFailure)) throw error;
      const why = makeElement(
        "p",
        { role: "alert" },
        withoutDoubleStops(`This is no game by these rules: ${error.message}.`),
      );
      if (isImmediate) this.stage.replaceChildren(why);
      return;
    }
    const goOn = () => {
      this.#fillSeats();
      this.#showLog(log);
      this.#drawTable(true);
    };
    if (isImmediate) return goOn();
    const again = button("Go on with your last game", goOn);
    again.dataset.odHere = "";
    this.stage.replaceChildren(makeElement("p", {}, again));
  }

  /** Extend the game by the person's act, if there is one, and by the moves that `extendLog` adds after it.
   * @param {number | null} [ownAction] */
  #extendGame(ownAction) {
    this.queue = this.queue.then(async () => {
      const { loadedGame, seats, opponents, dice } = this;
      this.drew = -1;
      const longer = await extendLog(loadedGame, seats, opponents, this.log, dice, ownAction);
      if (!longer) return;
      this.seen = this.log.length;
      [this.log, this.broken] = [longer.log, longer.broken];
      this.pace.showMoves(this.log, seats, this.seen);
      this.#saveInBrowser();
      this.#drawTable(true, true);
    });
  }

  /** Go back to an earlier point of the game, from where it can go on in another way. @param {readonly Entry[]} log */
  #goBackTo(log) {
    this.#showLog([...log]);
    this.broken = false;
    this.#saveInBrowser();
    this.#drawTable(true);
  }

  /** Draw an action at random, with the probabilities of best play, and mark it. @param {readonly bigint[]}
   * actionWeights the weights of the actions */
  #drawActionAtRandom(actionWeights) {
    const choice = drawIndexByWeight(actionWeights);
    let asked = choice.next();
    while (!asked.done) asked = choice.next(this.dice.below(asked.value));
    this.drew = asked.value;
    this.#drawTable(true);
  }

  /** Show another log up to its end. @param {Entry[]} log */
  #showLog(log) {
    this.log = log;
    [this.drew, this.looks] = [-1, -1];
    this.seen = Math.max(0, log.length - 1);
    this.pace.showAll(log.length);
  }

  /** The game as it is saved. */
  get #savedGame() {
    return { players: this.selects.map(({ selectedIndex }) => selectedIndex), log: this.log };
  }

  /** Save the game in this browser. */
  #saveInBrowser() {
    saveGame(this.loadedGame.setting.slug, this.log.length ? this.#savedGame : null);
  }

  // --- what is shown

  /** The names of the seats. */
  #seatNames() {
    if (this.seats.length === 1) return [sentenceText("you")];
    return this.seats.map(({ kind, skill }, seat) => {
      const play = kind === "npc" ? opponentName(this.opponents[skill]) : sentenceText("you");
      const side = this.loadedGame.game.sides[seat];
      return side
        ? sentenceText("sided", { name: capitalized(readableName(side)), side: play })
        : sentenceText("guest", { number: seat + 1, play });
    });
  }

  /** Draw the table. @param {boolean} [moveFocus] whether focus goes to what can be done now @param {boolean}
   * [isNewMove] whether the last move has only just been made */
  #drawTable(moveFocus = false, isNewMove = false) {
    if (!this.seats.length) return;
    const { loadedGame, stage, log, pace } = this;
    const position = positionAfterLog(loadedGame, log.slice(0, pace.shown));
    const alone = this.seats.length === 1;
    const { personSeats: persons } = this;
    const eye = viewpointSeat(persons, position.state);
    const passes = this.#needsScreenPass(position.state);
    const { state, moves } = positionSeenBySeat(loadedGame, position, passes ? -1 : eye);
    const called = uniqueSeatNames(this.seats, loadedGame.game.sides);
    const parts = moves.map((move) =>
      storyLineWithDrawing(
        loadedGame.game,
        moveParts(loadedGame.game, move.before, move, alone ? null : called[move.seat]),
      ),
    );
    updateMoveLines(this.story, parts);
    const made = reviewedChoices(loadedGame, position.moves, position.state, persons);
    const last = made.find(({ place }) => place === this.seen);
    const cost = choiceCostText(loadedGame, last);
    const mine = loadedGame.rules.hasSecrets && eye !== null && eye >= 0 ? [eye] : persons;
    const [table, about] = drawPosition(loadedGame, state, moves, this.#seatNames(), { fresh: isNewMove, mine });
    replaceChildrenInPlace(stage, [
      table,
      ...this.#recentMovesElement(parts, moves),
      ...(cost ? [makeElement("p", { class: "od-cost", "aria-live": "polite" }, cost)] : []),
      ...(passes && !pace.hasHiddenMoves
        ? this.#passScreenControls(position.state.mover)
        : this.#actControls(position)),
      about,
      ...(position.state.phase
        ? []
        : reviewSection(loadedGame, made, !alone, (place) => this.#goBackTo(log.slice(0, place)))),
      this.#helpControls(position),
    ]);
    const here = stage.querySelector(".od-best") ?? stage.querySelector("[tabindex]") ?? stage.querySelector("button");
    here?.setAttribute("data-od-here", "");
    if (moveFocus) here?.focus({ preventScroll: true });
  }

  /** The moves since the person's last act, a line for each.
   * @param {import("../runtime/words/drawn.mjs").Line[]} moveLines @param {readonly Told[]} moves */
  #recentMovesElement(moveLines, moves) {
    let from = this.seen;
    while (moves[from]?.before.together?.chosen.length) from--; // choices at once are told together
    const news = moveLines.slice(from).slice(-NEWS);
    const lines = news.map(({ draw }) => makeElement("li", {}, ...draw()));
    return lines.length ? [makeElement("ul", { class: "od-last", "aria-hidden": "true" }, ...lines)] : [];
  }

  /** The seats of people. */
  get personSeats() {
    return this.seats.flatMap(({ kind }, seat) => (kind === "user" ? [seat] : []));
  }

  /** Whether the screen has to be passed to another person first, so that nobody sees the secrets of another.
   * @param {import("../runtime/rules/rules.mjs").State} state */
  #needsScreenPass({ phase, mover }) {
    const { personSeats: persons, loadedGame } = this;
    return (
      loadedGame.rules.hasSecrets &&
      phase !== "" &&
      persons.length > 1 &&
      persons.includes(mover) &&
      mover !== this.looks
    );
  }

  /** Ask to pass the screen to the player who may see what comes next. @param {number} seat @returns {Node[]} */
  #passScreenControls(seat) {
    const name = uniqueSeatNames(this.seats, this.loadedGame.game.sides)[seat];
    const look = button(sentenceText("look", { name }), () => {
      this.looks = seat;
      this.#drawTable(true);
    });
    return [makeElement("p", {}, sentenceText("passTo", { name })), makeElement("p", {}, look)];
  }

  /** The controls of the person to act. @param {Position} position @returns {Node[]} */
  #actControls(position) {
    const { loadedGame } = this;
    const { state, actions } = position;
    if (this.pace.hasHiddenMoves) {
      const follows = actions?.length === 1 && seatToMove(this.seats, state)?.kind === "user";
      this.whose.textContent = follows
        ? sentenceText("follows", { what: actionName(loadedGame.game, state, actions[0]) })
        : sentenceText("turnOf", { name: this.#seatNames()[state.mover] });
      return [this.waits];
    }
    if (this.broken) return [makeElement("p", { role: "alert" }, sentenceText("stuck"))];
    if (!state.phase) {
      const names =
        this.seats.length === 1 ? [sentenceText("you")] : uniqueSeatNames(this.seats, loadedGame.game.sides);
      return [
        makeElement("p", { role: "status" }, endText(loadedGame, state, names)),
        makeElement(
          "p",
          {},
          button("Play again", () => this.#start()),
        ),
      ];
    }
    if (seatToMove(this.seats, state)?.kind === "npc")
      return [
        makeElement(
          "p",
          {},
          button("Go on", () => this.#extendGame()),
        ),
      ];
    const several = actions !== null && actions.length > 1;
    const hints = several && this.hints.checked;
    const best = (hints && adviceAt(loadedGame, state)?.equal) || [];
    const worth = (hints ? loadedGame.values?.actionValues(state) : null) ?? [];
    const buttons = actionControls(loadedGame, state, actions, undefined, (text, place) => {
      const choice = button(text, () => this.#extendGame(place));
      const loss = worth.find(({ action }) => action === place)?.loss ?? 0;
      if (place !== null && place === this.drew) markBestAction(choice, sentenceText("drawn"));
      else if (best.includes(text)) markBestAction(choice, sentenceText("best"));
      else if (loss > 1) choice.append(" ", makeElement("small", {}, lossText(loadedGame, loss - 1)));
      return choice;
    });
    const heading = actions ? [makeElement("strong", {}, loadedGame.words.phases[state.phase] ?? state.phase)] : [];
    // Where there is something to decide, focus goes to the question: Enter alone takes no option that nobody has seen.
    return [
      makeElement("p", several ? { tabIndex: -1 } : {}, ...heading),
      makeElement("div", { class: "od-choices", role: "group", "aria-label": "Your options" }, ...buttons),
      ...(hints
        ? loadedGame.plan
          ? mixedAdviceElements(loadedGame, position)
          : positionAdviceElements(loadedGame, state)
        : []),
    ];
  }

  /** The controls for help and for going back. @param {Position} position */
  #helpControls(position) {
    const { state, actions, moves } = position;
    const before = logBeforeLastAct(this.loadedGame, this.seats, this.log, this.broken ? position : null);
    const { policy, plan, rules } = this.loadedGame;
    const decides = !this.pace.hasHiddenMoves && actions && actions.length > 1;
    const asks = decides && policy && !this.hints.checked;
    const chances = decides && !this.#needsScreenPass(state) ? plan?.decisionAt(rules, moves, state)?.chances : null;
    // Beside what is there already: dice that somebody has picked stay picked.
    const peek = () => best.replaceWith(...adviceElements(adviceAt(this.loadedGame, state)));
    const best = smallButton("Show me the best", peek);
    const address = () => savedGameAddress(this.loadedGame.setting.slug, this.#savedGame);
    const link = copyButton("Copy a link to this game", address, { class: "od-small" });
    return makeElement(
      "div",
      { class: "od-tools" },
      asks ? best : "",
      chances ? smallButton(sentenceText("drawForMe"), () => this.#drawActionAtRandom(chances)) : "",
      before ? smallButton("Undo", () => this.#goBackTo(before)) : "",
      this.log.length ? link : "",
    );
  }
}

/** Mark a button as the action to take: no other is better, or it was drawn. @param {HTMLElement} button
 * @param {string} reason */
function markBestAction(button, reason) {
  button.classList.add("od-best");
  button.append(" ", makeElement("small", {}, reason));
}
