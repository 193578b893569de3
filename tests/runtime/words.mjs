// Answers, one JSON a line, what the runtime says of settings, odds, moves and boards; in a made-up language where a
// job asks.

import { readFileSync } from "node:fs";

import { houseRuleControls } from "../../site/page/house.mjs";
import { coinTransfers } from "../../site/runtime/felt/motion.mjs";
import { switchSounds, areSoundsOn } from "../../site/runtime/felt/sounds.mjs";
import { Game } from "../../site/runtime/rules/game.mjs";
import { Random } from "../../site/runtime/rules/random.mjs";
import { Rules } from "../../site/runtime/rules/rules.mjs";
import { EntrySayings } from "../../site/runtime/rules/sayings.mjs";
import { actionsAt, verifyTranscript } from "../../site/runtime/table/record.mjs";
import { settingOfSlug, slugOfSetting } from "../../site/runtime/table/settings.mjs";
import { Table } from "../../site/runtime/table/table.mjs";
import { drawBoard, boardNotes } from "../../site/runtime/words/board.mjs";
import { formFieldsOfPhase, positionForm, parseField } from "../../site/runtime/words/form.mjs";
import {
  actionName,
  endText,
  moveText,
  opponentText,
  rangeText,
  relativeSeatName,
  settingVariantText,
  settingText,
  unsolvedText,
  valueText,
  yourTurnText,
} from "../../site/runtime/words/sentences.mjs";
import { amountText } from "../../site/runtime/words/view.mjs";
import { ENGLISH, setTranslation, sentenceText } from "../../site/runtime/words/words.mjs";

