// @ts-check
/** What the world keeps of all tables, in two settings. Every client gets the whole of a setting whenever it changes.
 * So tables that are over are moved to a setting of their own ("rested"), which moves at other tables do not send. */

import { emptyWorld, VERSION } from "./shapes.mjs";

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

/** Load the record of the whole world from both settings. Older tables are converted. If a table lies in both settings,
 * the one in play counts.
 * @param {Host} host
 * @returns {World} */
export function loadWorld(host) {
  const now = host.get("tables") ?? emptyWorld();
  const tables = Object.entries({ ...host.get("rested"), ...now.tables });
  return {
    ...now,
    v: Math.max(now.v, VERSION),
    tables: Object.fromEntries(tables.map(([id, table]) => [id, upgradeTable(table)])),
  };
}

/** Save the record of the whole world. A table rests once it is over and no longer changes. Tables and purses are saved
 * together, so no payment is recorded without its chips.
 * @param {Host} host @param {World} world */
export async function saveWorld(host, world) {
  const [hot, rested] = [host.get("tables")?.tables ?? {}, host.get("rested")];
  const before = loadWorld(host).tables;
  const rests = (/** @type {string} */ id) =>
    world.tables[id].phase === "over" && JSON.stringify(world.tables[id]) === JSON.stringify(before[id]);
  const ids = Object.keys(world.tables);
  // A table that leaves "rested" stays there too until the other setting has it, because a write may be lost.
  const still = ids.filter((id) => rests(id) || (Object.hasOwn(rested, id) && !Object.hasOwn(hot, id)));
  const next = Object.fromEntries(still.map((id) => [id, rests(id) ? world.tables[id] : rested[id]]));
  if (JSON.stringify(next) !== JSON.stringify(rested)) await host.set("rested", next);
  const tables = Object.fromEntries(ids.filter((id) => !rests(id)).map((id) => [id, world.tables[id]]));
  await host.set("tables", { ...world, tables });
}
