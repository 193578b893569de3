// What the scripts of this folder use of Foundry Virtual Tabletop (13 and newer) beside what the tables use of it
// (../foundry/globals.d.ts). What a message shows to whom, terms of rolls and the release are behind a cast to `any`.

interface FoundryHooks {
  /** Entries of the menu of a message: with `name` in 13, with `label` from 14 on. */
  getChatMessageContextOptions: (log: unknown, entries: object[]) => void;
}
