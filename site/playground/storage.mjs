// @ts-check
/** What a reader wrote, saved in this browser by the text it began with. */

const PREFIX = "oddsmith playground ";

/** The saved text of a slot; null if there is none. @param {string} storageSlot @returns {string | null} */
export function savedText(storageSlot) {
  try {
    return localStorage.getItem(PREFIX + storageSlot);
  } catch {
    return null;
  }
}

/** Save a text, or delete it. @param {string} storageSlot @param {string | null} text
 * @returns {boolean} whether that was possible */
export function saveText(storageSlot, text) {
  try {
    if (text === null) localStorage.removeItem(PREFIX + storageSlot);
    else localStorage.setItem(PREFIX + storageSlot, text);
    return true;
  } catch {
    return false;
  }
}
