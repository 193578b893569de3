// @ts-check
/** Messages between the players' clients and the authority. The server says who sent one, never the message. Whatever
 * is no message, comes too often or comes twice is dropped without an answer. The others are handled one after the
 * other. */

import { isGM, REFUSALS, RefusedRequest, isMessage } from "./shapes.mjs";

/** @typedef {import("./shapes.mjs").Host} Host */
/** @typedef {{to: string, done: () => void, failed: (error: Error) => void}} Waiting */
/** @typedef {(() => Promise<void>) | void} Rest what remains to be done of a request while the next one may begin */

export const PATIENCE = 8000; // milliseconds until a request counts as lost
// In the queue, after which one is not begun: who asked is told that it is lost before the answer comes.
const LATE = 6000;
const SPAN = 10_000; // milliseconds in which
const OFTEN = 30; // so many messages of one user are heard
const REMEMBERED = 200; // last messages of a user, so that none counts twice

/** Return the result of a promise, or another value if that takes too long. @template T @param {Host} host
 * @param {number} milliseconds @param {Promise<T>} promise @param {T} fallback @returns {Promise<T>} */
export function withTimeout(host, milliseconds, promise, fallback) {
  return Promise.race([
    promise,
    new Promise((/** @type {(late: T) => void} */ done) => host.later(milliseconds, () => done(fallback))),
  ]);
}

/** Limits the requests of each user in a span of time. */
export class RateLimiter {
  /** @param {Host} host @param {number} maxRequests so many times are granted @param {number} milliseconds in so many
   * milliseconds */
  constructor(host, maxRequests, milliseconds) {
    this.host = host;
    this.often = maxRequests;
    this.span = milliseconds;
    /** @type {Map<string, number[]>} when each user's last ones came */
    this.times = new Map();
  }

  /** Count a request of a user. Return whether it came too often; such a request is not counted. @param {string}
   * user */
  isTooOften(user) {
    const now = this.host.now();
    const times = (this.times.get(user) ?? []).filter((time) => now - time < this.span);
    const over = times.length >= this.often;
    if (!over) times.push(now);
    this.times.set(user, times);
    return over;
  }
}

export class ClientNetwork {
  /** @param {Host} host @param {(type: string, body: any, user: string) => Promise<Rest>} handleRequest rejects with
   * RefusedRequest
   * @param {() => void} onMoved hears that another window of this user decides from now on, or this one */
  constructor(host, handleRequest, onMoved) {
    this.host = host;
    this.handle = handleRequest;
    this.moved = onMoved;
    this.window = host.id();
    /** @type {(table: string) => void} hears of a table that a game master shows to this user */
    this.shown = () => {};
    /** @type {Set<string>} windows of this user that are newer than this one, and open */
    this.newer = new Set();
    /** @type {Map<string, Waiting>} by nonce */
    this.waiting = new Map();
    this.pace = new RateLimiter(host, OFTEN, SPAN);
    /** @type {Map<string, Set<string>>} nonces by user */
    this.nonces = new Map();
  }

