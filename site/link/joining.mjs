// @ts-check
/** What a guest sees before there is a table: a name, the answer to send back; later how the connection is. */

import { put } from "../room/parts.mjs";
import { button, labelled } from "../runtime/words/controls.mjs";
import { make } from "../runtime/words/view.mjs";
import { linkOf, passing } from "./passing.mjs";
import { say } from "./words.mjs";

const KEY = "oddsmith/link/key";
const NAME = "oddsmith/link/name";

export class Joining {
  /** @param {HTMLElement} root @param {import("./guest.mjs").Guest} guest
   * @param {{join: string, stun: string}} asked by the address */
  constructor(root, guest, { join, stun }) {
    this.guest = guest;
    this.asked = { join, stun };
    this.host = "";
    this.name = make("input", {
      value: localStorage.getItem(NAME) ?? "",
      maxLength: 30,
      required: true,
      autocomplete: "nickname",
    });
    this.alert = make("p", { class: "od-alert", role: "alert", hidden: true });
    this.note = make("p", { class: "od-note", role: "status", hidden: true });
    this.place = make("div", { class: "od-panel" });
    root.replaceChildren(this.note, this.alert, this.place);
    const enter = () => this.name.reportValidity() && this.#answer();
    this.place.replaceChildren(
      make("h2", {}, say("joinTitle")),
      labelled(say("yourName"), this.name, say("joinAbout")),
      ...(stun ? [make("p", {}, say("joinStun", { stun }))] : []),
      button(say("join"), enter, { "data-od": "choice" }),
    );
    this.name.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && enter());
  }

  async #answer() {
    const name = this.name.value.trim();
    localStorage.setItem(NAME, name);
    const key = localStorage.getItem(KEY) ?? crypto.randomUUID();
    localStorage.setItem(KEY, key);
    put(this.alert, "");
    try {
      const answer = await this.guest.answer(this.asked.join, this.asked.stun, key, name);
      this.place.replaceChildren(passing(say("answerTitle"), say("answerSteps"), linkOf({ answer })));
    } catch (error) {
      put(this.alert, /** @type {Error} */ (error).message);
    }
  }

  /** @param {string} host */
  welcome(host) {
    this.host = host;
    this.draw();
  }

  draw() {
    const { me, wire } = this.guest;
    const { host } = this;
    const state = wire?.state ?? "waiting";
    this.place.hidden = Boolean(host);
    const hint = say(this.asked.stun ? "hintStun" : "hint");
    put(this.alert, state === "stuck" ? say("stuck", { hint }) : state === "closed" ? say("guestLost") : "");
    const here = host && state === "open" ? say("welcome", { host, name: me.name }) : "";
    put(this.note, state === "shaky" ? say("guestShaky") : here);
  }
}
