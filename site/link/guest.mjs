// @ts-check
/** The table as a guest sees it. The guest replays the log like everybody, and sends wishes to the game master's
 * browser, which decides. The guest's browser takes part in all dice, and checks them. */

import { unpackRecordedLog, isTableRecord } from "../room/log.mjs";
import { SharedTable } from "../room/shared.mjs";
import { localizedText as tellRoom } from "../room/words.mjs";
import { Refused } from "../runtime/table/refused.mjs";
import { encodeDescriptions, decodeTickets } from "./code.mjs";
import { SealedGames } from "../runtime/sealed/sealed.mjs";
import { DiceWitness } from "./dice/witness.mjs";
import { readHostMessage } from "./messages.mjs";
import { newCertificate, PeerConnection } from "./wire.mjs";
import { localizedText } from "./words.mjs";

/** A room that keeps nothing but secrets. */
class RoomOfSecretsOnly {
  large = Infinity;
  owner = "";

  /** @param {Storage} storage */
  constructor(storage) {
    this.sealed = new SealedGames(storage);
  }
  async read() {
    return null;
  }
  /** @returns {Promise<void>} */
  /** Refuse to write. */
  async write() {
    throw new Refused(tellRoom("notNow"));
  }
}

/** The table of a guest. */
export class GuestTable extends SharedTable {
  /** @param {import("../runtime/table/library.mjs").GameLibrary} library @param {Storage} storage
   * @param {{heard: (kept: any) => void, welcome: (host: string) => void, changed: () => void}} page */
  constructor(library, storage, page) {
    const nowhere = new RoomOfSecretsOnly(storage);
    super(nowhere, library, { id: "", name: "", gm: false, guest: true });
    this.nowhere = nowhere;
    this.page = page;
    /** @type {PeerConnection[]} one for each place of the invitation */
    this.wires = [];
    /** @type {PeerConnection | null} the one that the table has taken */
    this.wire = null;
    /** @type {((why: string) => void)[]} who waits to hear that a wish was done */
    this.waiting = [];
    this.witness = new DiceWitness(library, storage, () => this.me.id);
    this.queue = Promise.resolve();
  }

  /** The state of the connection; `stuck` if no place of the invitation leads anywhere so far. */
  get connectionState() {
    const { wire, wires } = this;
    return wire?.state ?? (wires.length && wires.every(({ state }) => state === "stuck") ? "stuck" : "waiting");
  }

  /** Answer all places of an invitation, because a guest cannot know which of them are free.
   * @param {string} code @param {string} stunServer @param {string} personKey @param {string} name
   * @returns {Promise<string>} the code of the answer */
  async answerInvitation(code, stunServer, personKey, name) {
    const tickets = decodeTickets(code);
    if (tickets[0].answers) throw new Refused(localizedText("notAnInvitation"));
    for (const before of this.wires) before.close();
    this.wire = null;
    Object.assign(this.witness, { heardAny: false, missing: [] }); // what happens until then was not seen here
    const own = await newCertificate();
    this.wires = tickets.map(() => this.#connectToHost(stunServer, own, personKey, name));
    const sdps = await Promise.all(this.wires.map((wire, at) => wire.answerInvitation(tickets[at])));
    const answered = tickets.map(({ ufrag }) => ufrag);
    return encodeDescriptions(sdps, answered);
  }

  /** Make one connection to the table. @param {string} stunServer @param {RTCCertificate} certificate @param {string}
   * personKey
   * @param {string} name */
  #connectToHost(stunServer, certificate, personKey, name) {
    const wire = new PeerConnection(stunServer, certificate, {
      said: (data) => this.#receiveMessage(data),
      changed: (state) => {
        if (state === "open" && !this.wire) {
          this.wire = wire;
          for (const other of this.wires) if (other !== wire) other.close();
          wire.sendMessage({ t: "hello", key: personKey, name });
        }
        if (state === "closed" && this.wire === wire)
          for (const done of this.waiting.splice(0)) done(localizedText("noConnection"));
        this.page.changed();
      },
    });
    return wire;
  }

  /** Handle a message of the game master's browser. @param {unknown} data */
  #receiveMessage(data) {
    const message = readHostMessage(data);
    if (message?.t === "welcome") {
      this.me = { ...this.me, id: message.id, name: message.name };
      this.nowhere.owner = message.id;
      this.page.welcome(message.host);
    } else if (message?.t === "done") this.waiting.shift()?.(message.why);
    else if (message) this.queue = this.queue.then(() => this.#handleMessage(message)).catch(console.error);
  }

  /** Handle a message after those before it, because what is said of a roll belongs to the table as it was then.
   * @param {Exclude<ReturnType<typeof readHostMessage>, import("./messages.mjs").Welcome |
   * import("./messages.mjs").Done | null>} message */
  async #handleMessage(message) {
    const { witness, wire } = this;
    if (message.t === "room") {
      const kept = isTableRecord(message.kept) ? message.kept : null;
      const secrets = await this.#checkLogGrows(kept); // before anything is added to it
      this.page.heard(message.kept);
      if (!secrets) await witness.checkRecord(kept);
    } else {
      const answer = await witness.answerMessage(message);
      if (answer) wire?.sendMessage(answer);
    }
    this.page.changed();
  }

  /** Note a fault if the log of a game with secrets has lost or changed an entry.
   * @param {import("../room/log.mjs").Kept | null} tableRecord @returns {Promise<boolean>} whether it is a game with
   * secrets */
  async #checkLogGrows(tableRecord) {
    // Whoever shows the table says why its game cannot be opened.
    const loadedGame = tableRecord && (await this.library.openGameOf(tableRecord).catch(() => null));
    if (!tableRecord || !loadedGame?.rules.hasSecrets) return false;
    const log = await unpackRecordedLog(tableRecord.log).catch(() => []);
    if (!this.nowhere.sealed.extendsLastSeen(tableRecord, log)) this.witness.fault ||= localizedText("changedLog");
    return true;
  }

  /** Add nothing to a table that has a fault. @override @override */
  async addOwedEntries() {
    if (!this.witness.fault) await super.addOwedEntries();
  }

  /** @override @param {import("../room/rights.mjs").Act} act @param {any[]} actArguments @returns {Promise<void>} */
  async doAct(act, ...actArguments) {
    const { wire } = this;
    if (!this.mayDo(act, actArguments[0])) throw new Refused(tellRoom("notNow"));
    if (act === "act" && this.hasSecrets) return this.doAct("enter", await this.entryForAct(actArguments[0]));
    if (!wire || wire.state === "waiting" || wire.state === "closed") throw new Refused(localizedText("noConnection"));
    const done = new Promise((/** @type {(why: string) => void} */ resolve) => this.waiting.push(resolve));
    wire.sendMessage({ t: "act", act, place: actArguments[0] ?? null, rev: this.kept?.rev ?? -1 });
    const why = await done;
    if (why) throw new Refused(why);
  }
}