  startListening() {
    this.host.listen((message, sender) => this.#handleIncoming(message, sender));
    this.host.onLeave(() => this.#tellOwnWindows("gone"));
    this.decideHere();
  }

  /** Decide in this window from now on, and in no other of this user's. */
  decideHere() {
    this.newer.clear();
    this.#tellOwnWindows("newer");
  }

  /** Tell the other windows of this user that this one is the newest, or gone. @param {"newer" | "gone"} type */
  #tellOwnWindows(type) {
    this.host.emit({ v: 1, t: type, window: this.window }, this.host.me());
  }

  /** Whether a newer window of this user decides. */
  get quiet() {
    return this.newer.size > 0;
  }

  /** Whether this very window handles requests: the authority is a user, who may have the world open more than once. */
  get handlesRequests() {
    return !this.quiet && this.host.authority() === this.host.me();
  }

  /** Run a job once all jobs before it have ended, in all our modules, and return its result.
   * @template T @param {() => Promise<T>} job @returns {Promise<T>} */
  runInTurn(job) {
    const { line } = this.host;
    const done = line.last.then(job);
    line.last = done.catch(() => {});
    return done;
  }

  /** Run a job once all jobs before it have ended. Then do the rest that it returns, for which later jobs do not wait.
   * @param {() => Promise<Rest>} job */
  async runThenFinish(job) {
    await (
      await this.runInTurn(job)
    )?.();
  }

  /** Send a request to the authority. Resolves once it is done; rejects with RefusedRequest. @param {string} type
   * @param {any} body
   * @returns {Promise<void>} */
  async send(type, body) {
    const to = this.host.authority();
    if (to === null) throw new RefusedRequest("nobody");
    const message = { v: 1, t: type, nonce: this.host.id(), body };
    if (!isMessage(message)) throw new RefusedRequest("action");
    if (to === this.host.me()) {
      if (this.quiet) throw new RefusedRequest("elsewhere");
      const refused = await this.#handleMessage(message, to, Infinity); // a client does not hear itself
      if (refused) throw refused;
      return;
    }
    await new Promise((done, failed) => {
      this.waiting.set(message.nonce, { to, done: () => done(undefined), failed });
      this.host.later(PATIENCE, () => this.#settleRequest(message.nonce, new RefusedRequest("slow")));
      this.host.emit(message, to);
    });
  }

  /** End the wait for answers of users who have left. */
  dropLost() {
    const here = new Set(this.host.users().flatMap(({ id, active }) => (active ? id : [])));
    for (const [nonce, { to }] of [...this.waiting])
      if (!here.has(to)) this.#settleRequest(nonce, new RefusedRequest("slow"));
  }

  /** End the wait for an answer: with success if `refused` is null, else with that error. @param {string} nonce
   * @param {RefusedRequest | null} refusal */
  #settleRequest(nonce, refusal) {
    const waiting = this.waiting.get(nonce);
    this.waiting.delete(nonce);
    if (refusal === null) waiting?.done();
    else waiting?.failed(refusal);
  }

  /** Handle what another client has sent: an answer, a note or a request. @param {any} message
   * @param {string} sender as the server says */
  #handleIncoming(message, sender) {
    if (message?.t === "answer") {
      const { nonce, refused, lack } = message;
      const fits = refused === null || Object.hasOwn(REFUSALS, refused);
      if (fits && this.waiting.get(nonce)?.to === sender)
        this.#settleRequest(nonce, refused && new RefusedRequest(refused, lack));
      return;
    }
    if (message?.t === "newer" || message?.t === "gone") {
      if (sender !== this.host.me() || message.window === this.window) return;
      if (message.t === "newer") this.newer.add(message.window);
      else this.newer.delete(message.window);
      this.moved();
      return;
    }
    if (message?.t === "show") {
      if (isGM(this.host, sender) && typeof message.table === "string") this.shown(message.table);
      return;
    }
    if (!this.handlesRequests || !this.host.users().some(({ id }) => id === sender)) return;
    if (this.pace.isTooOften(sender) || !isMessage(message) || this.#isRepeat(message.nonce, sender)) return;
    const answer = { v: 1, t: "answer", nonce: message.nonce };
    void this.#handleMessage(message, sender, this.host.now() + LATE).then((refused) =>
      this.host.emit({ ...answer, refused: refused?.why ?? null, lack: refused?.lack ?? null }, sender),
    );
  }

  /** Handle a message. Return null, or why it is refused. @param {any} message @param {string} user
   * @param {number} deadline the time after which it is not begun any more @returns {Promise<RefusedRequest | null>} */
  async #handleMessage(message, user, deadline) {
    try {
      await this.runThenFinish(async () => {
        if (this.host.now() > deadline) throw new RefusedRequest("slow");
        return this.handle(message.t, message.body, user);
      });
      return null;
    } catch (error) {
      if (error instanceof RefusedRequest) return error;
      this.host.report(error); // here, not to whoever asked
      return new RefusedRequest("fault");
    }
  }

  /** Whether a user sent this nonce before; it is remembered. @param {string} nonce @param {string} user */
  #isRepeat(nonce, user) {
    const known = this.nonces.get(user) ?? new Set();
    if (known.has(nonce)) return true;
    known.add(nonce);
    if (known.size > REMEMBERED)
      for (const oldest of [...known].slice(0, known.size - REMEMBERED)) known.delete(oldest);
    this.nonces.set(user, known);
    return false;
  }
}
