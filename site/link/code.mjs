// @ts-check
/** Invitations and answers as short codes. A code holds only what a browser must know of another to reach it: the
 * fingerprint of its key, its addresses, and two passwords and ports for each connection that it offers. Each of these
 * pieces is checked, and descriptions for the browser are made of them alone, so no code can bring in anything else. */

import { base64FromUrlSafe, base64ToUrlSafe } from "../runtime/table/packed.mjs";
import { Refused } from "../runtime/table/refused.mjs";
import { localizedText } from "./words.mjs";

/** @typedef {{ufrag: string, pwd: string, fingerprint: string, answers: string, places: Place[]}} Ticket of one
 * connection; `fingerprint` in hexadecimal digits, `answers` the ufrag of the ticket that is answered, empty in an
 * invitation */
/** @typedef {{kind: "host" | "srflx", port: number, address: string}} Place `srflx`: as a STUN server sees it */

const VERSION = "3";
const MAX_CODE_LENGTH = 2500; // characters of a code
const PLACES = 10;
export const TICKETS = 5; // of a code
const UFRAG = "[A-Za-z0-9+/]{4,256}";
const HEX = "[0-9a-f]{64}";
const NUMBERS = String.raw`\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:]{2,39}`;
// A name that a browser makes up stands for an address in its own network alone. No other name is ever looked up.
const ADDRESS = String.raw`(?:${NUMBERS}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.local)`;
const TICKET = String.raw`${UFRAG},[A-Za-z0-9+/]{22,256},(?:${UFRAG})?(?:,[hs]\d{1,5}@\d{1,2}){0,${PLACES}}`;
const WHOLE = new RegExp(
  `^${VERSION} (${HEX}) ((?:${ADDRESS}(?:,${ADDRESS})*)?) (${TICKET}(?: ${TICKET}){0,${TICKETS - 1}})$`,
);

/** Encode a browser's descriptions of its connections, which share one key, as a code for an invitation or an answer.
 * @param {readonly string[]} sdps
 * @param {readonly string[]} [answers] the ufrags of the tickets that they answer
 * @returns {string} letters , digits, - and _ */
export function encodeDescriptions(sdps, answers = []) {
  /** @type {string[]} */
  const addresses = [];
  const tickets = sdps.map((sdp, at) => {
    const places = [...sdp.matchAll(/^a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ (host|srflx)/gim)]
      .filter(([, address]) => new RegExp(`^${ADDRESS}$`).test(address))
      .slice(0, PLACES)
      .map(([, address, port, kind]) => {
        if (!addresses.includes(address)) addresses.push(address);
        return `,${kind[0]}${port}@${addresses.indexOf(address)}`;
      });
    return (
      [firstGroup(sdp, /^a=ice-ufrag:(\S+)/m), firstGroup(sdp, /^a=ice-pwd:(\S+)/m), answers[at] ?? ""].join() +
      places.join("")
    );
  });
  const fingerprint = firstGroup(sdps[0], /^a=fingerprint:sha-256 (\S+)/im)
    .replaceAll(":", "")
    .toLowerCase();
  return base64ToUrlSafe(btoa([VERSION, fingerprint, addresses.join(), ...tickets].join(" ")));
}

/** The first group of a match; empty if there is none. @param {string} sdp @param {RegExp} pattern */
const firstGroup = (sdp, pattern) => pattern.exec(sdp)?.[1] ?? "";

/** Decode the tickets of a code, which anybody may have written. Throws Refused if it is no code of this version.
 * @param {unknown} code
 * @returns {[Ticket, ...Ticket[]]} all of an invitation, or all of an answer */
export function decodeTickets(code) {
  const text =
    typeof code === "string" && code.length <= MAX_CODE_LENGTH && /^[A-Za-z0-9_-]+$/.test(code)
      ? decodeBase64(code)
      : "";
  const parts = WHOLE.exec(text);
  if (!parts)
    throw new Refused(localizedText(/^\d+ /.test(text) && !text.startsWith(`${VERSION} `) ? "otherVersion" : "noCode"));
  const [, fingerprint, listed, rest] = parts;
  const addresses = listed.split(",");
  const tickets = rest.split(" ").map((one) => {
    const [ufrag, pwd, answers, ...ports] = one.split(",");
    const places = ports.map((each) => {
      const [port, at] = each.slice(1).split("@").map(Number);
      const kind = /** @type {Place["kind"]} */ (each[0] === "h" ? "host" : "srflx");
      return { kind, port, address: addresses[at] ?? "" };
    });
    return { ufrag, pwd, fingerprint, answers, places };
  });
  const wrong = tickets.some(
    ({ answers, places }) =>
      Boolean(answers) !== Boolean(tickets[0].answers) ||
      places.some(({ port, address }) => port < 1 || port > 65_535 || !address),
  );
  if (wrong) throw new Refused(localizedText("noCode"));
  return /** @type {[Ticket, ...Ticket[]]} */ (tickets);
}

/** Decode base64 from an address; empty if it is no base64. @param {string} code */
function decodeBase64(code) {
  try {
    return atob(base64FromUrlSafe(code));
  } catch {
    return "";
  }
}

/** The session description (SDP) of another browser, made of its ticket. The side that invited begins the DTLS
 * handshake, once it has taken an answer. Guests whose answers still wait reach the same ports, so a greeting of
 * theirs would break the handshake with the chosen guest.
 * @param {Ticket} ticket @returns {RTCSessionDescriptionInit} */
export function sessionDescription({ ufrag, pwd, fingerprint, answers, places }) {
  const lines = [
    "v=0",
    "o=- 1 1 IN IP4 127.0.0.1",
    "s=-",
    "t=0 0",
    "a=group:BUNDLE 0",
    "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
    "c=IN IP4 0.0.0.0",
    `a=ice-ufrag:${ufrag}`,
    `a=ice-pwd:${pwd}`,
    `a=fingerprint:sha-256 ${fingerprint.toUpperCase().match(/../g)?.join(":")}`,
    `a=setup:${answers ? "passive" : "active"}`,
    "a=mid:0",
    "a=sctp-port:5000",
    ...places.map(
      ({ kind, port, address }, at) =>
        `a=candidate:${at + 1} 1 udp ${candidatePriority(kind, at)} ${address} ${port} typ ${kind}` +
        (kind === "host" ? "" : " raddr 0.0.0.0 rport 0"),
    ),
  ];
  return { type: answers ? "answer" : "offer", sdp: `${lines.join("\r\n")}\r\n` };
}

/** The priority of a candidate by RFC 8445: near addresses come first. @param {Place["kind"]} kind
 * @param {number} index */
const candidatePriority = (kind, index) => (kind === "host" ? 126 : 100) * 2 ** 24 + (65_535 - index) * 256 + 255;

/** Read the parameters behind `#` in an address; a text without `#` is an answer.
 * @param {string} text
 * @returns {{join?: string, answer?: string, game?: string, stun?: string}} */
export function readFragment(text) {
  const fragment = text.trim().split("#").at(-1) ?? "";
  if (!text.includes("#")) return { answer: fragment };
  return Object.fromEntries(new URLSearchParams(fragment));
}

/** Whether a text names a STUN server: a host, and a port where it has one. @param {unknown} text
 * @returns {text is string} */
export function isStunServer(text) {
  return typeof text === "string" && /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,120}[A-Za-z0-9])?(?::\d{1,5})?$/.test(text);
}
