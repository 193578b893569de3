// Rolls and their terms as Foundry has them after they were rolled, as far as odds ask for them. It is a model.

export class RollTerm {
  options = {};
  constructor(data) {
    Object.assign(this, data);
  }
  static fromData({ class: name, ...data }) {
    return new TERMS[name](data);
  }
  toJSON() {
    return { class: this.constructor.name, ...this };
  }
}
export class DiceTerm extends RollTerm {
  modifiers = [];
  _number = 1;
  constructor(data) {
    super();
    Object.assign(this, data);
  }
  get number() {
    return this._number;
  }
  get faces() {
    return this._faces;
  }
  roll() {}
  keep() {}
  explode() {}
}
export class Die extends DiceTerm {
  static MODIFIERS = {
    ...Object.fromEntries(["k", "kh", "kl"].map((mark) => [mark, "keep"])),
    ...Object.fromEntries(["x", "xo"].map((mark) => [mark, "explode"])),
    ...Object.fromEntries("r rr d dh dl min max even odd cs cf df sf ms".split(" ").map((mark) => [mark, mark])),
  };
}
export class Coin extends DiceTerm {
  static MODIFIERS = { c: "call" };
}
export class FateDie extends DiceTerm {
  static MODIFIERS = { kh: "keep", kl: "keep" };
}
export class NumericTerm extends RollTerm {}
export class OperatorTerm extends RollTerm {}
export class ParentheticalTerm extends RollTerm {}
export class FunctionTerm extends RollTerm {}
export class StringTerm extends RollTerm {}
export class PoolTerm extends RollTerm {
  modifiers = [];
  constructor(data) {
    super();
    Object.assign(this, data);
  }
}
export const TERMS = {
  RollTerm,
  Die,
  Coin,
  FateDie,
  NumericTerm,
  OperatorTerm,
  ParentheticalTerm,
  FunctionTerm,
  StringTerm,
  PoolTerm,
};

/** Dice of a system that are the tabletop's own but for more modifiers, as those of D&D are. */
export class BasicDie extends Die {
  static MODIFIERS = { ...super.MODIFIERS, adv: "advantage" };
  advantage() {}
}
/** Dice of a system that fall in a way of their own. */
export class StressDie extends Die {
  roll() {}
}
/** Dice of a system that keep others than the tabletop does. */
export class FussyDie extends Die {
  keep() {}
}
/** Pathfinder's terms for damage. */
export class ArithmeticExpression extends RollTerm {}
export class Grouping extends RollTerm {}
export class InstancePool extends PoolTerm {}

const MARKS = /(k[hl]?|[a-z]+?(?=min)|[a-z]+)([^a-z\s()+\-*/]+)?/g;

export const die = (_number, _faces, marks = "", Kind = Die) =>
  new Kind({ _number, _faces, modifiers: marks.match(MARKS) ?? [] });
export const number = (value, flavor) => new NumericTerm({ number: value, options: { flavor } });
export const sign = (operator) => new OperatorTerm({ operator });
export const within = (...terms) => new ParentheticalTerm({ roll: roll(terms) });
export const call = (fn, ...rolls) => new FunctionTerm({ fn, rolls: rolls.map((terms) => roll(terms)) });
export const pool = (rolls, marks = "", Kind = PoolTerm) =>
  new Kind({ rolls: rolls.map((terms) => roll(terms)), modifiers: marks.match(MARKS) ?? [] });
export const sum = (operator, ...operands) => new ArithmeticExpression({ operator, operands });
export const group = (term) => new Grouping({ term });

/** A roll of terms: what it came to is said, not rolled. */
export const roll = (terms, total, formula = "") => ({
  terms,
  total,
  formula,
  dice: terms.filter(({ modifiers, rolls }) => modifiers && !rolls),
});
