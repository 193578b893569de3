// @ts-check
/** Our modules that are active in one world. They share one purse, one button and one settings menu; tables, cards and
 * records are each module's own.
 *
 * What the modules of one screen know of each other hangs on Foundry's `game`, as `game.oddsmith`. Their scripts may be
 * of several versions. So version 1 keeps what it has, and later scripts only add to it; a change that breaks it needs
 * another number. A module that is older than this has no part in it, and one that finds another number stays alone. */

/** @typedef {{id: string, title: string, icon: string, about?: string, seats?: [number, number]}} OfferedGame `icon` is
 * an address; empty if there is none. `about` says in a line what it is; `seats` are the fewest and most players */
/** @typedef {{id: string, game: string, title: string, phase: "lobby" | "play" | "over", names: string[],
 * actors: (string | null)[], lost?: boolean, mayClose?: boolean}} ListedTable `lost` if the module no longer has its
 * rules; older scripts tell neither that nor whether this user `mayClose` it */
/** What the windows of one module show of another, once it is ready.
 * @typedef {{id: string, games: () => OfferedGame[], tables: () => ListedTable[], mayCreate: () => boolean,
 *   hasTurn: () => boolean, onChange: (hearer: () => void) => () => void, quick: (game: string) => Promise<unknown>,
 *   openTable: (table: string) => void, closeTable?: (table: string) => void, openNew: (game?: string) => void,
 *   openAdvisor: (game?: string) => void, open: () => void, openHall: () => void, openPurses: () => void}} Face `id` is
 * that of the module */
/** @typedef {{changed: () => void, face: Face | null}} Member `changed` hears that the purses changed */
/** @typedef {{v: number, modules: Map<string, Member>, line: {last: Promise<unknown>}}} Registry our modules by id, in
 * the order in which Foundry began them; `line` ends with the last job of any of them that changes what the world
 * keeps, so that no two pay at once */

const VERSION = 1;

/** The scope of the setting with the purses. It belongs to no module, so it stays whichever is removed. */
export const SHARED = "oddsmith";

/** Registries of modules that stay alone, by game. @type {WeakMap<object, Registry>} */
const alone = new WeakMap();

/** @returns {Registry} */
const emptyRegistry = () => ({ v: VERSION, modules: new Map(), line: { last: Promise.resolve() } });

/** Return the registry of our modules at this screen. @param {any} foundryGame Foundry's `game` @returns {Registry} */
export function moduleRegistry(foundryGame) {
  const found = (foundryGame.oddsmith ??= emptyRegistry());
  if (found.v === VERSION) return found;
  const own = alone.get(foundryGame) ?? emptyRegistry();
  alone.set(foundryGame, own);
  return own;
}

/** Whether this module shares its purse with those that it may find. @param {any} foundryGame Foundry's `game` */
export const sharesPurses = (foundryGame) => moduleRegistry(foundryGame) === foundryGame.oddsmith;

/** Add a module to the registry. @param {any} foundryGame Foundry's `game` @param {string} moduleId @param {() => void}
 * onPursesChanged */
export function joinRegistry(foundryGame, moduleId, onPursesChanged) {
  moduleRegistry(foundryGame).modules.set(moduleId, { changed: onPursesChanged, face: null });
}

/** Let the windows of other modules show this one. @param {any} foundryGame Foundry's `game` @param {string} moduleId
 * @param {Face} moduleInterface */
export function setModuleInterface(foundryGame, moduleId, moduleInterface) {
  const member = moduleRegistry(foundryGame).modules.get(moduleId);
  if (member) member.face = moduleInterface;
}

/** The id of the module that has the button, the settings menu and the chips at the start: the first that Foundry
 * began. @param {any} foundryGame Foundry's `game` @returns {string | undefined} */
export const firstModuleId = (foundryGame) => [...moduleRegistry(foundryGame).modules.keys()][0];

/** Whether more than one of our modules is active. @param {any} foundryGame Foundry's `game` */
export const hasSeveralModules = (foundryGame) => moduleRegistry(foundryGame).modules.size > 1;

/** The faces of all modules that are ready. @param {any} foundryGame Foundry's `game` @returns {Face[]} */
export const moduleInterfaces = (foundryGame) =>
  [...moduleRegistry(foundryGame).modules.values()].flatMap(({ face }) => face ?? []);

/** The games of all modules, each once and with the module that has it. If several have it, the one with the fewest
 * games counts: a module of one game leaves nothing out. @param {Face[]} interfaces
 * @returns {{game: OfferedGame, face: Face}[]} */
export function offeredGames(interfaces) {
  const sizes = new Map(interfaces.map((face) => [face, face.games().length]));
  const all = interfaces.flatMap((face) => face.games().map((game) => ({ game, face })));
  const better = (/** @type {Face} */ one, /** @type {Face} */ other) =>
    (sizes.get(one) ?? 0) < (sizes.get(other) ?? 0);
  return all.flatMap(({ game }, place) => {
    const same = all.filter((one) => one.game.id === game.id);
    if (all.findIndex((one) => one.game.id === game.id) !== place) return [];
    return same.reduce((best, one) => (better(one.face, best.face) ? one : best));
  });
}
