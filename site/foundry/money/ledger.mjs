// @ts-check
/** The ledger of a table: each payment is written down before it is made, and is made once. */

/** @typedef {import("../world/shapes.mjs").TableRecord} TableRecord */
/** @typedef {import("../world/shapes.mjs").Payment} Payment */

/** The stake that lies on the table for a seat. @param {TableRecord} record @param {number} seat */
export function staked({ chips: { payments } }, seat) {
  return payments.findLast(
    (one) =>
      one.seat === seat &&
      one.key.startsWith("stake ") &&
      one.state === "done" &&
      !payments.some(({ key, state }) => key === `back ${one.key}` && state !== "refused"),
  );
}

/** @param {TableRecord} record @param {number} seat @param {string} user @param {string | null} actor
 * @returns {Payment} */
export function stakeOf(record, seat, user, actor) {
  const numbers = record.chips.payments.map(({ key }) => Number(/^stake (\d+)$/.exec(key)?.[1] ?? -1));
  return { key: `stake ${Math.max(-1, ...numbers) + 1}`, seat, user, actor, amount: -record.stake, state: "due" };
}

/** Stakes that go back. @param {TableRecord} record @param {number[]} seats @returns {Payment[]} */
export function refunds(record, seats) {
  const lying = seats.flatMap((seat) => staked(record, seat) ?? []);
  return lying.map((one) => ({ ...one, key: `back ${one.key}`, amount: -one.amount, state: "due" }));
}

/** Remove from a ledger what came to nothing: stakes that went back, and stakes that could not be paid. Somebody who
 * sits down and leaves again and again would fill it otherwise. @param {TableRecord} record */
export function tidy({ chips }) {
  const back = chips.payments.flatMap(({ key, state }) =>
    key.startsWith("back ") && state === "done" ? [key, key.slice("back ".length)] : [],
  );
  const refused = (/** @type {Payment} */ { key, state }) => key.startsWith("stake ") && state === "refused";
  chips.payments = chips.payments.filter((one) => !back.includes(one.key) && !refused(one));
}

/** What the end brings to everybody who staked and did not give up. @param {TableRecord} record
 * @param {number[]} paid by seat
 * @returns {Payment[]} */
export function payouts(record, paid) {
  return paid.flatMap((amount, seat) => {
    const stake = record.seats[seat].yielded ? null : staked(record, seat);
    return stake
      ? [{ ...stake, key: `pay ${record.chips.round} ${seat}`, amount, state: /** @type {const} */ ("due") }]
      : [];
  });
}

/** The same taken back. @param {TableRecord} record @returns {Payment[]} */
export function reversals({ chips: { payments, round } }) {
  const made = payments.filter(({ key, state }) => key.startsWith(`pay ${round} `) && state === "done");
  return made.map((one) => ({ ...one, key: one.key.replace("pay", "undo"), amount: -one.amount, state: "due" }));
}

/** Payments that a person must look after: it is not known whether they were made, or somebody was to get them and did
 * not.
 * @param {TableRecord} record */
export function unsettled({ chips: { payments } }) {
  const made = (/** @type {string} */ wanted) => payments.some(({ key, state }) => key === wanted && state === "done");
  return payments.filter(
    ({ key, amount, state }) => state === "unsure" || (state === "refused" && amount > 0 && !made(key)),
  );
}

/** Whether what the end brought cannot be taken back, because nobody knows whether it was paid.
 * @param {TableRecord} record */
export function doubtful({ chips: { payments, round } }) {
  return payments.some(
    ({ key, state }) => state === "unsure" && (key.startsWith(`pay ${round} `) || key.startsWith(`undo ${round} `)),
  );
}
