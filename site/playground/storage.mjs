// @ts-check
/** What a reader wrote, saved in this browser by the text it began with. */

const PREFIX = "oddsmith playground ";

/** The saved text of a slot; null if there is none. @param {string} slot @returns {string | null} */
export function savedText(slot) {
  try {
    return localStorage.getItem(PREFIX + slot);
  } catch {
    return null;
  }
}

/** Save a text, or delete it. @param {string} slot @param {string | null} text
 * @returns {boolean} whether that was possible */
export function saveText(slot, text) {
  try {
    if (text === null) localStorage.removeItem(PREFIX + slot);
    else localStorage.setItem(PREFIX + slot, text);
    return true;
  } catch {
    return false;
  }
}
