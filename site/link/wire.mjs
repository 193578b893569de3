// @ts-check
/** A direct connection from one browser to another. */

import { sessionDescription } from "./code.mjs";

/** @typedef {"waiting" | "stuck" | "open" | "shaky" | "closed"} State `stuck`: it could not be opened so far;
 * `shaky`: it was open, and may come back by itself */
/** @typedef {{said: (data: unknown) => void, changed: (state: State) => void}} Ear */

const PATIENCE = 5000; // milliseconds for a STUN server; what was found until then must do
const CROWDED = 1_000_000; // bytes that the other one has not taken

/** A new key of this browser, which several connections may share. */
export const newCertificate = () =>
  RTCPeerConnection.generateCertificate(/** @type {any} */ ({ name: "ECDSA", namedCurve: "P-256" }));

/** A connection to another browser. */
export class PeerConnection {
  /** @param {string} stunServer a server, empty for none @param {RTCCertificate} certificate @param {Ear} listeners */
  constructor(stunServer, certificate, listeners) {
    this.pc = new RTCPeerConnection({
      certificates: [certificate],
      iceServers: stunServer ? [{ urls: `stun:${stunServer}` }] : [],
    });
    this.channel = this.pc.createDataChannel("table", { negotiated: true, id: 0 });
    this.ear = listeners;
    /** @type {State} */
    this.state = "waiting";
    const look = () => this.#setState(this.#currentState());
    this.pc.onconnectionstatechange = this.channel.onopen = this.channel.onclose = look;
    this.channel.onmessage = ({ data }) => this.state !== "closed" && listeners.said(data);
  }

  /** Set the state and report it. @param {State} state */
  #setState(state) {
    if (state === this.state || this.state === "closed") return;
    this.state = state;
    if (state === "closed") this.pc.close();
    this.ear.changed(state);
  }

  /** The state of the connection now. @returns {State} */
  #currentState() {
    const { connectionState } = this.pc;
    const { readyState } = this.channel;
    if (connectionState === "closed" || ["closing", "closed"].includes(readyState)) return "closed";
    // Who answers looks for the other at once. That fails where the answer takes long, and works all the same later.
    const failed = connectionState === "failed";
    if (readyState !== "open") return failed ? "stuck" : "waiting";
    if (failed) return "closed";
    return connectionState === "disconnected" ? "shaky" : "open";
  }

  /** Whether the description of the other browser is known. */
  get isAnswered() {
    return this.pc.remoteDescription !== null;
  }

  /** Begin an invitation. @returns {Promise<string>} what this browser says of itself */
  async beginInvitation() {
    await this.pc.setLocalDescription();
    return this.#gatherCandidates();
  }

  /** Answer an invitation. @param {import("./code.mjs").Ticket} ticket
   * @returns {Promise<string>} what this browser says of itself */
  async answerInvitation(ticket) {
    await this.pc.setRemoteDescription(sessionDescription(ticket));
    return this.beginInvitation();
  }

  /** Connect to the browser that answered the invitation. @param {import("./code.mjs").Ticket} ticket */
  async acceptAnswer(ticket) {
    await this.pc.setRemoteDescription(sessionDescription(ticket));
  }

  /** Wait until the browser has found its addresses, or for a while. Resolves to its description (SDP). @returns
   * {Promise<string>} */
  #gatherCandidates() {
    const { pc } = this;
    return new Promise((resolve) => {
      const end = () => resolve(pc.localDescription?.sdp ?? "");
      if (pc.iceGatheringState === "complete") return end();
      pc.addEventListener("icegatheringstatechange", () => pc.iceGatheringState === "complete" && end());
      setTimeout(end, PATIENCE);
    });
  }

  /** Send a message, unless the connection is not open. @param {object} message */
  sendMessage(message) {
    if (this.channel.readyState !== "open") return;
    if (this.channel.bufferedAmount > CROWDED) return this.close();
    this.channel.send(JSON.stringify(message));
  }

  /** End the connection. */
  close() {
    this.#setState("closed");
  }
}
