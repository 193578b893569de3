// @ts-check
/** The error with which hosts refuse requests. */

/** Thrown to refuse a request. The message is for whoever asked. */
export class Refused extends Error {}
