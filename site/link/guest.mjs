// @ts-check
/** The table as a guest sees it. He replays the log like everybody. What he wants done is asked of the game master's
 * browser, which decides. His browser has a part in all dice, and watches them. */

import { wellFormed } from "../room/log.mjs";
import { Shared } from "../room/shared.mjs";
import { say as tellRoom } from "../room/words.mjs";
import { Refused } from "../runtime/table/refused.mjs";
import { codeOf, ticketsOf } from "./code.mjs";
import { Witness } from "./dice/witness.mjs";
import { fromHost } from "./messages.mjs";
import { newKey, Wire } from "./wire.mjs";
import { say } from "./words.mjs";

/** Nothing is kept here. */
const NOWHERE = {
  large: Infinity,
  read: async () => null,
  write: async () => {
    throw new Refused(tellRoom("notNow"));
  },
};

export class Guest extends Shared {
  /** @param {import("../runtime/table/library.mjs").Library} library @param {Storage} storage
   * @param {{heard: (kept: any) => void, welcome: (host: string) => void, changed: () => void}} page */
  constructor(library, storage, page) {
    super(NOWHERE, library, { id: "", name: "", gm: false, guest: true });
    this.page = page;
    /** @type {Wire[]} one for each place of the invitation */
    this.wires = [];
    /** @type {Wire | null} the one that the table has taken */
    this.wire = null;
    /** @type {((why: string) => void)[]} who waits to hear that a wish was done */
    this.waiting = [];
    this.witness = new Witness(library, storage, () => this.me.id);
    this.queue = Promise.resolve();
  }

  /** How the connection is; `stuck` where no place of the invitation leads anywhere so far. */
  get state() {
    const { wire, wires } = this;
    return wire?.state ?? (wires.length && wires.every(({ state }) => state === "stuck") ? "stuck" : "waiting");
  }

  /** Answer an invitation: all its places, because nobody here knows which are free.
   * @param {string} code @param {string} stun @param {string} key @param {string} name
   * @returns {Promise<string>} the code of the answer */
  async answer(code, stun, key, name) {
    const tickets = ticketsOf(code);
    if (tickets[0].answers) throw new Refused(say("notAnInvitation"));
    for (const before of this.wires) before.close();
    this.wire = null;
    Object.assign(this.witness, { heardAny: false, missing: [] }); // what happens until then was not seen here
    const own = await newKey();
    this.wires = tickets.map(() => this.#wire(stun, own, key, name));
    const sdps = await Promise.all(this.wires.map((wire, at) => wire.answer(tickets[at])));
    const answered = tickets.map(({ ufrag }) => ufrag);
    return codeOf(sdps, answered);
  }

  /** @param {string} stun @param {RTCCertificate} own @param {string} key @param {string} name */
  #wire(stun, own, key, name) {
    const wire = new Wire(stun, own, {
      said: (data) => this.#heard(data),
      changed: (state) => {
        if (state === "open" && !this.wire) {
          this.wire = wire;
          for (const other of this.wires) if (other !== wire) other.close();
          wire.say({ t: "hello", key, name });
        }
        if (state === "closed" && this.wire === wire)
          for (const done of this.waiting.splice(0)) done(say("noConnection"));
        this.page.changed();
      },
    });
    return wire;
  }

  /** @param {unknown} data */
  #heard(data) {
    const message = fromHost(data);
    if (message?.t === "welcome") {
      this.me = { ...this.me, id: message.id, name: message.name };
      this.page.welcome(message.host);
    } else if (message?.t === "done") this.waiting.shift()?.(message.why);
    else if (message) this.queue = this.queue.then(() => this.#follow(message)).catch(console.error);
  }

  /** One after the other: what is said of a roll is about the table as it was then.
   * @param {Exclude<ReturnType<typeof fromHost>, import("./messages.mjs").Welcome | import("./messages.mjs").Done |
   * null>} message */
  async #follow(message) {
    const { witness, wire } = this;
    if (message.t === "room") {
      this.page.heard(message.kept);
      await witness.heard(wellFormed(message.kept) ? message.kept : null);
    } else {
      const answer = await witness.told(message);
      if (answer) wire?.say(answer);
    }
    this.page.changed();
  }

  /** @override @param {import("../room/rights.mjs").Act} act @param {any[]} given */
  async do(act, ...given) {
    const { wire } = this;
    if (!this.may(act, given[0])) throw new Refused(tellRoom("notNow"));
    if (!wire || wire.state === "waiting" || wire.state === "closed") throw new Refused(say("noConnection"));
    const done = new Promise((/** @type {(why: string) => void} */ resolve) => this.waiting.push(resolve));
    wire.say({ t: "act", act, place: given[0] ?? null, rev: this.kept?.rev ?? -1 });
    const why = await done;
    if (why) throw new Refused(why);
  }
}
