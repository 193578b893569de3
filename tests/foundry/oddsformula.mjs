// Rolls as questions, one a line as JSON: the question, or by which key and name it is refused.

import { questionFromFormula, FormulaError } from "../../site/odds/formula.mjs";
import {
  BasicDie,
  call,
  Coin,
  die,
  FateDie,
  FussyDie,
  group,
  InstancePool,
  number,
  pool,
  roll,
  sign,
  StressDie,
  StringTerm,
  sum,
  TERMS,
  within,
} from "./terms.mjs";

const ROLLS = {
  plain: [die(4, 6, "kh3")],
  flavoured: [die(1, 20), sign("+"), number(5, "strength")],
  below: [die(1, 20), sign("-"), number(-2)],
  half: [die(1, 6), sign("*"), number(1.5)],
  marked: [die(8, 10, "x10cs>=8")],
  coins: [die(3, 2, "", Coin)],
  fate: [die(4, 3, "", FateDie), sign("+"), number(2)],
  inner: [within(die(2, 6), sign("+"), number(3)), sign("*"), number(2)],
  functions: [call("floor", [die(3, 6), sign("/"), number(2)])],
  most: [call("max", [die(1, 6)], [die(1, 8), sign("+"), number(1)], [number(3)])],
  pool: [pool([[die(3, 6)], [die(2, 8)]], "kh")],
  single: [pool([[die(4, 6)]], "kh3")],
  counted: [pool([[die(3, 6)], [die(2, 8)]], "cs>10")],
  number: [die(roll([die(1, 4)]), 6)],
  kept: [pool([[JSON.parse(JSON.stringify(die(2, 6)))]])],
  dnd: [die(2, 20, "khmin10", BasicDie), sign("+"), number(7)],
  pathfinder: [pool([[group(sum("+", die(2, 6), number(4)))], [die(1, 6)]], "", InstancePool)],
  dice: [die(1, 6, "", StressDie)],
  advantage: [die(1, 20, "adv", BasicDie)],
  keeps: [die(2, 20, "kh", FussyDie)],
  modifier: [die(2, 6, "zz4")],
  call: [die(1, 2, "c1", Coin)],
  wild: [die(roll([die(1, 4)]), 6, "kh")],
  function: [call("pow", [number(2)], [number(3)])],
  words: [new StringTerm({ term: "fire" })],
  remainder: [die(1, 6), sign("%"), number(-4)],
  tiny: [die(1, 6), sign("*"), number(1e-9)],
};

const said = Object.entries(ROLLS).map(([name, terms]) => {
  try {
    return [name, questionFromFormula(roll(terms), TERMS)];
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    return [name, { [error.message.replace("ODDSMITH.refused.", "")]: error.data.name }];
  }
});
console.log(JSON.stringify(Object.fromEntries(said)));
