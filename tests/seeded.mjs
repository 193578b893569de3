// Node with chance that falls alike in every run: what scripts of the tests take from the machine comes from a seed.
// A script that wants other dice sets its own. `tests/node.py` imports this before each script.

import { Random } from "../site/runtime/rules/random.mjs";

const random = new Random(1);
const bytes = (array) => {
  const whole = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  for (let at = 0; at < whole.length; at++) whole[at] = random.below(256);
  return array;
};
const hex = (length) => Buffer.from(bytes(new Uint8Array(length))).toString("hex");

crypto.getRandomValues = bytes;
crypto.randomUUID = () => [4, 2, 2, 2, 6].map(hex).join("-");