// As much of a document as a board is made of.
class Element {
  constructor(name) {
    Object.assign(this, { name, children: [], attributes: {}, style: {}, open: false });
  }
  append(...children) {
    this.children.push(...children);
  }
  replaceChildren(...children) {
    this.children = children;
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  addEventListener(name, listen) {
    this[name] = listen;
  }
  querySelectorAll() {
    return [];
  }
  get text() {
    // What is drawn is read aloud by its label.
    return this.attributes["aria-label"] ?? this.children.map((one) => one.text ?? one).join(" ");
  }
}
globalThis.requestAnimationFrame = () => {}; // nothing is ever seen here
globalThis.document = {
  createElement: (name) => new Element(name),
  createElementNS: (_, name) => new Element(name),
};

const find = (element, name) =>
  element.name === name ? [element] : (element.children?.flatMap((one) => find(one, name)) ?? []);

const JOBS = {
  english: () => ENGLISH,
  lacking: ({ bundle, settings }) => settings.map((setting) => unsolvedText(bundle, setting)),
  settings: ({ book, sizes, slugs }) =>
    [...sizes.map(([seats, values]) => slugOfSetting(book, seats, values)), ...slugs].map((slug) => {
      const setting = settingOfSlug(book, slug);
      return [
        settingText(book, setting),
        settingText(
          { bundle: new Game(book.bundle, setting.seats, setting.parameters).bundle, words: book.words },
          setting,
        ),
        settingVariantText(book, setting),
        setting.objective,
        ...setting.opponents.map((one) => opponentText(setting, one, 0)),
      ];
    }),
  ranges: ({ book: { bundle, words } }) =>
    Object.entries(bundle.parameters).map(([name, parameter]) => [
      rangeText(name, parameter, words.parameters[name]),
      valueText(parameter.default, words.parameters[name]),
    ]),
  opponents: ({ setting, opponents, begun }) => opponents.map((one) => opponentText(setting, one, 0, begun)),
  amounts: ({ settings, units }) =>
    settings.map((one) => [amountText(units, 5, one), amountText(units, 5, one, "points")]),
  turns: ({ phases }) => phases.map((words) => yourTurnText({ words: { phases: { it: words } } }, { phase: "it" })),
  // What is said where what is put in ends as a sentence does.
  ended: ({ keys, what }) =>
    keys.map((key) => sentenceText(key, { name: "Ann", what, phase: what, story: what, fell: "1", each: what })),
  seats: ({ seats }) => Array.from({ length: seats }, (_, by) => relativeSeatName(by, seats)),
  // A play at random: what is told of it from the seat that is the reader's.
  story: ({ bundle, seats, parameters, names, reader, seed }) => {
    const game = new Game(bundle, seats, parameters);
    const random = new Random(seed);
    const table = new Table({ game, rules: new Rules(game), policy: null }, Array(seats).fill(null), random);
    const story = [];
    while (!table.isOver && story.length < 400) {
      const { state, actions } = table;
      const move = actions ? table.choose(actions[random.below(actions.length)]) : table.roll();
      story.push(
        moveText(
          game,
          state,
          move,
          move.seat === reader ? null : (names?.[move.seat] ?? `Nr ${move.seat + 1}`),
          names ?? undefined,
        ),
      );
    }
    return story;
  },
  // A play that Python recorded: what is offered and told at each of its moves.
  aloud: ({ bundle, seats, parameters, said, rules, data }) => {
    const game = new Game(bundle, seats, parameters);
    game.sayings = new EntrySayings(said);
    const ready = { game, rules: new Rules(game) };
    return verifyTranscript(ready, rules, data).moves.map((move) => [
      (actionsAt(ready, move.before) ?? []).map((action) => actionName(game, move.before, action)),
      moveText(game, move.before, move, "Nobody"),
    ]);
  },
  // A position in which the game is over, with what lies in the cells of one variable.
  ending: ({ bundle, seats, setting, cells: [name, values], names }) => {
    const game = new Game(bundle, seats, {});
    const cells = [...game.start];
    for (const [place, where] of game.cellNumbers(name).entries()) cells[where] = values[place];
    const ready = { game, rules: new Rules(game), setting };
    return endText(ready, { phase: "", mover: 0, out: 0, cells }, names);
  },
  // What is to be filled in for some variables.
  fields: ({ bundle, seats, parameters, words, names }) => {
    const game = new Game(bundle, seats, parameters);
    const cells = names.flatMap((name) => game.cellNumbers(name)).map((where) => [where, 0, 2]);
    return formFieldsOfPhase(game, { head: { phases: [{ name: "here", cells }] } }, "here", words).map(
      ({ label }) => label,
    );
  },
  // House rules of a page: what there is to choose, and the game that a change leads to; or what is said instead.
  house: ({ book, slug, changes }) => {
    const chosen = [];
    const drawn = houseRuleControls(book, settingOfSlug(book, slug), (setting) => chosen.push(setting.slug));
    const [box, note] = drawn;
    const labels = box ? find(box, "label") : [];
    for (const [place, target] of changes) labels[place].children[1].change({ target });
    return {
      labels: labels.map(({ children }) => [children[0].text, children[2].text]),
      note: note?.children ?? [],
      chosen,
    };
  },
  // A form with some values: what stands in it, and what is read from it when something else is typed.
  filled: ({ bundle, seats, parameters, words, names, given, typed }) => {
    const game = new Game(bundle, seats, parameters);
    const cells = names.flatMap((name) => game.cellNumbers(name)).map((where) => [where, 0, 20]);
    const all = formFieldsOfPhase(game, { head: { phases: [{ name: "here", cells }] } }, "here", words);
    const made = positionForm(game, all, given, () => {});
    const inputs = find(made.element, "label").map((label) => label.children[1]);
    const about = find(made.element, "label").map((label) => label.children[2]?.text ?? "");
    const shown = inputs.map(({ attributes: { min, max, step, value } }) => [min, max, step, value]);
    for (const [place, value] of typed.entries()) inputs[place].value = value;
    const now = made.typed();
    return { shown, about, now, read: all.map((field) => parseField(game, field, now[field.key])) };
  },
  // Where the pieces of a board lie when the cells of some variables hold something else than at the start.
  pieces: ({ bundle, seats, parameters, words, cells }) => {
    const game = new Game(bundle, seats, parameters);
    const state = { ...new Rules(game).start(), cells: [...game.start] };
    for (const [name, values] of Object.entries(cells))
      for (const [place, where] of game.cellNumbers(name).entries()) state.cells[where] = values[place];
    const drawn = drawBoard(game, words, state, ["Ann", "Bob"]);
    const circles = find(drawn, "g").filter((one) => one.attributes.class === "od-piece");
    const squares = find(drawn, "rect").map(({ attributes: { x, y, width, height } }) =>
      [x, y, width, height].map(Number),
    );
    const inside = ([x, y, wide, high], [left, top]) => left > x && left < x + wide && top > y && top < y + high;
    return {
      squares: squares.length,
      holes: find(drawn, "circle").filter(({ attributes }) => attributes.r === "1.7").length,
      pieces: circles.map((one) => {
        const [circle, letter] = one.children;
        const middle = [Number(circle.attributes.cx), Number(circle.attributes.cy)];
        return [letter.children[0], squares.findIndex((box) => inside(box, middle))];
      }),
      text: drawn.text,
    };
  },
  flows: ({ old, now }) => coinTransfers(new Map(old), new Map(now)).map(({ from, to, coins }) => [from, to, coins]),
  sounds: () => {
    const before = areSoundsOn();
    switchSounds(true);
    return [before, areSoundsOn()];
  },
  board: ({ bundle, seats, parameters, words, names, cells = {} }) => {
    const game = new Game(bundle, seats, parameters);
    const state = { ...new Rules(game).start(), cells: [...game.start] };
    for (const [name, values] of Object.entries(cells))
      for (const [place, where] of game.cellNumbers(name).entries()) state.cells[where] = values[place];
    const draw = () => drawBoard(game, words, state, names);
    const details = () => find(boardNotes(words), "details")[0];
    const before = details();
    before.open = true;
    before.toggle();
    return {
      text: draw().text,
      told: before.text,
      summary: find(before, "summary").length,
      open: [details().open],
    };
  },
};

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const job = JSON.parse(line);
  if (job.foreign) setTranslation((key, data) => `<${[key, ...Object.values(data)].join("|")}>`);
  else setTranslation((key, data) => ENGLISH[key].replace(/\{(\w+)\}/g, (_, name) => String(data[name])));
  console.log(JSON.stringify(job.job ? JOBS[job.job](job) : sentenceText(job.key)));
}
