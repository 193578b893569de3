// @ts-check
/** The settings of the module, as a game master sees them, and the record of all tables, which nobody sees. */

import { firstModuleId, sharesPurses, joinRegistry, moduleRegistry, SHARED } from "./beside.mjs";
import { globals, asFoundryGame } from "./foundry.mjs";
import { emptyWorldRecord } from "./shapes.mjs";
import { moduleTextKey } from "./words.mjs";

/** @typedef {import("./foundry.mjs").Globals} Globals */

/** What stakes can be paid in. @type {Record<string, string>} */
const CURRENCIES = {
  chips: "ODDSMITH.settings.currency.chips",
  itempiles: "ODDSMITH.settings.currency.itempiles",
  dnd5e: "ODDSMITH.settings.currency.dnd5e",
  pf2e: "ODDSMITH.settings.currency.pf2e",
  path: "ODDSMITH.settings.currency.path",
};

/** @typedef {FoundrySettingStart & {name?: string, hint?: string, choices?: Record<string, string>}} Start `name`,
 * `hint` and the values of `choices` are keys of the language file */

/** What everybody chooses for their own screen. */
const OWN = { scope: /** @type {const} */ ("client"), type: Boolean, default: true };

/** @type {Record<string, Start>} */
const SETTINGS = {
  tables: { config: false, type: Object, default: emptyWorldRecord() },
  rested: { config: false, type: Object, default: {} },
  open: {
    name: "ODDSMITH.settings.open.name",
    hint: "ODDSMITH.settings.open.hint",
    type: String,
    default: "everyone",
    choices: { everyone: "ODDSMITH.settings.open.everyone", gm: "ODDSMITH.settings.open.gm" },
  },
  owners: {
    name: "ODDSMITH.settings.owners.name",
    hint: "ODDSMITH.settings.owners.hint",
    type: Boolean,
    default: false,
  },
  trusting: {
    name: "ODDSMITH.settings.trusting.name",
    hint: "ODDSMITH.settings.trusting.hint",
    type: Boolean,
    default: false,
  },
  pause: {
    name: "ODDSMITH.settings.pause.name",
    hint: "ODDSMITH.settings.pause.hint",
    type: Number,
    default: 900,
    range: { min: 0, max: 3000, step: 100 },
  },
  timer: {
    name: "ODDSMITH.settings.timer.name",
    hint: "ODDSMITH.settings.timer.hint",
    type: Number,
    default: 0,
    range: { min: 0, max: 600, step: 15 },
  },
  turnNotice: { ...OWN, name: "ODDSMITH.settings.turnNotice.name", hint: "ODDSMITH.settings.turnNotice.hint" },
  turnSound: { ...OWN, name: "ODDSMITH.settings.turnSound.name", hint: "ODDSMITH.settings.turnSound.hint" },
  turnBadge: { ...OWN, name: "ODDSMITH.settings.turnBadge.name", hint: "ODDSMITH.settings.turnBadge.hint" },
  opening: {
    name: "ODDSMITH.settings.opening.name",
    hint: "ODDSMITH.settings.opening.hint",
    type: Number,
    default: 100,
    range: { min: 0, max: 10_000, step: 10 },
  },
  currency: {
    name: "ODDSMITH.settings.currency.name",
    hint: "ODDSMITH.settings.currency.hint",
    type: String,
    default: "chips",
    choices: CURRENCIES,
  },
  coin: { name: "ODDSMITH.settings.coin.name", hint: "ODDSMITH.settings.coin.hint", type: String, default: "gp" },
  skill: { name: "ODDSMITH.settings.skill.name", hint: "ODDSMITH.settings.skill.hint", type: String, default: "" },
  regular: { name: "ODDSMITH.settings.regular.name", hint: "ODDSMITH.settings.regular.hint", type: Number, default: 2 },
  expert: { name: "ODDSMITH.settings.expert.name", hint: "ODDSMITH.settings.expert.hint", type: Number, default: 6 },
  path: {
    name: "ODDSMITH.settings.path.name",
    hint: "ODDSMITH.settings.path.hint",
    type: String,
    default: "system.currency.gp",
  },
};

/** Register all settings of the module. @param {string} moduleId of the module @param {() => void} onChange hears of
 * every change of any setting, on every client
 * @param {Globals} [foundryGlobals] */
export function registerSettings(moduleId, onChange, foundryGlobals = globals()) {
  const { settings, system, modules } = asFoundryGame(foundryGlobals.game);
  joinRegistry(foundryGlobals.game, moduleId, onChange);
  const isFirst = firstModuleId(foundryGlobals.game) === moduleId;
  if (isFirst && sharesPurses(foundryGlobals.game)) registerPursesSetting(foundryGlobals.game);
  const register = (/** @type {string} */ key, /** @type {Start} */ start) =>
    settings.register(moduleId, key, { scope: "world", config: true, onChange: onChange, ...withModuleKeys(start) });
  for (const [key, start] of Object.entries(SETTINGS)) {
    register(key, key === "opening" && !isFirst ? { ...start, config: false } : start);
    if (key !== "currency") continue;
    // The chosen currency can only be read once the setting is registered. It stays a choice even if the module that
    // keeps it is gone.
    const present = new Set(["chips", "path", system.id, String(settings.get(moduleId, "currency"))]);
    if (modules.get("item-piles")?.active) present.add("itempiles");
    const choices = Object.fromEntries(Object.entries(CURRENCIES).filter(([name]) => present.has(name)));
    register(key, { ...start, choices });
  }
}

/** Register the purses that all our modules share. @param {Globals["game"]} foundryGame */
function registerPursesSetting(foundryGame) {
  const changed = () => {
    for (const member of moduleRegistry(foundryGame).modules.values()) member.changed();
  };
  const { purses, purseChanges } = emptyWorldRecord();
  asFoundryGame(foundryGame).settings.register(SHARED, "chips", {
    scope: "world",
    config: false,
    type: Object,
    default: { purses, purseChanges },
    onChange: changed,
  });
}

/** Return a setting whose texts have the module's own keys of the language file. @param {Start} start @returns
 * {Start} */
function withModuleKeys({ name, hint, choices, ...more }) {
  const texts = Object.entries(choices ?? {}).map(([value, key]) => [value, moduleTextKey(key)]);
  return {
    ...more,
    ...(name && hint ? { name: moduleTextKey(name), hint: moduleTextKey(hint) } : {}),
    ...(choices ? { choices: Object.fromEntries(texts) } : {}),
  };
}
