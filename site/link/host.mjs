// @ts-check
/** The table in the browser of the game master, which alone decides. Guests send wishes. Each wish is checked against
 * the rights of its guest and carried out with dice that all browsers make together. Then everybody gets the new record
 * of the table. */

import { isTableRecord } from "../room/log.mjs";
import { localizedText as tellRoom } from "../room/words.mjs";
import { SharedTable } from "../room/shared.mjs";
import { Refused } from "../runtime/table/refused.mjs";
import { isSeatFree } from "../runtime/table/round.mjs";
import { encodeDescriptions, readFragment, TICKETS, decodeTickets } from "./code.mjs";
import { playWithSeed, WordStream, nullIfWordsExhausted } from "../runtime/sealed/numbers.mjs";
import { JointRolls } from "./dice/rounds.mjs";
import { SealedGames } from "../runtime/sealed/sealed.mjs";
import { cleanName, readGuestMessage, personId, RateLimit } from "./messages.mjs";
import { newCertificate, PeerConnection } from "./wire.mjs";
import { localizedText } from "./words.mjs";

/** @typedef {import("../room/log.mjs").Kept} Kept */
/** @typedef {import("../room/rights.mjs").Person} Person */
/** @typedef {{ufrag: string, wire: PeerConnection, meter: RateLimit, greeted: boolean, person: Person | null, taken:
 * string, sleeps?: boolean}} Link a place of an invitation, and later whoever took it; `taken`: the code of the answer,
 * `sleeps`: no answer came when dice were to be made */
/** @typedef {{code: string, places: Link[]}} Invitation one link, by which as many devices can join as it has places */

const TABLE = "oddsmith/link/table";
const LINKS = 32;
const AT_ONCE = 60; // messages of a guest
const PER_SECOND = 10;

/** The game master as a person at the table. @param {string} name @returns {Person} */
export const gameMaster = (name) => ({ id: "master", name, gm: true });

/** The table of the game master. */
export class HostTable {
  /** Bytes beyond which a table is large: nobody else keeps anything here. */
  large = Infinity;

  /** @param {import("../runtime/table/library.mjs").GameLibrary} library @param {Storage} storage
   * @param {Person} gameMaster
   * @param {{turn: (act: () => Promise<void>) => Promise<void>, heard: (kept: Kept | null) => void,
   * people: (event: string) => void}} page `turn` does one thing after the other, `people` shows who is here */
  constructor(library, storage, gameMaster, page) {
    this.library = library;
    this.storage = storage;
    this.me = gameMaster;
    this.page = page;
    this.stun = "";
    /** @type {Link[]} */
    this.links = [];
    /** @type {Invitation[]} */
    this.invited = [];
    const before = JSON.parse(storage.getItem(TABLE) ?? "null");
    /** @type {Kept | null} */
    this.kept = isTableRecord(before) ? before : null;
    this.sealed = new SealedGames(storage);
    this.owner = gameMaster.id;
    this.rounds = new JointRolls(
      storage,
      () => this.links,
      () => this.page.people(""),
    );
  }

  async read() {
    return this.kept;
  }

  /** Store the record, and send it to everybody. @param {Kept | null} tableRecord */
  async write(tableRecord) {
    this.kept = tableRecord;
    if (tableRecord) this.storage.setItem(TABLE, JSON.stringify(tableRecord));
    else this.storage.removeItem(TABLE);
    for (const { person, wire } of this.links) if (person) wire.sendMessage({ t: "room", kept: tableRecord });
    this.rounds.onTableChanged(tableRecord);
    this.page.people("");
  }

  /** Carry out an act, with dice that everybody's browser makes if any are needed. They may take long, so their results
   * come in a later turn, and the table goes on meanwhile. @type {import("../room/shared.mjs").Roll} */
  async roll(tableRecord, log, actionIndex, playWithDice, addToLog) {
    const { rounds } = this;
    if (rounds.rolling) return; // what is begun is chosen
    const begun = rounds.unfinishedRoll(tableRecord); // also before this page was loaded anew
    const chosen = begun ? begun.place : actionIndex;
    const still = await nullIfWordsExhausted((dice) => playWithDice(dice, begun?.seats, chosen), new WordStream());
    if (still) return addToLog(still.result);
    const finish = async (/** @type {import("./dice/rounds.mjs").Made} */ { seed, seats }) => {
      await addToLog(await playWithSeed(seed, (dice) => playWithDice(dice, seats, chosen)));
      this.page.heard(this.kept);
    };
    const made = rounds.makeRoll(tableRecord, log, chosen, (roll) => this.page.turn(() => finish(roll)));
    void made.catch(console.error).then(() => this.page.people(""));
  }

  /** People with a seat or a connection, without the game master.
   * @returns {{id: string, name: string, link?: Link}[]} */
  get people() {
    const here = this.links.flatMap((link) => (link.person ? [{ ...link.person, link }] : []));
    const known = new Set([this.me.id, ...here.map(({ id }) => id)]);
    const away = this.#seats.flatMap(({ user, name }) => (user && !known.has(user) ? [{ id: user, name }] : []));
    return [...here, ...away];
  }

