// @ts-check
/** Dice on this screen that still roll. */

const LONGEST_THROW = 8000; // milliseconds after which dice on the screen are not waited for any more

/** Wait until the dice of some messages lie still, so that no text tells what they will show. Who asks Dice So Nice
 * about dice that do not roll at this screen waits for ever: it marks the messages of those that do.
 * @param {string[]} messages */
export async function still(messages) {
  const moving = [...new Set(messages)].filter((id) => /** @type {any} */ (game.messages.get(id))?._dice3danimating);
  const rolling = moving.map((id) => /** @type {any} */ (game).dice3d?.waitFor3DAnimationByMessageID(id));
  if (rolling.some(Boolean))
    await Promise.race([Promise.allSettled(rolling), new Promise((done) => setTimeout(done, LONGEST_THROW))]);
}
