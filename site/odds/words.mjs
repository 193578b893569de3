// @ts-check
/** Texts of the language file. */

/** The module, by whose id Foundry names the folder that this comes from. */
export const ID = /\/modules\/([^/]+)\/scripts\/odds\//.exec(import.meta.url)?.[1] ?? "oddsmith-odds";

/** The key of a text among those of all modules, which lie together. @param {string} key */
export const moduleTextKey = (key) => `ODDSMITH.${ID}.${key.slice("ODDSMITH.".length)}`;

/** The world, with the settings and texts of this module, which no types of others know. */
export const foundryGame = () => /** @type {FoundryGame} */ (/** @type {unknown} */ (game));

/** A text of the language file. Keys are written in full wherever they are used, so that a search finds them.
 * @param {string} key @param {Record<string, string | number>} [data] what goes into the places in braces
 * @returns {string} */
export const localizedText = (key, data) => {
  const { i18n } = foundryGame();
  return data ? i18n.format(moduleTextKey(key), data) : i18n.localize(moduleTextKey(key));
};
