// @ts-check
/** Payments. Each is written down before it is made; the game master's client changes the purses. */

import { withTimeout } from "../world/net.mjs";
import { shortenName, RefusedRequest } from "../world/shapes.mjs";
import { removeVoidStakes } from "./ledger.mjs";
import { paymentFunction } from "./purses.mjs";

/** @typedef {import("../world/shapes.mjs").TableRecord} TableRecord */
/** @typedef {import("../world/shapes.mjs").Payment} Payment */
/** @typedef {import("../world/shapes.mjs").Host} Host */
/** @typedef {import("./purses.mjs").Purse} Purse */
/** @typedef {import("../world/shapes.mjs").Draft} Draft */

const PATIENCE = 20_000; // milliseconds after which a purse is not waited for any more

/** Make payments that were not made before; each is written down first. With `allOrNone`, make all or none, and throw
 * RefusedRequest if one fails. The caller saves the states that they then have.
 * @param {Draft} draft @param {TableRecord} record
 * @param {Payment[]} duePayments
 * @param {boolean} allOrNone */
export async function makePayments(draft, record, duePayments, allOrNone) {
  const { payments } = record.chips;
  const due = duePayments.filter(
    ({ key, amount }) => amount !== 0 && !payments.some((one) => one.key === key && one.state !== "refused"),
  );
  if (!due.length) return;
  payments.push(...due);
  await draft.save();
  const purse = paymentFunction(draft, record.chips);
  /** @type {import("../world/shapes.mjs").Lack | null} */
  let lack = null;
  for (const one of due)
    one.state = await makePayment(
      draft,
      purse,
      one,
      (reason) => (lack ??= { name: payerName(draft.host, one), reason }),
    );
  if (!allOrNone || due.every(({ state }) => state === "done")) return;
  for (const one of due.filter(({ state }) => state === "done"))
    one.state = (await makePayment(draft, purse, { ...one, amount: -one.amount })) === "done" ? "refused" : "unsure";
  removeVoidStakes(record);
  await draft.save();
  throw new RefusedRequest("funds", lack);
}

/** Make one payment and return its state. It is "unsure" if the purse has not answered in time. @param {Draft} draft
 * @param {Purse} transferMoney @param {Payment} payment
 * @param {(reason: string) => void} [onRefusal] hears why
 * @returns {Promise<"done" | "refused" | "unsure">} */
async function makePayment({ host }, transferMoney, payment, onRefusal = () => {}) {
  try {
    return await withTimeout(
      host,
      PATIENCE,
      transferMoney(payment).then(() => "done"),
      "unsure",
    );
  } catch (error) {
    const refused = error instanceof RefusedRequest; // others throw what they like
    if (payment.amount > 0 && !refused) host.report(error); // the chat and the table's window tell of a refusal
    onRefusal((refused && error.lack?.reason) || "refused");
    return "refused";
  }
}

/** The name of the person or actor whose purse a payment is about. @param {Host} host @param {Payment} payment */
export function payerName(host, { user, actor }) {
  return shortenName(
    (actor !== null && host.actor(actor)?.name) || host.users().find(({ id }) => id === user)?.name || "",
  );
}

/** Settle payments that somebody left unfinished. Chips are saved together with their payments, so a payment that is
 * due was not made; in another currency it may have been.
 * @param {Draft} draft @param {TableRecord} record
 * @returns {Promise<boolean>} whether there were any */
export async function settleUnfinishedPayments(draft, { chips }) {
  const due = chips.payments.filter(({ state }) => state === "due");
  for (const one of due) {
    if (chips.currency !== "chips") one.state = "unsure";
    else one.state = one.amount > 0 ? await makePayment(draft, paymentFunction(draft, chips), one) : "refused";
  }
  return due.length > 0;
}
