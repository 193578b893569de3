// @ts-check
/** What the page of a table by link says besides its table, in one place, so that it can be put into another
 * language. */

import { fillIn } from "../runtime/words/words.mjs";

/** The sentences by key; a name in braces is put in. */
export const ENGLISH = {
  gameMaster: "Game master", // a name until somebody gives another
  cannotBegin: "This page could not start: {why}.",
  tooOld: "This browser cannot connect to other browsers. The page also needs an address that begins with https.",
  otherTab: "Your table is open in another tab or window of this browser. Close it there to have it here.",

  players: "Players",
  alone: "Nobody else is here yet. One invitation is enough: its link is for all who are to sit here.",
  invite: "Invite players",
  inviteAgain: "Invite again",
  open: "connected",
  shaky: "not answering; perhaps only for a moment",
  away: "not connected",
  came: "{name} is here.",
  left: "{name} is no longer connected.",

  invitation: "Invitation",
  inviteOne:
    "Send this link to the player who is to sit here, or let the player scan the picture. It lets in one device.",
  inviteSteps: "Send this link to all your players, or let them scan the picture. It lets in {places} devices.",
  answerComes:
    "Each player’s page shows an answer, which has to come back to you: scan its picture, open its link in this browser, or paste it below.",
  placesLeft: "Places left: {left}.",
  noPlaceLeft: "All its places are taken.",
  connecting: "Connecting…",
  stuck: "There is no connection yet. {hint}",
  stuckGuest:
    "There is no connection yet. It needs your answer at the game master’s. An invitation that is used up or withdrawn cannot be answered: then ask for a new one. {hint}",
  hint: "Both devices must be in the same network, such as one Wi-Fi, and that network must let its devices talk to each other. Guest networks often do not.",
  hintStun: "A STUN server helps between many networks, but not between all.",
  withdraw: "Withdraw",
  answerBox: "A player’s answer, or its link",
  letIn: "Let the player in",
  passedOn: "Your table in the other tab has this answer. You can close this tab.",
  notPassedOn: "No table that is open in this browser waits for this answer. Copy it, and paste it at the table.",

  settings: "Your name, and players in other networks",
  yourName: "Your name",
  stun: "STUN server, such as stun.example.org:3478",
  stunAbout:
    "Leave this empty if everybody is in the same network: then the page asks no server at all. A STUN server tells a browser its address on the internet. It sees the addresses of you and your players and when you play, but nothing of the game. A player sees its name before joining.",
  stunWrong: "This is not the name of a server.",

  joinTitle: "Join the table",
  join: "Join",
  joinAbout: "Your game master sees this name, and so does everybody at the table.",
  joinStun: "When you join, your browser asks the server {stun} for its address on the internet.",
  noName: "Write a name first: it tells the others who you are.",
  cameBefore:
    "By this link you came to the table of {host}, as {name}. It lets you in again while it has places left, and your seat is kept for you. If it has none, ask {host} for a new one, and open it in this browser.",
  usedUp:
    "This invitation is used up: by it you came to the table of {host}, as {name}. Ask {host} for a new one, and open it in this browser, or scan or paste it here. Then you are known again, and your seat is kept for you.",
  comeBack: "Come back",
  answerTitle: "Your answer",
  answerSteps:
    "Send this answer to your game master. Keep this page open: the table appears here as soon as the answer has arrived.",
  welcome: "You are at the table of {host}, as {name}.",
  guestShaky: "The game master’s browser does not answer. Perhaps it is only for a moment.",
  guestLost: "The connection is gone. Ask for a new invitation, and open it on this device. Then you are known again.",

  diceMade: "The browsers of everybody with a seat made the last roll together: {makers}.",
  diceAlone: "No other browser had a part in the last roll, so only yours vouches for it.",
  diceRight: "Your browser had a part in every roll since it came, and found all of them right: {checked}.",
  diceSeen:
    "Your browser checked every roll since it came, and found all of them right: {checked}. It had a part in {shared}.",
  numberMissing:
    "The roll waits for the number of {names}, which was promised. It goes on as soon as that browser shows it.",
  numberHelp: "Or give the seat to a non-player: then the others can begin this roll anew.",
  listStrange: "Do not trust this table: the game master’s browser has numbers for a roll that are nobody’s.",
  listOther: "Do not trust this table: the game master’s browser changed the number of your browser for a roll.",
  begunAnew: "Do not trust this table: the game master’s browser tried to make a roll anew that had begun.",
  numberOther: "Do not trust this table: a number of a roll was changed after everybody had promised theirs.",
  changedLog: "Do not trust this table: something that had happened in this game was changed.",
  otherDice: "Do not trust this table: the game does not go on as everybody’s numbers say.",

  copy: "Copy",
  share: "Share",
  scan: "Scan with the camera",
  stopScan: "Turn the camera off",
  seen: "What the camera sees",
  hold: "Hold the picture on the other device before the camera.",
  otherCode: "The camera sees another code than the one that is needed here.",
  cameraForbidden: "The browser does not let this page use the camera. Allow it, or paste the link.",
  cameraFailed: "There is no camera that this page can use. Paste the link instead.",
  joinOther: "Join somebody else’s table",
  invitationBox: "An invitation, or its link",
  picture: "A picture to scan, with the same link",

  noCode: "This is no invitation and no answer. Copy all of it, and try again.",
  otherVersion: "This comes from another version of the page. Load the page anew on both devices.",
  notAnAnswer: "This is an invitation. Send it to a player; the player’s page shows the answer.",
  notAnInvitation: "This is an answer. Open the link of the invitation to join.",
  oldInvitation: "This invitation is no longer open, or all its places are taken. Invite the player again.",
  answeredTwice: "This answer is here already.",
  tooMany: "There are too many invitations and players. Withdraw an invitation first.",
  noConnection: "There is no connection to the game master.",
  hostFailed: "Something went wrong in the game master’s browser.",
};

/** The names at some seats. @param {import("../room/log.mjs").Kept | null} tableRecord @param {readonly number[]}
 * seats */
export const seatNames = (tableRecord, seats) => seats.map((place) => tableRecord?.seats[place]?.name ?? "").join(", ");

/** A sentence. @param {keyof typeof ENGLISH} key @param {Record<string, string | number>} [data] */
export function localizedText(key, data) {
  return fillIn(ENGLISH[key], data);
}
