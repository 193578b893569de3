// @ts-check
/** What the game master sees beside the table: the people, invitations, and the answers that come back. */

import { setTextOrHide } from "../room/parts.mjs";
import { button, labelledControl } from "../runtime/words/controls.mjs";
import { makeElement } from "../runtime/words/view.mjs";
import { isStunServer, readFragment } from "./code.mjs";
import { joinForm } from "./joining.mjs";
import { pageAddress, sharePanel } from "./passing.mjs";
import { scanControl } from "./scanning.mjs";
import { seatNames, localizedText } from "./words.mjs";

/** @typedef {import("./host.mjs").HostTable} Host */
/** @typedef {import("./host.mjs").Invitation} Invitation */

const NAME = "oddsmith/link/master";
const STUN = "oddsmith/link/stun";
const ANSWER = "oddsmith/link/answer"; // left by a tab that was opened by the link of an answer

/** The people of a table, as the game master sees them. */
export class PeoplePanel {
  /** @param {HTMLElement} root @param {Host} host */
  constructor(root, host) {
    this.host = host;
    /** @type {WeakMap<Invitation, HTMLElement>} */
    this.cards = new WeakMap();
    this.alert = makeElement("p", { class: "od-alert", role: "alert", hidden: true });
    this.note = makeElement("p", { class: "od-note", role: "status" });
    this.dice = makeElement("p", { class: "od-note", hidden: true });
    this.list = makeElement("ul", { class: "od-seats" });
    this.invitations = makeElement("div", { class: "od-cards" });
    this.box = makeElement("textarea", { rows: 2, spellcheck: false });
    const letIn = button(localizedText("letIn"), () => this.#acceptAnswer(this.box.value));
    const scan = scanControl("answer", (text) => this.#acceptAnswer(text));
    this.answers = makeElement(
      "div",
      { class: "od-panel" },
      scan,
      labelledControl(localizedText("answerBox"), this.box),
      letIn,
    );
    root.replaceChildren(
      makeElement("h2", {}, localizedText("players")),
      this.note,
      this.list,
      this.dice,
      this.#inviteButton(localizedText("invite"), () => host.newPlaceCount, { "data-od": "invite" }),
      this.alert,
      this.invitations,
      this.answers,
      this.#settingsPanel(),
      makeElement("details", {}, makeElement("summary", {}, localizedText("joinOther")), joinForm()),
    );
    this.draw("");
    const look = () => this.#takeLeftAnswer();
    for (const event of ["storage", "visibilitychange", "hashchange"]) addEventListener(event, look);
    addEventListener("beforeunload", (event) => host.links.some(({ person }) => person) && event.preventDefault());
    look();
  }

  /** Do something, and show its error. @param {() => Promise<void>} act */
  async #showErrorOf(act) {
    setTextOrHide(this.alert, "");
    await act().catch((error) => setTextOrHide(this.alert, error.message));
  }

  /** A button that makes an invitation. @param {string} text @param {() => number} getDeviceCount of devices
   * @param {Record<string, string>} attributes */
  #inviteButton(text, getDeviceCount, attributes) {
    const act = async () => {
      await this.host.makeInvitation(getDeviceCount());
      /** @type {HTMLElement} */ (this.invitations.lastElementChild).focus();
    };
    return button(text, () => this.#showErrorOf(act), attributes);
  }

  /** Take an answer that came to another tab, or in the address of this one. */
  #takeLeftAnswer() {
    const { answer: own, join } = readFragment(location.hash);
    if (join) return location.reload(); // here a guest, from now on
    const answer = own || localStorage.getItem(ANSWER);
    if (!answer) return;
    localStorage.removeItem(ANSWER);
    history.replaceState(null, "", location.pathname);
    this.#acceptAnswer(answer);
  }

