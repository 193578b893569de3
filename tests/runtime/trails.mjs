// Ways of a piece over a grid, each as the squares where it stands and where it looks after each change.

import { trailOfPiece } from "../../site/runtime/words/trails.mjs";

const WORDS = { way: ["straight", "near", "far", "back"], here: ["outside", "hall", "cave"] };
const NAMES = ["ahead", "beside", "here", "way"];
const game = {
  cells: NAMES.map((name) => ({ index: name === "way" ? [] : [0], least: 0 })),
  cellNumbers: (name) => [NAMES.indexOf(name)],
  variables: NAMES.map((name) => ({ name, words: WORDS[name] ?? [] })),
};
const { states, plan } = JSON.parse(process.argv[2]);
const made = states.map((cells) => ({ cells }));
const seen = made.map((_, at) => trailOfPiece(game, "ahead", plan, 0, made.slice(0, at + 1), 5));
const { words, steps } = seen.at(-1);
const ways = seen.map(({ place, looks }) => [place, looks]);
console.log(JSON.stringify({ ways, words: [...words], steps }));
