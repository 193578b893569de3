// @ts-check
/** What a reader wrote, kept in this browser by what it began with. */

const PREFIX = "oddsmith playground ";

/** @param {string} slot @returns {string | null} */
export function savedText(slot) {
  try {
    return localStorage.getItem(PREFIX + slot);
  } catch {
    return null;
  }
}

/** Keep a text, or forget it. @param {string} slot @param {string | null} text
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
