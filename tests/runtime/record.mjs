// Holds transcripts that Python wrote against the rules, one JSON a line: how many moves, and what is wrong where one
// is refused.

import { readFileSync } from "node:fs";

import { Game } from "../../site/runtime/rules/game.mjs";
import { Rules } from "../../site/runtime/rules/rules.mjs";
import { RecordError, makeTranscript, verifyTranscript } from "../../site/runtime/table/record.mjs";

const BEFORE = Reflect.ownKeys(Object.prototype).length;

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const { bundle, seats, parameters, rules, data: given, text } = JSON.parse(line);
  const data = text ? JSON.parse(text) : given;
  const game = new Game(bundle, seats, parameters);
  const ready = { game, rules: new Rules(game) };
  try {
    const { moves } = verifyTranscript(ready, rules, data);
    console.log(JSON.stringify({ moves: moves.length, again: makeTranscript(ready, { rules, log: data.log }) }));
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    console.log(JSON.stringify({ refused: error.message, at: error.at }));
  }
  // What every object has is as it was: no key of a transcript has reached it.
  if (Reflect.ownKeys(Object.prototype).length !== BEFORE || "polluted" in {})
    throw new Error("a prototype was changed");
}
