// @ts-check
/** What hosts say no with. */

/** Thrown for something that somebody asked for and does not get. The message is for whoever asked. */
export class Refused extends Error {}
