// @ts-check
/**
 * What an extension says to Owlbear Rodeo and hears from it: the few messages that a table needs, by the names that
 * Owlbear's SDK 3.1.0 has for them. So no script of somebody else has to be loaded or shipped.
 */

import { SealedGames } from "../runtime/sealed/sealed.mjs";
import { base64FromUrlSafe } from "../runtime/table/packed.mjs";
import { localizedText } from "./words.mjs";

/** @typedef {import("../room/rights.mjs").Person} Person */

const PATIENCE = 5000; // milliseconds for an answer
const KEY = "oddsmith/table"; // the one key of the room's metadata
const TABLES = 50; // of all rooms, whose secrets this browser keeps

/** The origin of the room's page, as the address of this page names it; null if this page is not open in a room.
 * @param {string} queryString @returns {string | null} the origin of the room's page */
export function roomOrigin(queryString) {
  const asked = new URLSearchParams(queryString).get("obrref");
  try {
    const [origin, room] = atob(base64FromUrlSafe(asked ?? "")).split(" ");
    return room ? new URL(origin).origin : null;
  } catch {
    return null;
  }
}

export class OwlbearRoom {
  /** Bytes beyond which a table is large for a room that others share. */
  large = 4000;

  /** @param {string} origin that of the room's page; nobody else is heard or spoken to */
  constructor(origin) {
    this.origin = origin;
    this.ref = "";
    this.user = "";
    this.asked = 0;
    this.sealed = new SealedGames(localStorage);
    this.sealed.forgetOtherTables((tables) => tables.slice(-TABLES));
    /** @type {Map<string, Set<(data: any) => void>>} */
    this.heard = new Map();
    /** @type {Promise<void>} resolved when Owlbear has said who we are */
    this.ready = new Promise((resolve) =>
      this.onMessage("OBR_READY", ({ ref, userId }) => {
        [this.ref, this.user] = [ref, userId];
        resolve();
      }),
    );
    window.addEventListener("message", ({ origin: from, source, data }) => {
      if (from !== this.origin || source !== window.parent || typeof data?.id !== "string") return;
      for (const hear of [...(this.heard.get(data.id) ?? [])]) hear(data.data);
    });
  }

  /** The user whose secrets this browser has. */
  get owner() {
    return this.user;
  }

  /** Call a function for each message with an id. Returns a function that ends this. @param {string} messageId
   * @param {(data: any) => void} listener @returns {() => void} ends it */
  onMessage(messageId, listener) {
    const all = this.heard.get(messageId) ?? new Set();
    this.heard.set(messageId, all.add(listener));
    return () => void all.delete(listener);
  }

  /** Send a message. @param {string} messageId @param {any} data @param {string} [nonce] */
  sendMessage(messageId, data, nonce) {
    window.parent.postMessage({ id: messageId, data, ref: this.ref, nonce }, this.origin);
  }

  /** Send a request and wait for the answer. @param {string} messageId @param {any} [data] @returns {Promise<any>} */
  sendRequest(messageId, data = {}) {
    const nonce = `_${(this.asked += 1)}_${crypto.randomUUID()}`;
    return new Promise((resolve, reject) => {
      const ends = [
        this.onMessage(`${messageId}_RESPONSE${nonce}`, (answer) => end(() => resolve(answer))),
        this.onMessage(`${messageId}_ERROR${nonce}`, (error) =>
          end(() => reject(new Error(String(error?.message ?? error)))),
        ),
      ];
      const late = setTimeout(() => end(() => reject(new Error(localizedText("noAnswer")))), PATIENCE);
      const end = (/** @type {() => void} */ settle) => {
        clearTimeout(late);
        for (const one of ends) one();
        settle();
      };
      this.sendMessage(messageId, data, nonce);
    });
  }

  /** The person at this screen. @returns {Promise<Person>} */
  async me() {
    const [{ name }, { role }] = await Promise.all([
      this.sendRequest("OBR_PLAYER_GET_NAME"),
      this.sendRequest("OBR_PLAYER_GET_ROLE"),
    ]);
    return { id: this.user, name: String(name), gm: role === "GM" };
  }

  /** Call a function when the person's name or role changes. @param {(me: Person) => void} listener */
  onPersonChange(listener) {
    this.sendMessage("OBR_PLAYER_SUBSCRIBE", {});
    this.onMessage("OBR_PLAYER_EVENT_CHANGE", ({ player }) =>
      listener({ id: this.user, name: String(player.name), gm: player.role === "GM" }),
    );
  }

  /** The record of the table in the room. @returns {Promise<any>} */
  async read() {
    return (await this.sendRequest("OBR_ROOM_GET_METADATA")).metadata[KEY];
  }

  /** Write the record of the table. @param {import("../room/log.mjs").Kept | null} tableRecord */
  async write(tableRecord) {
    await this.sendRequest("OBR_ROOM_SET_METADATA", { update: { [KEY]: tableRecord } });
  }

  /** Call a function when the record of the table changes. @param {(value: any) => void} listener */
  onRecordChange(listener) {
    this.sendMessage("OBR_ROOM_METADATA_SUBSCRIBE", {});
    this.onMessage("OBR_ROOM_METADATA_EVENT_CHANGE", ({ metadata }) => listener(metadata[KEY]));
  }

  /** Call a function with the theme of the room, now and when it changes. @param {(dark: boolean) => void} listener */
  async followTheme(listener) {
    this.sendMessage("OBR_THEME_SUBSCRIBE", {});
    this.onMessage("OBR_THEME_EVENT_CHANGE", ({ theme }) => listener(theme.mode === "DARK"));
    listener((await this.sendRequest("OBR_THEME_GET_THEME")).theme.mode === "DARK");
  }
}
