// @ts-check
/** Answers questions beside the page, so that nobody at the table waits. */

import { replyTo } from "./reply.mjs";

addEventListener("message", async ({ data: { key, question } }) => {
  try {
    postMessage({ key, reply: await replyTo(question) });
  } catch (error) {
    postMessage({ key, fault: String(error) });
  }
});
