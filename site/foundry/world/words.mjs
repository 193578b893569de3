// @ts-check
/** Texts of the language file, and what goes wrong said in them. */

import { withoutDoubleStops } from "../../runtime/words/words.mjs";
import { RefusedRequest } from "./shapes.mjs";

/** The module, by whose id Foundry names the folder that this comes from; empty outside of one. */
export const ID = /\/modules\/([^/]+)\/scripts\/foundry\//.exec(import.meta.url)?.[1] ?? "";

/** The key of a text, with the module's id in it. The texts of all modules lie together, and one world may have modules
 * of several versions.
 * @param {string} key @returns {string} */
export function moduleTextKey(key) {
  return ID && key.startsWith("ODDSMITH.") ? `ODDSMITH.${ID}.${key.slice("ODDSMITH.".length)}` : key;
}

/** A text of the language file. Keys are written in full wherever they are used, so that a search finds them.
 * @param {string} key @param {Record<string, any>} [data] what goes into the places in braces @returns {string} */
export function localizedText(key, data) {
  return data ? withoutDoubleStops(game.i18n.format(moduleTextKey(key), data)) : game.i18n.localize(moduleTextKey(key));
}

/** The title of a module. @param {string} moduleId */
export function moduleTitle(moduleId) {
  return game.modules.get(moduleId)?.title ?? moduleId;
}

/** A payment that a person must look after: refused by somebody's purse, or begun by a game master who left.
 * @param {string} state of the payment @param {string} payerName @param {string} amountText in words (`moneyText` of
 * coins.mjs) */
export function openPaymentText(state, payerName, amountText) {
  return state === "unsure"
    ? localizedText("ODDSMITH.Payment.unsure", { name: payerName, amount: amountText })
    : localizedText("ODDSMITH.Payment.refused", { name: payerName, amount: amountText });
}

/** Why a purse refused a payment: keys of the language file, with the name of whose purse it is.
 * @type {Record<string, string>} */
const LACKS = {
  poor: "ODDSMITH.Lack.poor",
  actor: "ODDSMITH.Lack.actor",
  absent: "ODDSMITH.Lack.absent",
  path: "ODDSMITH.Lack.path",
  refused: "ODDSMITH.Lack.refused",
};

/** Show an error to the person at this screen. The message of a refusal is a key of the language file; anything else is
 * a fault of ours.
 * @param {unknown} error */
export function showError(error) {
  const lack = error instanceof RefusedRequest ? error.lack : null;
  if (lack?.name && Object.hasOwn(LACKS, lack.reason))
    return ui.notifications.warn(localizedText(LACKS[lack.reason], { name: String(lack.name) }));
  const key = error instanceof Error ? error.message : String(error);
  if (key.startsWith("ODDSMITH.")) return ui.notifications.warn(localizedText(key));
  console.error(error);
  ui.notifications.error(localizedText("ODDSMITH.Failed"));
}