  get #seats() {
    return this.kept?.seats ?? [];
  }

  /** Rename the game master. @param {string} name of the game master */
  renameGameMaster(name) {
    return this.page.turn(async () => {
      this.me.name = cleanName(name, this.#otherNames(this.me.id));
      const seats = this.#seats.map((seat) => (seat.user === this.me.id ? { ...seat, name: this.me.name } : seat));
      if (this.kept) await this.write({ ...this.kept, rev: this.kept.rev + 1, seats });
      this.page.heard(this.kept);
    });
  }

  /** The names of all but one person, including non-players. @param {string} id */
  #otherNames(id) {
    const people = [this.me, ...this.people].filter((one) => one.id !== id);
    return [...people, ...this.#seats.filter(({ kind }) => kind === "npc")].map(({ name }) => name);
  }

  // --- invitations

  /** Invitations that somebody may still answer, or whose answer has not led to a connection yet. */
  get invitations() {
    return this.invited.filter(({ places }) => places.some((link) => !link.person && this.links.includes(link)));
  }

  /** The number of places of a new invitation: one for each free seat, at least one; without a table, the most that
   * there can be. */
  get newPlaceCount() {
    return this.kept ? Math.max(1, this.kept.seats.filter(isSeatFree).length) : TICKETS;
  }

  /** Make an invitation. @param {number} deviceCount devices that can join by the invitation */
  async makeInvitation(deviceCount) {
    if (this.links.length >= LINKS) throw new Refused(localizedText("tooMany"));
    const key = await newCertificate();
    const places = Array.from({ length: Math.min(deviceCount, TICKETS) }, () => this.#makeGuestLink(key));
    const sdps = await Promise.all(places.map(({ wire }) => wire.beginInvitation()));
    const code = encodeDescriptions(sdps);
    for (const [at, { ufrag }] of decodeTickets(code).entries()) places[at].ufrag = ufrag;
    this.links.push(...places);
    this.invited = [...this.invitations, { code, places }];
    this.page.people("");
  }

  /** Make a connection for one place of an invitation. @param {RTCCertificate} certificate @returns {Link} */
  #makeGuestLink(certificate) {
    /** @type {Link} */
    const link = {
      ufrag: "",
      meter: new RateLimit(AT_ONCE, PER_SECOND),
      greeted: false,
      person: null,
      taken: "",
      wire: new PeerConnection(this.stun, certificate, {
        said: (data) => this.#receiveMessage(link, data),
        changed: (state) => {
          if (state !== "closed" || !this.links.includes(link)) return this.page.people("");
          this.endConnection(link);
          if (link.person) this.page.people(localizedText("left", { name: link.person.name }));
        },
      }),
    };
    return link;
  }

  /** End a connection. @param {Link} link */
  endConnection(link) {
    this.links = this.links.filter((one) => one !== link);
    this.rounds.onLinkLost(link);
    link.wire.close();
    this.page.people("");
  }

  /** Connect to the browser that has answered an invitation. @param {string} answerText its link or its code; throws
   * Refused */
  async acceptAnswer(answerText) {
    const { answer, join } = readFragment(answerText);
    const code = answer ?? join ?? "";
    const tickets = decodeTickets(code);
    if (!tickets[0].answers) throw new Refused(localizedText("notAnAnswer"));
    if (this.links.some(({ taken }) => taken === code)) throw new Refused(localizedText("answeredTwice"));
    for (const ticket of tickets) {
      const link = this.links.find(({ ufrag }) => ufrag === ticket.answers);
      if (!link || link.taken) continue;
      link.taken = code;
      await link.wire.acceptAnswer(ticket);
      return this.page.people("");
    }
    throw new Refused(localizedText("oldInvitation"));
  }

  // --- guests

  /** Handle a message of a guest. @param {Link} link @param {unknown} data */
  #receiveMessage(link, data) {
    const said = readGuestMessage(data);
    const answers = said?.t === "hash" || said?.t === "number";
    if (answers && this.rounds.acceptAnswer(link, said)) return; // asked for, so not too often
    const message = link.meter.countAndAllow() ? said : null;
    if (message && answers && link.person) return; // too late
    if (message?.t === "hello" && !link.greeted) {
      link.greeted = true;
      void this.#admitGuest(link, message);
    } else if (message?.t === "act" && link.person) {
      void this.page.turn(() => this.#carryOutWish(link, message));
    } else link.wire.close(); // no page of ours says such a thing
  }

  /** Admit a guest: give the connection a person, and send the table. @param {Link} link @param
   * {import("./messages.mjs").Hello} hello */
  async #admitGuest(link, { key, name }) {
    const id = await personId(key);
    if (!this.links.includes(link)) return; // gone again
    const seat = this.#seats.find(({ user }) => user === id);
    const before = this.links.find(({ person }) => person?.id === id);
    if (before) this.endConnection(before);
    link.person = { id, name: seat?.name || cleanName(name, this.#otherNames(id)), gm: false, guest: true };
    link.wire.sendMessage({ t: "welcome", id, name: link.person.name, host: this.me.name });
    this.rounds.onLinkOpened(link);
    link.wire.sendMessage({ t: "room", kept: this.kept });
    this.page.people(localizedText("came", { name: link.person.name }));
  }

  /** Carry out what a guest wishes, and say how it went. @param {Link} link
   * @param {import("./messages.mjs").Wish} wish */
  async #carryOutWish({ person, wire }, { act, place, rev }) {
    if (!person || wire.state === "closed") return;
    let why = "";
    try {
      if (rev !== (this.kept?.rev ?? -1)) throw new Refused(tellRoom("tooLate"));
      const shared = new SharedTable(this, this.library, person);
      await shared.receiveRecord(this.kept);
      await shared.doAct(/** @type {import("../room/rights.mjs").Act} */ (act), place);
      this.page.heard(this.kept);
    } catch (error) {
      if (!(error instanceof Refused)) console.error(error);
      why = error instanceof Refused ? error.message : localizedText("hostFailed");
    }
    wire.sendMessage({ t: "done", why });
  }
}
