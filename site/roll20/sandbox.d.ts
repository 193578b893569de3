/** What Roll20 gives to a Mod script, as far as this one uses it. */
export interface Roll20Object {
  id: string;
  get(property: string): any;
  set(property: string, value: any): void;
}

export interface Message {
  type: string;
  content: string;
  playerid: string;
}

export interface Sandbox {
  on(event: "ready", heard: () => void): void;
  on(event: "chat:message", heard: (message: Message) => void): void;
  sendChat(speaker: string, text: string, callback: null, options: { noarchive: boolean }): void;
  createObj(type: string, properties: Record<string, any>): Roll20Object;
  findObjs(properties: Record<string, any>): Roll20Object[];
  getObj(type: string, id: string): Roll20Object | undefined;
  playerIsGM(id: string): boolean;
  randomInteger(most: number): number;
  log(text: string): void;
  state(): Record<string, any>;
}

export interface RollTable {
  name: string;
  items: [text: string, weight: number][];
}

/** What was written into the script: `tables` has the policies of settings by slug, as base64, where they fit. */
export interface Content {
  game: string;
  title: string;
  rules: string;
  generator: string;
  book: import("../runtime/table/settings.mjs").PlayFile;
  tables: Record<string, string>;
  rolls: RollTable[];
}
