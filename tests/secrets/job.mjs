// Answers jobs of tests/secrets/test_runtime.py: one JSON a line on standard input, one JSON a line on standard output.

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

import { Game } from "../../site/runtime/rules/game.mjs";
import { Belief, possibleOccurrences, positionKey, observationTextOf } from "../../site/runtime/rules/observations.mjs";
import { Random } from "../../site/runtime/rules/random.mjs";
import { Rules } from "../../site/runtime/rules/rules.mjs";
import { drawIndexByWeight, PlanTable } from "../../site/runtime/table/plan.mjs";
import { replayLog } from "../../site/runtime/table/record.mjs";

/** What can happen, as texts in an order that both engines have. */
function told(rules, state) {
  const seats = Array.from({ length: rules.game.seats }, (_, seat) => seat);
  return possibleOccurrences(rules, state)
    .map(({ after, learned }) => {
      const seen = [...seats, -1].map((seat) => observationTextOf(learned, seat));
      return { after, seen, text: [...seen, positionKey(after)].join(" # ") };
    })
    .sort((one, other) => (one.text < other.text ? -1 : 1));
}

/** A random play: what could happen at each position; and whether what every seat believes holds the position. */
function played({ bundle, seats, parameters, seed }) {
  const rules = new Rules(new Game(bundle, seats, parameters));
  const random = new Random(seed);
  let state = rules.start();
  let beliefs = Array.from({ length: seats }, (_, seat) => Belief.start(rules, seat));
  const lines = [positionKey(state)];
  const sizes = [];
  let held = true;
  while (state.phase && lines.length < 60) {
    const all = told(rules, state);
    lines.push(all.map(({ text }) => text).join("\n"));
    const { after, seen } = all[random.below(all.length)];
    beliefs = beliefs.map((belief, seat) => belief.update(seen[seat]));
    held &&= beliefs.every(({ positions }) => positions.some((one) => positionKey(one) === positionKey(after)));
    sizes.push(beliefs.map(({ positions }) => positions.length));
    state = after;
  }
  return { lines, sizes, held };
}

/** What the table of best play says at each choice of a play. */
function advised({ bundle, seats, parameters, log, plan }) {
  const game = new Game(bundle, seats, parameters);
  const ready = { game, rules: new Rules(game) };
  const table = PlanTable.read(gunzipSync(Buffer.from(plan, "base64")));
  return log.flatMap((entry, place) => {
    const { state, moves } = replayLog(ready, log.slice(0, place));
    if (!("choose" in entry) || ready.rules.actions(state).length < 2) return [];
    const planned = table.decisionAt(ready.rules, moves, state);
    return [planned && [planned.chances?.map(String) ?? null, planned.worth]];
  });
}

/** How much worse each action is than the best. */
function losses({ plan, worth }) {
  return PlanTable.read(gunzipSync(Buffer.from(plan, "base64"))).lossesOfActions(worth);
}

/** How often each place is drawn, over all numbers that chance can give; asked once. */
function lots({ weights }) {
  const counts = weights.map(() => 0);
  const bound = drawIndexByWeight(weights.map(BigInt)).next().value;
  for (let number = 0; number < bound; number++) {
    const draw = drawIndexByWeight(weights.map(BigInt));
    draw.next();
    counts[draw.next(number).value] += 1;
  }
  return counts;
}

/** Places that are drawn where weights are long, with numbers from a seed. */
function drawnOften({ weights, seed, times }) {
  const random = new Random(seed);
  return Array.from({ length: times }, () => {
    const draw = drawIndexByWeight(weights.map(BigInt));
    let step = draw.next();
    while (!step.done) step = draw.next(random.below(step.value));
    return step.value;
  });
}

const JOBS = { played, advised, losses, lots, drawnOften };
for (const line of readFileSync(0, "utf-8").split("\n").filter(Boolean)) {
  const job = JSON.parse(line);
  console.log(JSON.stringify(JOBS[job.job](job)));
}
