// @ts-check
/** What a guest sees before there is a table: a name to fill in, and the answer to send back; later the state of the
 * connection. */

import { setTextOrHide } from "../room/parts.mjs";
import { Refused } from "../runtime/table/refused.mjs";
import { button, labelledControl } from "../runtime/words/controls.mjs";
import { makeElement } from "../runtime/words/view.mjs";
import { readFragment, decodeTickets } from "./code.mjs";
import { pageAddress, sharePanel } from "./passing.mjs";
import { scanControl } from "./scanning.mjs";
import { seatNames, localizedText } from "./words.mjs";

const KEY = "oddsmith/link/key";
const NAME = "oddsmith/link/name";
const CAME = "oddsmith/link/came"; // by which invitations this browser came to a table
const KNOWN = 30; // invitations

/** @typedef {{id: string, host: string, name: string, times: number}} Came by which invitation, to whom, and as whom */

/** The invitations that this browser came by before. @returns {Came[]} */
const knownInvitations = () => JSON.parse(localStorage.getItem(CAME) ?? "[]");

/** The part of the page about joining. */
export class JoinPanel {
  /** @param {HTMLElement} root @param {import("./guest.mjs").GuestTable} guestTable
   * @param {{join: string, stun: string}} asked by the address */
  constructor(root, guestTable, { join, stun }) {
    this.guest = guestTable;
    this.asked = { join, stun };
    this.host = "";
    this.name = makeElement("input", {
      value: localStorage.getItem(NAME) ?? "",
      maxLength: 30,
      required: true,
      autocomplete: "nickname",
    });
    this.alert = makeElement("p", { class: "od-alert", role: "alert", hidden: true });
    this.note = makeElement("p", { class: "od-note", role: "status", hidden: true });
    this.dice = makeElement("p", { class: "od-note", hidden: true });
    this.place = makeElement("div", { class: "od-panel" });
    this.anew = makeElement("div", { hidden: true }, joinForm());
    root.replaceChildren(this.note, this.alert, this.dice, this.anew, this.place);
    this.invitation = readInvitation(join);
    const { id, places } = this.invitation;
    const before = knownInvitations().find((one) => one.id === id);
    const used = before && before.times >= places;
    const parts = used ? [makeElement("p", {}, localizedText("usedUp", before)), joinForm()] : this.#nameForm(before);
    this.place.replaceChildren(makeElement("h2", {}, localizedText("joinTitle")), ...parts);
  }

  /** The form that asks for a name. @param {Came} [earlierVisit] how somebody came by this invitation before */
  #nameForm(earlierVisit) {
    const { stun } = this.asked;
    const enter = () => {
      if (this.name.value.trim()) return this.#answerInvitation();
      setTextOrHide(this.alert, localizedText("noName"));
      this.name.focus();
    };
    this.name.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && enter());
    return [
      ...(earlierVisit ? [makeElement("p", {}, localizedText("cameBefore", earlierVisit))] : []),
      labelledControl(localizedText("yourName"), this.name, localizedText("joinAbout")),
      ...(stun ? [makeElement("p", {}, localizedText("joinStun", { stun }))] : []),
      button(localizedText(earlierVisit ? "comeBack" : "join"), enter, { "data-od": "choice" }),
    ];
  }

  /** Answer the invitation. */
  async #answerInvitation() {
    const name = this.name.value.trim();
    localStorage.setItem(NAME, name);
    const key = localStorage.getItem(KEY) ?? crypto.randomUUID();
    localStorage.setItem(KEY, key);
    setTextOrHide(this.alert, "");
    try {
      const answer = await this.guest.answerInvitation(this.asked.join, this.asked.stun, key, name);
      this.place.replaceChildren(
        sharePanel(localizedText("answerTitle"), localizedText("answerSteps"), pageAddress({ answer })),
      );
    } catch (error) {
      setTextOrHide(this.alert, /** @type {Error} */ (error).message);
    }
  }

  /** Show that the table has let the guest in. @param {string} hostName */
  welcome(hostName) {
    this.host = hostName;
    const { id } = this.invitation;
    const all = knownInvitations();
    const times = (all.find((one) => one.id === id)?.times ?? 0) + 1;
    const now = { id, host: hostName, name: this.guest.me.name, times };
    localStorage.setItem(CAME, JSON.stringify([now, ...all.filter((one) => one.id !== id)].slice(0, KNOWN)));
    this.draw();
  }

  /** Draw the state of the connection. */
  draw() {
    const { me, connectionState: state, witness } = this.guest;
    const { host } = this;
    this.place.hidden = Boolean(host);
    const hint = localizedText(this.asked.stun ? "hintStun" : "hint");
    const lost =
      state === "stuck" ? localizedText("stuckGuest", { hint }) : state === "closed" ? localizedText("guestLost") : "";
    this.anew.hidden = state !== "closed";
    setTextOrHide(this.alert, [witness.fault, lost].filter(Boolean).join(" "));
    const { checked, shared, missing } = witness;
    const right = checked ? localizedText(shared === checked ? "diceRight" : "diceSeen", { checked, shared }) : "";
    const waits = missing.length ? localizedText("numberMissing", { names: seatNames(witness.kept, missing) }) : "";
    setTextOrHide(this.dice, witness.fault ? "" : waits || right);
    const here = host && state === "open" ? localizedText("welcome", { host, name: me.name }) : "";
    setTextOrHide(this.note, state === "shaky" ? localizedText("guestShaky") : here);
  }
}

/** The id of an invitation, and how many devices it lets in. If it cannot be read, the id is empty and the number 0.
 * @param {string} invitationCode */
function readInvitation(invitationCode) {
  try {
    const tickets = decodeTickets(invitationCode);
    return { id: tickets[0].ufrag, places: tickets.length };
  } catch {
    return { id: "", places: 0 };
  }
}

/** A form to join a table from this page: scan an invitation, or paste it. */
export function joinForm() {
  const alert = makeElement("p", { class: "od-alert", role: "alert", hidden: true });
  const box = makeElement("textarea", { rows: 2, spellcheck: false });
  const go = (/** @type {string} */ text) => {
    try {
      const { join = "", stun = "" } = readFragment(text.includes("#") ? text : `#join=${text.trim()}`);
      if (decodeTickets(join)[0].answers) throw new Refused(localizedText("notAnInvitation"));
      location.hash = new URL(pageAddress({ join, stun })).hash; // the page begins anew, as a guest's
    } catch (error) {
      setTextOrHide(alert, /** @type {Error} */ (error).message);
    }
  };
  const enter = button(localizedText("join"), () => go(box.value));
  return makeElement(
    "div",
    { class: "od-panel" },
    alert,
    scanControl("join", go),
    labelledControl(localizedText("invitationBox"), box),
    enter,
  );
}
