// @ts-check
/** What a table in a room says, in one place, so that it can be put into another language. */

import { fillIn } from "../runtime/words/words.mjs";

/** The sentences by key; a name in braces is put in. */
export const ENGLISH = {
  title: "At this table", // what a panel is called
  failed: "This did not work: {why}.",

  noTable: "There is no table here yet.",
  open: "Open the table",
  game: "Game",
  size: "Setting",
  otherSize: "Another setting",
  players: "Players",
  notLoaded: "This game could not be loaded: {why}.",
  seesAdvice: "Who sees advice",
  seesNobody: "nobody",
  seesGM: "the game master",
  seesEverybody: "everybody",

  cannotShow: "This table cannot be shown here.",
  noSecrets: "a game with secrets needs a table by link, where nobody can look",
  waitsFor: "The game waits for the browser of {names}.",
  lost: "What your seat hides was made in another browser. Go on there.",
  sealed:
    "This game has secrets. Hidden dice and choices lie sealed in the browsers of their players, so nobody else can look, and nobody can change them. If one of these browsers is closed, the game waits until it is back on the same device. When the game is over, everything is shown, and every browser checks it.",
  close: "Close the table",
  closeAnyway: "Close, and lose the game",
  notSolved: "Not solved: no odds, no advice",
  standsStill: "The game waits until the game master takes the wrong move back.",
  again: "Play again",
  sitAs: "Sit down as {name}",
  nonPlayer: "a non-player",
  sitsHere: "sits here",
  sit: "Sit down",
  leave: "Leave",
  free: "Free the seat",
  freeNamed: "Free the seat of {name}",
  seatFree: "Seat {number} is free",
  begin: "Begin",
  allTaken: "Every seat is taken.",
  wait: "Seats are still free.",
  someFree: "Seats are still free. You can give a free seat to a non-player under “{panel}”.",
  skip: "Skip ahead",
  goOn: "Let the non-players go on",
  actFor: "As game master, for {name}:",
  worth: "What each action is worth",
  undo: "Take back",
  playedBy: "A non-player plays {name}",
  handAs: "{name}, as a non-player",
  give: "Give",
  giveNamed: "Give the seat of {name} to a non-player",
  save: "Save the transcript",
  copy: "Or copy it",
  choices: "What you can do",
  story: "What happened",

  notNow: "You cannot do this now.",
  takenBack: "Moves were taken back.",
  unreadable: "What is kept here is a table that cannot be read.",
  cannotOpen: "The table cannot be opened: {why}.",
  wrongSeats: "its seats do not fit the game",
  badLog: "its log cannot be read",
  wrongMove: "Entry {entry}: this move is not possible. Somebody changed the log by hand ({why}).",
  heavy: "This table takes {size} kB of the 16 kB that all extensions of a room share.",
  nothingToUndo: "There is nothing to take back.",
  noTableHere: "There is no table here.",
  noGame: "The game of this table is not here.",
  tooLarge: "This game has outgrown what a room can keep. Save the transcript, then close the table.",
  tooLate: "Somebody else was faster. Look again.",
  gameMissing: "this game, or this size of it, is not here",
  otherRules: "the rules of this game have changed since the table was opened",
  fileMissing: "{path} could not be loaded",
};

/** A sentence. @param {keyof typeof ENGLISH} key @param {Record<string, string | number>} [data] */
export function localizedText(key, data) {
  return fillIn(ENGLISH[key], data);
}
