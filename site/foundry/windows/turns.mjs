// @ts-check
/** Notices of a turn for people whose window is closed: a message, a sound, and a bell in place of the dice among the
 * controls of the scene. Each user can turn each of them off. */

import { waitForDice } from "../world/still.mjs";
import { localizedText } from "../world/words.mjs";

/** @typedef {import("./desk.mjs").WindowManager} Desk */

/** Whether the button of the scene shows that it is this user's turn at some table. @param {Desk | null}
 * windowManager */
export function hasTurn(windowManager) {
  return (
    windowManager !== null && windowManager.waiting.size > 0 && windowManager.tables.host.get("turnBadge") === true
  );
}

/** Tell the user after every change if it has become his turn. @param {Desk} windowManager */
export function watchTurns(windowManager) {
  const look = () => void announceTurns(windowManager).catch(windowManager.tables.host.report);
  windowManager.tables.onChange(look);
  look();
}

/** Notify this user of tables where it has just become his turn, by a message and a sound. @param {Desk}
 * windowManager */
async function announceTurns(windowManager) {
  // Dice that still roll may be about to end somebody's turn.
  await waitForDice(
    windowManager.tables.host,
    windowManager.tables.all().flatMap(({ phase, log }) => (phase === "play" ? latestDiceMessages(log) : [])),
  );
  const mine = windowManager.tables
    .all()
    .filter(({ phase, mover, seats }) => phase === "play" && mover !== null && seats[mover].user === game.user.id);
  const fresh = mine.filter(({ id }) => !windowManager.waiting.has(id));
  const before = hasTurn(windowManager);
  windowManager.waiting = new Set(mine.map(({ id }) => id));
  if (hasTurn(windowManager) !== before && canvas?.ready) void ui.controls.render({ reset: true });
  // Whoever has the table open sees it there.
  const unseen = fresh.filter(({ id }) => !windowManager.laying && !windowManager.windows.has(id));
  const { host } = windowManager.tables;
  if (host.get("turnNotice") === true)
    for (const record of unseen)
      ui.notifications.info(localizedText("ODDSMITH.Turn.Notice", { game: windowManager.gameTitle(record.game) }));
  if (unseen.length && host.get("turnSound") === true)
    void foundry.audio.AudioHelper.play({ src: CONFIG.sounds.notification }, false);
}

/** The messages with the last dice of a log. @param {readonly {message?: string}[]} log */
const latestDiceMessages = (log) => log.slice(-3).flatMap(({ message }) => message ?? []);
