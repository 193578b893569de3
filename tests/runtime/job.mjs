// Answers jobs of tests/runtime: one JSON a line on standard input, one JSON a line on standard output.

import { readFileSync } from "node:fs";

import { rollDistribution } from "../../site/runtime/rules/dice.mjs";
import { compileExpression } from "../../site/runtime/rules/expression.mjs";
import { Game, SettingError } from "../../site/runtime/rules/game.mjs";
import { RuleFailure, Fraction, Hand } from "../../site/runtime/rules/values.mjs";
import { PolicyTable, stateSeenFromMover, unpackGzip, ActionValueTable } from "../../site/runtime/table/policy.mjs";
import { TurnTable } from "../../site/runtime/table/turns.mjs";
import {
  asksForSeat,
  formFieldsOfPhase,
  readStateOrInvalidLabel,
  valueAsTyped,
} from "../../site/runtime/words/form.mjs";
import { told } from "./lines.mjs";

const asData = (value, seat) => {
  if (value instanceof Hand) return value.dice;
  if (value instanceof Fraction) return String(value);
  if (Array.isArray(value)) return value.map((item) => asData(item, seat));
  return seat ? value + 1 : value;
};
const handOf = (dice) => new Hand(dice);

/** The value of a tree at a moment of the vectors; or the code of the error that it gives. */
function value(game, tree, moment, seat) {
  const cells = [...game.start];
  for (const [name, given] of Object.entries(moment.cells ?? {})) {
    const block = game.cellNumbers(name);
    const values = block.length > 1 ? given : [given];
    block.forEach((where, i) => {
      const { kind } = game.cells[where].variable;
      cells[where] = kind === "hand" ? handOf(values[i]) : kind === "seat" ? values[i] - 1 : values[i];
    });
  }
  const out = (moment.out ?? []).reduce((bits, one) => bits | (1 << (one - 1)), 0);
  const m = game.context(cells, (moment.mover ?? 1) - 1, out);
  m.seat = (moment.seat ?? moment.mover ?? 1) - 1;
  for (const [name, given] of Object.entries(moment.local ?? {}))
    m.local[name] = Array.isArray(given) ? handOf(given) : given;
  try {
    return asData(compileExpression(tree)(m), seat);
  } catch (error) {
    if (error instanceof RuleFailure) return { error: error.code };
    throw error;
  }
}

/** The best action in the position that the form of a page gives, filled in with what the mover sees. */
function filledIn(game, policy, state) {
  if (!policy.blocks.has(state.phase)) return null;
  const { cells, out } = stateSeenFromMover(game, state);
  const text = ({ where }) => valueAsTyped(game, where, cells[where]);
  const all = formFieldsOfPhase(game, policy, state.phase, { phases: {}, variables: {} });
  const gone = Array.from({ length: game.seats }, (_, seat) => seat + 1).filter((seat) => (out >> (seat - 1)) & 1);
  const found = readStateOrInvalidLabel(
    game,
    policy,
    state.phase,
    all,
    text,
    asksForSeat(game, policy) ? state.mover : 0,
    gone,
  );
  return typeof found === "string" ? found : policy.best(found);
}

/** The code of what is wrong with a game at some values; `setting` where the rules do not have them. */
function refused(bundle, values) {
  try {
    new Game(bundle, undefined, values);
    return "";
  } catch (error) {
    if (error instanceof RuleFailure) return error.code;
    if (error instanceof SettingError) return "setting";
    throw error;
  }
}

const JOBS = {
  games: ({ bundle, settings }) => settings.map((values) => refused(bundle, values)),
  expressions: ({ bundle, seats, rows }) => {
    const game = new Game(bundle, seats);
    return rows.map(({ tree, moment, seat }) => value(game, tree, moment, seat));
  },
  laws: ({ laws }) =>
    laws.map(({ dice }) => {
      const found = rollDistribution(
        dice.map((die) => [die.count, { name: "", kind: die.kind, faces: die.faces, weights: die.weights }]),
      );
      return { denominator: found.denominator, hands: found.hands.map(([hand, weight]) => [hand.dice, weight]) };
    }),
  policy: async (job) => {
    const table = async (text) => unpackGzip(Buffer.from(text, "base64"));
    const game = new Game(job.bundle, job.seats, job.parameters);
    const policy = new PolicyTable(await table(job.policy), game);
    const values = job.values ? new ActionValueTable(await table(job.values), policy) : null;
    const asked = job.training ? new ActionValueTable(await table(job.training), policy) : null;
    const states = job.states.map((given) => {
      const state = { ...given, cells: given.cells.map((value) => (value.hand ? handOf(value.hand) : value)) };
      return [policy.best(state), values ? values.actionValues(state) : null, filledIn(game, policy, state)];
    });
    const trained = asked?.decisions.map((number) => {
      const state = policy.positionAt(number);
      return { ...state, cells: state.cells.map((value) => asData(value)), worth: asked.actionValues(state) };
    });
    return { states, trained: trained ?? [] };
  },
  turns: async (job) => {
    const game = new Game(job.bundle, job.seats, job.parameters);
    const turns = new TurnTable(await unpackGzip(Buffer.from(job.turns, "base64")), game);
    return job.states.map((given) => {
      const state = { ...given, cells: given.cells.map((value) => (value.hand ? handOf(value.hand) : value)) };
      return [turns.best(state), turns.actionValues(state), filledIn(game, turns, state), turns.expectedPayoff(state)];
    });
  },
  plays: (job) => told(job.bundle, job),
};

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const job = JSON.parse(line);
  console.log(JSON.stringify(await JOBS[job.job](job)));
}
