// Says how a text is coloured on the page for changing games: for each of its lines, its pieces with what they are.
//
//   node tests/playground/highlight.mjs '"title: Pass and go"'

import { readFileSync } from "node:fs";

import { areLinesInsideProse, colourPieces } from "../../site/playground/highlight.mjs";

const lines = JSON.parse(process.argv[2] ?? readFileSync(0, "utf8")).split("\n");
const prose = areLinesInsideProse(lines);
console.log(JSON.stringify(lines.map((line, at) => colourPieces(line, prose[at]))));
