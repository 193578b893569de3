// @ts-check
/** What the world keeps of all tables, in two settings. Every client gets the whole of a setting whenever it changes.
 * So tables that are over are moved to a setting of their own ("rested"), which moves at other tables do not send.
 *
 * All our modules in a world share the purses. Each module's record holds a copy, which is written together with its
 * payments, and a setting that belongs to no module holds another. Every change has a number, and the copy with the
 * highest number counts. So a payment is never half written, and the purses stay if a module is removed. */

import { emptyWorldRecord, VERSION } from "./shapes.mjs";

/** @typedef {import("./shapes.mjs").Host} Host */
/** @typedef {import("./shapes.mjs").World} World */
/** @typedef {import("./shapes.mjs").TableRecord} TableRecord */

/** What the table of a version becomes in the next one. @type {Record<number, (table: any) => any>} */
const STEPS = {
  1: (table) => ({ ...table, house: "" }),
  2: (table) => ({ ...table, keeper: null }),
};

/** Convert the record of a table from any older version to this one. @param {any} table @returns {TableRecord} */
function upgradeTable(table) {
  return Object.hasOwn(STEPS, table.v) ? upgradeTable({ ...STEPS[table.v](table), v: table.v + 1 }) : table;
}

/** The newest copy of the purses, the one with the most changes; empty purses if there is none. @param {Host} host
 * @returns {{purseChanges: number, purses: Record<string, number>}} */
function newestPurses(host) {
  const none = { purseChanges: 0, purses: {} };
  const numbered = host.purses().filter(({ purseChanges }) => purseChanges !== undefined);
  return [none, ...numbered].reduce((best, one) => (one.purseChanges > best.purseChanges ? one : best));
}

/** Whether a module's record has purses of its own, from a version that shared none. @param {any} record */
const hasOwnPurses = ({ purses, purseChanges }) => purseChanges === undefined && Object.keys(purses).length > 0;

/** Whether this module has purses that the shared setting does not have: those of an older version, or a change whose
 * second write was lost. @param {Host} host */
export function hasUnsharedPurses(host) {
  const own = host.get("tables") ?? emptyWorldRecord();
  const [shared] = host.purses();
  return hasOwnPurses(own) || newestPurses(host).purseChanges > shared.purseChanges;
}

/** The purses as they stand. What somebody won or lost with an older version of this module, which had a purse of its
 * own, is added to the purse that all modules share. @param {Host} host @param {any} moduleRecord this module's
 * record */
function currentPurses(host, moduleRecord) {
  const newest = newestPurses(host);
  if (!hasOwnPurses(moduleRecord)) return newest;
  const opening = host.get("opening");
  const added = Object.entries(moduleRecord.purses).map(([user, held]) => {
    const shared = Object.hasOwn(newest.purses, user) ? newest.purses[user] : opening;
    return [user, Math.max(0, shared + held - opening)];
  });
  return { ...newest, purses: { ...newest.purses, ...Object.fromEntries(added) } };
}

/** All tables, by id. If a table lies in both settings, the one in play counts. @param {Host} host
 * @returns {Record<string, TableRecord>} */
export function allTableRecords(host) {
  const tables = Object.entries({ ...host.get("rested"), ...host.get("tables")?.tables });
  return Object.fromEntries(tables.map(([id, table]) => [id, upgradeTable(table)]));
}

/** Load the record of the whole world. Older tables are converted. @param {Host} host
 * @returns {World} */
export function loadWorldRecord(host) {
  const now = host.get("tables") ?? emptyWorldRecord();
  const { purses, purseChanges } = currentPurses(host, now);
  return {
    ...now,
    purses,
    purseChanges,
    v: Math.max(now.v, VERSION),
    tables: allTableRecords(host),
  };
}

/** Save the record of the whole world. A table rests once it is over and no longer changes. Tables and purses are saved
 * together, so no payment is recorded without its chips.
 * @param {Host} host @param {World} world */
export async function saveWorldRecord(host, world) {
  const [hot, rested] = [host.get("tables")?.tables ?? {}, host.get("rested")];
  const before = allTableRecords(host);
  const rests = (/** @type {string} */ id) =>
    world.tables[id].phase === "over" && JSON.stringify(world.tables[id]) === JSON.stringify(before[id]);
  const ids = Object.keys(world.tables);
  // A table that leaves "rested" stays there too until the other setting has it, because a write may be lost.
  const still = ids.filter((id) => rests(id) || (Object.hasOwn(rested, id) && !Object.hasOwn(hot, id)));
  const next = Object.fromEntries(still.map((id) => [id, rests(id) ? world.tables[id] : rested[id]]));
  if (JSON.stringify(next) !== JSON.stringify(rested)) await host.set("rested", next);
  const tables = Object.fromEntries(ids.filter((id) => !rests(id)).map((id) => [id, world.tables[id]]));
  const newest = newestPurses(host);
  const changed = JSON.stringify(world.purses) !== JSON.stringify(newest.purses);
  const purseChanges = newest.purseChanges + Number(changed);
  await host.set("tables", { ...world, purseChanges, tables });
  // What fails here is written with the next change: the record has the higher number until then.
  const [shared] = host.purses();
  if (shared.purseChanges < purseChanges)
    await host.setPurses({ purseChanges, purses: world.purses }).catch(host.report);
}
