// Plays as lines of text, as tests/runtime/lines.py writes them: the same seed, the same lines, or the engines differ.

import { createHash } from "node:crypto";

import { Game } from "../../site/runtime/rules/game.mjs";
import { Random } from "../../site/runtime/rules/random.mjs";
import { requestDistribution, Rules } from "../../site/runtime/rules/rules.mjs";
import { RuleFailure, Hand } from "../../site/runtime/rules/values.mjs";

const word = (game, value, seat = false) => {
  if (value instanceof Hand)
    return `[${value.dice.map(([face, kind]) => `${game.bundle.kinds[kind]}:${face}`).join(" ")}]`;
  return String(seat ? value + 1 : value);
};

function position(game, state) {
  const out = [...Array(game.seats).keys()].filter((seat) => (state.out >> seat) & 1).map((seat) => seat + 1);
  const parts = [`at: ${state.phase}`, `seat ${state.mover + 1}`, ...(out.length ? [`out ${out.join(" ")}`] : [])];
  for (const { name, kind } of game.variables)
    parts.push(
      [name, ...game.cellNumbers(name).map((where) => word(game, state.cells[where], kind === "seat"))].join(" "),
    );
  return parts.join("; ");
}

const option = (game, action) =>
  [action.name, ...Object.entries(action.binding).map(([name, value]) => `${name} ${word(game, value)}`)].join("; ");

/** What each seat got, or what breaks where the payoff cannot be told. */
function paid(rules, state, name) {
  try {
    return `${name} ${rules.payoffs(state, name).join(" ")}`;
  } catch (error) {
    if (!(error instanceof RuleFailure)) throw error;
    return `${name} broken: ${error.code}`;
  }
}

/** The lines of random plays, one game after the other, until so many positions were met. */
export function* lines(bundle, { seats, parameters, positions, seed }) {
  const game = new Game(bundle, seats, parameters);
  const rules = new Rules(game);
  const random = new Random(seed);
  let state = rules.start();
  for (let met = 0; met < positions; met++) {
    yield position(game, state);
    if (!state.phase) {
      for (const name of Object.keys(rules.pay)) yield paid(rules, state, name);
      state = rules.start();
      continue;
    }
    try {
      let step;
      if (rules.actorKind(state) === "choose") {
        const actions = rules.actions(state);
        yield `may: ${actions.map((action) => option(game, action)).join(" | ")}`;
        step = rules.choose(state, actions[random.below(actions.length)]);
      } else {
        const sizes = [];
        const thrown = rules.rollWith(state, (request) => {
          const found = requestDistribution(request);
          sizes.push(`${found.length} of ${found.reduce((sum, [, weight]) => sum + weight, 0)}`);
          return random.pick(found);
        });
        yield `fell: ${thrown.values.map(([name, value]) => `${name} ${word(game, value)}`).join("; ")} (${sizes.join(", ")})`;
        step = rules.resolve(state, thrown);
      }
      yield `then: ${step.events.map((event) => event.slice(0, 2).join(": ")).join(", ")}${step.turnOver ? " (turn over)" : ""}`;
      state = step.state;
    } catch (error) {
      if (!(error instanceof RuleFailure)) throw error;
      yield `broken: ${error.code}`;
      state = rules.start();
    }
  }
}

/** The hash of the lines; with `show`, the lines from one to another instead. */
export function told(bundle, job) {
  if (job.show) return [...lines(bundle, job)].slice(...job.show);
  const hash = createHash("sha256");
  const marks = [];
  let count = 0;
  for (const line of lines(bundle, job)) {
    hash.update(line + "\n");
    if (++count % 1000 === 0) marks.push(hash.copy().digest("hex"));
  }
  return [...marks, hash.digest("hex")];
}
