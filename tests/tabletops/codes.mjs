// Asks the codes and messages of the table by link, without a browser.
//
//   node tests/tabletops/codes.mjs < job.json
//
// sdps: what browsers say of themselves, a text for each connection, with the ufrags that they answer. codes: of
// strangers. guest, host: what came over a connection. names: lists of a name and the names that are taken. servers:
// texts. beats: milliseconds at which somebody speaks.

import { readFileSync } from "node:fs";

import { encodeDescriptions, sessionDescription, isStunServer, decodeTickets } from "../../site/link/code.mjs";
import { cleanName, readGuestMessage, readHostMessage, RateLimit } from "../../site/link/messages.mjs";

const job = JSON.parse(readFileSync(0, "utf8"));
const why = (code) => {
  try {
    return decodeTickets(code).map(sessionDescription);
  } catch (error) {
    return `${error.constructor.name}: ${error.message}`;
  }
};
const coded = job.sdps.map(([sdps, answers]) => encodeDescriptions(sdps, answers));
let now = 0;
const meter = new RateLimit(3, 2, () => now);
console.log(
  JSON.stringify({
    codes: coded,
    read: coded.map(why),
    strange: job.codes.map(why),
    guest: job.guest.map(readGuestMessage),
    host: job.host.map(readHostMessage),
    names: job.names.map(([name, others]) => cleanName(name, others)),
    servers: job.servers.map(isStunServer),
    heard: job.beats.map((beat) => ((now = beat), meter.countAndAllow())),
  }),
);