  /** Take an answer. @param {string} answerText an answer, or its link */
  #acceptAnswer(answerText) {
    void this.#showErrorOf(async () => {
      await this.host.acceptAnswer(answerText);
      this.box.value = "";
    });
  }

  /** Draw everything, with the last event. @param {string} eventText what just happened to somebody, empty for nothing
   * of note */
  draw(eventText) {
    const { invitations, people, rounds } = this.host;
    const { makers, missing } = rounds;
    const made = makers > 1 ? localizedText("diceMade", { makers }) : makers ? localizedText("diceAlone") : "";
    const waits = `${localizedText("numberMissing", { names: seatNames(this.host.kept, missing) })} ${localizedText("numberHelp")}`;
    setTextOrHide(this.dice, missing.length ? waits : made);
    if (eventText) setTextOrHide(this.note, eventText);
    else if (!people.length) setTextOrHide(this.note, localizedText("alone"));
    this.list.replaceChildren(...people.map((one) => this.#personRow(one)));
    const cards = invitations.map((one) => this.#updatedInvitationCard(one));
    for (const old of [...this.invitations.children]) if (!cards.includes(old)) old.remove();
    this.invitations.append(...cards.filter((card) => !card.isConnected));
    this.answers.hidden = !cards.length;
  }

  /** The row of a person. @param {Host["people"][number]} person */
  #personRow({ name, link }) {
    const state = makeElement(
      "span",
      { class: "od-note" },
      localizedText(!link ? "away" : link.wire.state === "open" ? "open" : "shaky"),
    );
    const about = { "aria-label": `${localizedText("inviteAgain")}: ${name}` };
    const again = link ? null : this.#inviteButton(localizedText("inviteAgain"), () => 1, about);
    return makeElement("li", {}, makeElement("strong", {}, name), state, again);
  }

  /** The card of an invitation, with its present state. @param {Invitation} invitation */
  #updatedInvitationCard(invitation) {
    const { host } = this;
    const card = this.cards.get(invitation) ?? this.#makeInvitationCard(invitation);
    const open = invitation.places.filter((link) => !link.person && host.links.includes(link));
    const hint = localizedText(host.stun ? "hintStun" : "hint");
    const left = open.filter(({ taken }) => !taken).length;
    const told = [
      open.some(({ taken, wire }) => taken && wire.state === "waiting") ? localizedText("connecting") : "",
      open.some(({ taken, wire }) => taken && wire.state === "stuck") ? localizedText("stuck", { hint }) : "",
      invitation.places.length === 1 ? "" : left ? localizedText("placesLeft", { left }) : localizedText("noPlaceLeft"),
    ];
    setTextOrHide(/** @type {HTMLElement} */ (card.lastElementChild), told.filter(Boolean).join(" "));
    return card;
  }

  /** Make the card of an invitation. @param {Invitation} invitation */
  #makeInvitationCard(invitation) {
    const { code, places } = invitation;
    const withdraw = button(localizedText("withdraw"), () => {
      for (const link of places) if (!link.person) this.host.endConnection(link);
    });
    const address = pageAddress({ join: code, stun: this.host.stun });
    const steps =
      places.length === 1 ? localizedText("inviteOne") : localizedText("inviteSteps", { places: places.length });
    const card = sharePanel(localizedText("invitation"), `${steps} ${localizedText("answerComes")}`, address, withdraw);
    this.cards.set(invitation, card);
    return card;
  }

  /** The settings of the game master. */
  #settingsPanel() {
    const { host } = this;
    const name = makeElement("input", { value: host.me.name, maxLength: 30, autocomplete: "nickname" });
    name.addEventListener("change", () => {
      localStorage.setItem(NAME, name.value.trim());
      void host.renameGameMaster(gameMasterName());
    });
    const kept = localStorage.getItem(STUN);
    host.stun = isStunServer(kept) ? kept : "";
    const stun = makeElement("input", { value: host.stun, spellcheck: false, autocapitalize: "off" });
    stun.addEventListener("change", () => {
      const given = stun.value.trim().replace(/^stun:/, "");
      stun.setCustomValidity(given && !isStunServer(given) ? localizedText("stunWrong") : "");
      if (!stun.reportValidity()) return;
      host.stun = given;
      localStorage.setItem(STUN, given);
    });
    const fields = [
      labelledControl(localizedText("yourName"), name),
      labelledControl(localizedText("stun"), stun, localizedText("stunAbout")),
    ];
    return makeElement(
      "details",
      {},
      makeElement("summary", {}, localizedText("settings")),
      makeElement("div", { class: "od-panel" }, ...fields),
    );
  }
}

/** The name of the game master of this browser. */
export const gameMasterName = () => localStorage.getItem(NAME) || localizedText("gameMaster");

/** Pass an answer to the table in another tab of this browser. This tab was opened by the answer's link.
 * @param {HTMLElement} root @param {string} answer */
export function passAnswerOn(root, answer) {
  localStorage.setItem(ANSWER, answer);
  setTimeout(() => {
    if (localStorage.getItem(ANSWER) !== answer) return;
    localStorage.removeItem(ANSWER);
    root.replaceChildren(
      sharePanel(localizedText("answerTitle"), localizedText("notPassedOn"), pageAddress({ answer })),
    );
  }, 3000);
  root.replaceChildren(makeElement("p", { role: "status" }, localizedText("passedOn")));
}
