// @ts-check
/** Invitations and answers as short codes. A code holds what a browser must know of another to reach it, and no more:
 * two passwords of one connection, the fingerprint of its key, and addresses. A description for the browser is made of
 * these pieces alone, each of which was checked, so no code can smuggle in anything else. */

import { fromAddress, toAddress } from "../runtime/table/packed.mjs";
import { Refused } from "../runtime/table/refused.mjs";
import { say } from "./words.mjs";

/** @typedef {{ufrag: string, pwd: string, fingerprint: string, answers: string, places: Place[]}} Ticket
 * `fingerprint` in hexadecimal digits, `answers` the ufrag of the invitation that is answered, empty for an
 * invitation */
/** @typedef {{kind: "host" | "srflx", port: number, address: string}} Place `srflx`: as a STUN server sees it */

const VERSION = "1";
const MOST = 2000; // characters of a code
const PLACES = 10;
const UFRAG = "[A-Za-z0-9+/]{4,256}";
const HEX = "[0-9a-f]{64}";
const NUMBERS = String.raw`\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:]{2,39}`;
// A name that a browser makes up stands for an address in its own network alone. No other name is ever looked up.
const ADDRESS = String.raw`(?:${NUMBERS}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.local)`;
const WHOLE = new RegExp(
  `^${VERSION} (${UFRAG}) ([A-Za-z0-9+/]{22,256}) (${HEX}) (${UFRAG})?((?: [hs]\\d{1,5},${ADDRESS}){0,${PLACES}})$`,
);

/** The code of what a browser says of itself. @param {string} sdp @param {string} [answers] the ufrag of the invitation
 * that it answers @returns {string} letters, digits, - and _ */
export function codeOf(sdp, answers = "") {
  const found = (/** @type {RegExp} */ one) => one.exec(sdp)?.[1] ?? "";
  const fingerprint = found(/^a=fingerprint:sha-256 (\S+)/im)
    .replaceAll(":", "")
    .toLowerCase();
  const places = [...sdp.matchAll(/^a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ (host|srflx)/gim)]
    .filter(([, address]) => new RegExp(`^${ADDRESS}$`).test(address))
    .slice(0, PLACES)
    .map(([, address, port, kind]) => ` ${kind[0]}${port},${address}`);
  const head = [VERSION, found(/^a=ice-ufrag:(\S+)/m), found(/^a=ice-pwd:(\S+)/m), fingerprint, answers];
  return toAddress(btoa(head.join(" ") + places.join("")));
}

/** What a code holds, whoever wrote it. Throws Refused. @param {unknown} code @returns {Ticket} */
export function ticketOf(code) {
  const text = typeof code === "string" && code.length <= MOST && /^[A-Za-z0-9_-]+$/.test(code) ? plain(code) : "";
  const parts = WHOLE.exec(text);
  if (!parts) throw new Refused(say(/^\d+ /.test(text) && !text.startsWith(`${VERSION} `) ? "otherVersion" : "noCode"));
  const [, ufrag, pwd, fingerprint, answers = "", rest] = parts;
  const places = rest
    .split(" ")
    .slice(1)
    .map((one) => {
      const [port, address] = one.slice(1).split(",");
      return { kind: /** @type {Place["kind"]} */ (one[0] === "h" ? "host" : "srflx"), port: Number(port), address };
    });
  if (places.some(({ port }) => port < 1 || port > 65_535)) throw new Refused(say("noCode"));
  return { ufrag, pwd, fingerprint, answers, places };
}

/** @param {string} code */
function plain(code) {
  try {
    return atob(fromAddress(code));
  } catch {
    return "";
  }
}

/** What the browser is told of the other one. @param {Ticket} ticket @returns {RTCSessionDescriptionInit} */
export function described({ ufrag, pwd, fingerprint, answers, places }) {
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
    `a=setup:${answers ? "active" : "actpass"}`,
    "a=mid:0",
    "a=sctp-port:5000",
    ...places.map(
      ({ kind, port, address }, at) =>
        `a=candidate:${at + 1} 1 udp ${priority(kind, at)} ${address} ${port} typ ${kind}` +
        (kind === "host" ? "" : " raddr 0.0.0.0 rport 0"),
    ),
  ];
  return { type: answers ? "answer" : "offer", sdp: `${lines.join("\r\n")}\r\n` };
}

/** As RFC 8445 has it: what is near comes first. @param {Place["kind"]} kind @param {number} at */
const priority = (kind, at) => (kind === "host" ? 126 : 100) * 2 ** 24 + (65_535 - at) * 256 + 255;

/** What an address holds behind `#`; a text without one is an answer. @param {string} text
 * @returns {{join?: string, answer?: string, game?: string, stun?: string}} */
export function asked(text) {
  const fragment = text.trim().split("#").at(-1) ?? "";
  if (!text.includes("#")) return { answer: fragment };
  return Object.fromEntries(new URLSearchParams(fragment));
}

/** Whether a text names a STUN server: a host, and a port where it has one. @param {unknown} text
 * @returns {text is string} */
export function isServer(text) {
  return typeof text === "string" && /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,120}[A-Za-z0-9])?(?::\d{1,5})?$/.test(text);
}
