// Answers, one JSON a line, which action each policy of a ruleset prescribes in states; and what opponents make of
// chance.

import { readFileSync } from "node:fs";

import { Game } from "../../site/runtime/rules/game.mjs";
import { Rules } from "../../site/runtime/rules/rules.mjs";
import { Hand } from "../../site/runtime/rules/values.mjs";
import { pickAction, NamedPolicy } from "../../site/runtime/table/opponents.mjs";

const JOBS = {
  prescribed: ({ bundle, seats, parameters, policy, states }) => {
    const game = new Game(bundle, seats, parameters);
    const [rules, prescription] = [new Rules(game), new NamedPolicy(game, policy)];
    return states.map((given) => {
      const state = { ...given, cells: given.cells.map((value) => (value.hand ? new Hand(value.hand) : value)) };
      return prescription.pick(state, rules.actions(state));
    });
  },
  // What is picked of so many actions where the table says this (a chance in 2^32 of the first of two, or one place),
  // and what was asked of chance meanwhile.
  picked: async ({ kind, best, table, actions, drawn }) => {
    const policy = {
      best: (_, below) => (Array.isArray(table) ? (below(2 ** 32) < table[0] ? table[1] : table[2]) : table),
    };
    const asked = [];
    const below = async (bound) => (asked.push(bound), drawn.shift());
    const opponent = { name: "", kind, policy: null, best: best ?? null, odds: [] };
    return [await pickAction({ policy }, opponent, {}, Array(actions).fill({}), [], below), asked];
  },
};

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const job = JSON.parse(line);
  console.log(JSON.stringify(await JOBS[job.job](job)));
}
