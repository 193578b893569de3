// @ts-check
/** The base of all windows but that of a table. */

import { addStyles } from "../../runtime/felt/look.mjs";
import { controlNamed, focusedName } from "../../runtime/words/controls.mjs";
import { makeElement } from "../../runtime/words/view.mjs";
import { localizedText } from "../world/words.mjs";

/** @typedef {import("./desk.mjs").WindowManager} Desk */

/** A window whose content is drawn anew every time. */
export class PlainWindow extends foundry.applications.api.ApplicationV2 {
  static DEFAULT_OPTIONS = {
    classes: ["oddsmith-table"],
    window: { icon: "fa-solid fa-dice", resizable: true },
    position: { width: 480, height: /** @type {const} */ ("auto") },
  };

  /** @param {Desk} windowManager @param {string} windowName @param {string} titleKey a key of the language file
   * @param {boolean} [forAllModules] whether it is about all our modules */
  constructor(windowManager, windowName, titleKey, forAllModules = false) {
    super({
      id: `${windowManager.id}-${windowName}`,
      classes: ["oddsmith-table", `oddsmith-${windowManager.id}-table`],
    });
    this.desk = windowManager;
    this.name = windowName;
    this.titleKey = titleKey;
    this.ofAll = forAllModules;
  }

  get title() {
    return this.desk.withModuleTitle(localizedText(this.titleKey), this.ofAll);
  }

  /** @param {any} options */
  _onClose(options) {
    super._onClose(options);
    this.desk.forgetWindow(this.name);
  }

  /** The content of the window. @returns {Promise<Node[]>} */
  async content() {
    return [];
  }

  /** The content of the window, or an alert if it fails. @returns {Promise<Node[]>} */
  async _renderHTML() {
    try {
      return await this.content();
    } catch (error) {
      console.error(error);
      return [makeElement("p", { role: "alert" }, localizedText("ODDSMITH.Failed"))];
    }
  }

  /** @param {Node[]} nodes @param {HTMLElement} content */
  _replaceHTML(nodes, content) {
    addStyles(content.ownerDocument);
    const name = focusedName(content);
    content.replaceChildren(makeElement("div", { class: "od-window" }, ...nodes));
    controlNamed(content, name)?.focus({ preventScroll: true });
  }
}
