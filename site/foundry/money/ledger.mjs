// @ts-check
/** The ledger of a table: each payment is written down before it is made, and is made once. */

/** @typedef {import("../world/shapes.mjs").TableRecord} TableRecord */
/** @typedef {import("../world/shapes.mjs").Payment} Payment */

/** Who pays for non-players and the house where every actor pays from his own purse. */
export const OWN = "own";

/** The payment of a seat's stake that still lies on the table; undefined if there is none. @param {TableRecord} record
 * @param {number} seat */
export function stakePaymentOf({ chips: { payments } }, seat) {
  return payments.findLast(
    (one) =>
      one.seat === seat &&
      one.key.startsWith("stake ") &&
      one.state === "done" &&
      !payments.some(({ key, state }) => key === `back ${one.key}` && state !== "refused"),
  );
}

/** Complete stakes to payments that are due, each with a key of a new number.
 * @param {TableRecord} record
 * @param {Pick<Payment, "seat" | "user" | "actor" | "amount">[]} duePayments @returns {Payment[]} */
export function stakePaymentsWithKeys(record, duePayments) {
  const numbers = record.chips.payments.map(({ key }) => Number(/^stake (\d+)$/.exec(key)?.[1] ?? -1));
  const first = Math.max(-1, ...numbers) + 1;
  return duePayments.map((one, place) => ({ key: `stake ${first + place}`, ...one, state: "due" }));
}

/** The actor whose purse pays for the house; null if no actor does, or if every actor pays from his own purse. @param
 * {TableRecord} record */
export function houseActor({ house }) {
  return house === OWN || house === "" ? null : house;
}

/** The number of the house in the ledger: the one after all seats. @param {TableRecord} record */
export const houseLedgerIndex = ({ seats }) => seats.length;

/** The stakes that are still to be paid for non-players and the house, if an actor pays for them.
 * @param {TableRecord} record @param {number} houseReserve what the house must have @returns {Payment[]} */
export function stakePaymentsOfOthers(record, houseReserve) {
  const house = houseActor(record);
  const payer = (/** @type {string | null} */ actor) => (record.house === OWN ? actor : house);
  const due = record.seats.flatMap(({ kind, actor }, seat) =>
    kind === "npc" ? { seat, user: null, actor: payer(actor), amount: -record.stake } : [],
  );
  due.push({ seat: houseLedgerIndex(record), user: null, actor: house, amount: -houseReserve });
  return stakePaymentsWithKeys(
    record,
    due.filter(({ seat, actor, amount }) => actor !== null && amount && !stakePaymentOf(record, seat)),
  );
}

/** Payments that are due, which give the stakes of some seats back.
 * @param {TableRecord} record @param {number[]} seats @returns {Payment[]} */
export function refundPayments(record, seats) {
  const lying = seats.flatMap((seat) => stakePaymentOf(record, seat) ?? []);
  return lying.map((one) => ({ ...one, key: `back ${one.key}`, amount: -one.amount, state: "due" }));
}

/** Remove void stakes from a ledger: those that went back, and those that could not be paid. Otherwise somebody who
 * sits down and leaves again and again would fill it.
 * @param {TableRecord} record */
export function removeVoidStakes({ chips }) {
  const back = chips.payments.flatMap(({ key, state }) =>
    key.startsWith("back ") && state === "done" ? [key, key.slice("back ".length)] : [],
  );
  const refused = (/** @type {Payment} */ { key, state }) => key.startsWith("stake ") && state === "refused";
  chips.payments = chips.payments.filter((one) => !back.includes(one.key) && !refused(one));
}

/** Payments that are due at the end of a game: one for each seat that staked and did not give up, and the rest for the
 * purse of the house.
 * @param {TableRecord} record @param {number[]} chipsBySeat by seat @returns {Payment[]} */
export function payoutPayments(record, chipsBySeat) {
  /** @returns {Payment} @param {Pick<Payment, "user" | "actor">} to @param {number} seat @param {number} amount */
  const payment = ({ user, actor }, seat, amount) => {
    return { key: `pay ${record.chips.round} ${seat}`, seat, user, actor, amount, state: "due" };
  };
  const due = chipsBySeat.flatMap((amount, seat) => {
    const stake = record.seats[seat].yielded ? null : stakePaymentOf(record, seat);
    return stake ? payment(stake, seat, amount) : [];
  });
  const [house, place] = [houseActor(record), houseLedgerIndex(record)];
  if (house === null) return due;
  const sum = (/** @type {number[]} */ amounts) => amounts.reduce((total, one) => total + one, 0);
  const lying = [...record.seats.keys(), place].map((seat) => -(stakePaymentOf(record, seat)?.amount ?? 0));
  return [...due, payment({ user: null, actor: house }, place, sum(lying) - sum(due.map(({ amount }) => amount)))];
}

/** Payments that are due, which take back the payouts that were made in this round. @param {TableRecord} record
 * @returns {Payment[]} */
export function reversalPayments({ chips: { payments, round } }) {
  const made = payments.filter(({ key, state }) => key.startsWith(`pay ${round} `) && state === "done");
  return made.map((one) => ({ ...one, key: one.key.replace("pay", "undo"), amount: -one.amount, state: "due" }));
}

/** Payments that a person must look after: those that may or may not have been made, and those that were to bring
 * somebody money and failed.
 * @param {TableRecord} record */
export function unsettledPayments({ chips: { payments } }) {
  const wasMade = (/** @type {string} */ wanted) =>
    payments.some(({ key, state }) => key === wanted && state === "done");
  return payments.filter(
    ({ key, amount, state }) => state === "unsure" || (state === "refused" && amount > 0 && !wasMade(key)),
  );
}

/** Whether it is not known of some payment at the end, or of its reversal, if it was made. Then the end cannot be taken
 * back.
 * @param {TableRecord} record */
export function hasUncertainPayouts({ chips: { payments, round } }) {
  return payments.some(
    ({ key, state }) => state === "unsure" && (key.startsWith(`pay ${round} `) || key.startsWith(`undo ${round} `)),
  );
}
