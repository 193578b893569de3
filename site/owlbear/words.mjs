// @ts-check
/** What this page says besides its table, in one place, so that it can be put into another language. */

import { fillIn } from "../runtime/words/words.mjs";

/** The sentences by key; a name in braces is put in. */
export const ENGLISH = {
  cannotBegin: "This page could not start: {why}.",
  elsewhere: "This page is a table for Owlbear Rodeo. There, add an extension with this address: ",
  noAnswer: "Owlbear Rodeo does not answer",
};

/** A sentence. @param {keyof typeof ENGLISH} key @param {Record<string, string | number>} [data] */
export function localizedText(key, data) {
  return fillIn(ENGLISH[key], data);
}
