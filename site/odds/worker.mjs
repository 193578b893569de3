// @ts-check
/** Answers questions beside the page, so that nobody at the table waits. */

import { reply } from "./reply.mjs";

addEventListener("message", async ({ data: { key, question } }) => {
  try {
    postMessage({ key, reply: await reply(question) });
  } catch (error) {
    postMessage({ key, fault: String(error) });
  }
});
