// @ts-check
/** The play table of a changed game: the section of a game's page in a frame, with the changed rules. */

import { makeElement } from "../runtime/words/view.mjs";

/** The play table. */
export class PlayTableFrame {
  /** @param {HTMLDetailsElement} details */
  constructor(details) {
    this.details = details;
    this.book = "";
    this.shown = "";
    this.address = "";
    details.addEventListener("toggle", () => this.#draw());
  }

  /** Set the game to play, or none. @param {any} playFile what play.json holds, or null */
  setGame(playFile) {
    this.book = playFile ? JSON.stringify(playFile) : "";
    this.#draw();
  }

  /** Draw the frame. It is made only when somebody opens the table, and again only if the rules have changed. */
  #draw() {
    const { details, book } = this;
    details.dataset.odSound = String(Boolean(book));
    if (!details.open) return;
    if (!book) {
      this.#showNote(
        this.shown ? "Below is the last game that was sound." : "The table opens when the ruleset is sound.",
      );
      return;
    }
    this.#showNote("");
    if (book === this.shown) return;
    this.shown = book;
    URL.revokeObjectURL(this.address);
    this.address = URL.createObjectURL(new Blob([book], { type: "application/json" }));
    details.querySelector("iframe")?.remove();
    const frame = makeElement("iframe", { src: "play.html", title: "The play table" });
    frame.addEventListener("load", () => {
      const inside = frame.contentDocument?.querySelector("[data-od-play]");
      if (inside) inside.dataset.odPlay = this.address;
      frame.contentDocument?.querySelector("details.od-play")?.setAttribute("open", "");
    });
    details.append(frame);
  }

  /** Show a note; an empty one removes it. @param {string} words */
  #showNote(words) {
    this.details.querySelector(".od-note")?.remove();
    if (words) this.details.querySelector("summary")?.after(makeElement("p", { class: "od-note" }, words));
  }
}
