// @ts-check
/** Keeps a second click or key from making a choice that nobody has read: focus moves to the first of the new choices,
 * and these stand where the old ones stood. */

const UNREAD = 400; // milliseconds in which nobody has read new choices yet

/** Ignores what a person presses among choices while they are new, and keys that are held down. What a script presses
 * counts. While choices are new, their container has the attribute data-unread. */
export class ReadingTime {
  /** @param {import("../world/shapes.mjs").Host} host @param {HTMLElement} container of the choices */
  constructor(host, container) {
    this.host = host;
    this.container = container;
    this.shown = "";
    for (const type of ["click", "keydown"])
      container.addEventListener(type, (event) => this.#stop(/** @type {KeyboardEvent} */ (event)), true);
  }

  /** Note which choices are shown now. @param {string} signature another one for choices that are new */
  show(signature) {
    if (signature === this.shown) return;
    this.shown = signature;
    this.container.dataset.unread = "";
    this.host.later(UNREAD, () => signature === this.shown && delete this.container.dataset.unread);
  }

  /** Stop an event that comes too early to be meant. @param {KeyboardEvent} event */
  #stop(event) {
    const presses = event.type === "click" || event.key === "Enter" || event.key === " ";
    const early = event.isTrusted && this.container.dataset.unread !== undefined;
    if (!presses || !(event.repeat || early)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}
