// What the scripts of this folder use of Foundry Virtual Tabletop (13 and newer), and nothing else: our own
// declarations, written from the uses in our scripts. The type check holds the scripts to them; only a person with
// Foundry can hold them to Foundry. What the scripts always give is required here, so that a slip in its name is found.
// What modules make up (settings, flags, messages over the socket) and what a uuid stands for are `unknown`, and hooks
// of modules are left out. Other uses behind a cast to `any` are declared too, but the check does not see those.

// --- users, actors and tokens

interface FoundryUser {
  readonly id: string;
  readonly name: string;
  readonly isGM: boolean;
  readonly active: boolean; // whether he is connected
  readonly character: FoundryActor | null;
  can(permission: "SETTINGS_MODIFY"): boolean;
}

interface FoundryActor {
  readonly uuid: string;
  readonly name: string;
  testUserPermission(user: FoundryUser, level: "OWNER"): boolean;
}

interface FoundryToken {
  readonly id: string;
  readonly name: string;
  readonly actor: FoundryActor | null;
}

/** The scene on this screen; nothing where none is shown. */
declare const canvas: {
  readonly ready: boolean;
  readonly tokens: { readonly controlled: readonly FoundryToken[] } | null;
} | null;

// --- dice and chat

interface FoundryResult {
  readonly result: number;
  readonly active?: boolean; // false: the roll does not count it
}

interface FoundryRoll {
  readonly formula: string;
  readonly total: number;
  readonly dice: readonly { readonly faces: number; readonly results: readonly FoundryResult[] }[];
  evaluate(options: { allowInteractive?: boolean }): Promise<FoundryRoll>;
}

declare const Roll: new (formula: string) => FoundryRoll;

/** What can be changed of a message. Flags are by the id of their module. */
interface FoundryMessageChange {
  rolls: readonly FoundryRoll[];
  flags: Record<string, unknown>;
  content: string; // HTML
}

interface FoundryMessageData extends FoundryMessageChange {
  author: string; // a user's id
  speaker: { alias?: string };
}

interface FoundryMessage {
  readonly id: string | null; // null before it is stored
  readonly author: FoundryUser | null;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly rolls: readonly FoundryRoll[];
  update(change: FoundryMessageChange): Promise<unknown>;
  delete(): Promise<unknown>;
}

declare const ChatMessage: { create(data: FoundryMessageData): Promise<FoundryMessage | undefined> };

// --- settings and keys

interface FoundrySetting {
  scope: "world" | "client"; // one for all, or one for each screen
  config: boolean; // whether it is shown among the settings
  name?: string;
  hint?: string;
  type: ObjectConstructor | StringConstructor | BooleanConstructor | NumberConstructor;
  default: unknown;
  choices?: Record<string, string>;
  range?: { min: number; max: number; step: number };
  onChange: () => void;
}

/** What is said of a setting where the rest goes without saying. */
type FoundrySettingStart = Pick<FoundrySetting, "type" | "default"> & Partial<FoundrySetting>;

interface FoundrySettingsMenu {
  name: string;
  label: string;
  hint: string;
  icon: string;
  type: typeof foundry.applications.api.ApplicationV2;
  restricted: boolean; // to game masters
}

interface FoundrySettings {
  register(module: string, key: string, setting: FoundrySetting): void;
  registerMenu(module: string, key: string, menu: FoundrySettingsMenu): void;
  get(module: string, key: string): unknown;
  set(module: string, key: string, value: unknown): Promise<void>;
}

interface FoundryKeybinding {
  name: string;
  hint: string;
  editable: readonly []; // the keys at first: none
  onDown: () => boolean; // whether nobody else is to hear the key
}

// --- the world

interface FoundryCollection<T> {
  get(id: string): T | undefined;
  map<U>(change: (one: T) => U): U[];
  filter(wanted: (one: T) => boolean): T[];
}

interface FoundryUsers extends FoundryCollection<FoundryUser> {
  /** The one user of all who fit whom every client agrees on. */
  getDesignatedUser(fits: (user: FoundryUser) => boolean): FoundryUser | null;
}

interface FoundrySocket {
  emit(channel: string, message: unknown, options: { recipients: string[] }): void;
  on(channel: string, heard: (message: unknown, sender: string) => void): void;
}

interface FoundryModule {
  readonly title: string;
  readonly active: boolean;
}

interface FoundryGame {
  readonly user: FoundryUser;
  readonly userId: string;
  readonly users: FoundryUsers;
  readonly actors: FoundryCollection<FoundryActor>;
  readonly messages: FoundryCollection<FoundryMessage>;
  readonly modules: { get(id: string): FoundryModule | undefined };
  readonly system: { readonly id: string };
  readonly world: { readonly id: string };
  readonly settings: FoundrySettings;
  readonly keybindings: { register(module: string, key: string, binding: FoundryKeybinding): void };
  readonly socket: FoundrySocket;
  readonly time: { readonly serverTime: number }; // milliseconds
  readonly i18n: { localize(key: string): string; format(key: string, data: Record<string, string | number>): string };
}

declare const game: FoundryGame;

// --- hooks

/** A button among the controls of a scene. */
interface FoundryTool {
  name: string;
  title: string; // a key of the language file
  icon: string;
  order: number;
  button: boolean; // it does something at once, and is not left switched on
  onChange: () => void;
}

/** The buttons around a token. */
interface FoundryHUD {
  readonly document: { readonly actor: FoundryActor | null };
}

/** Who can be called, by hook, with what. */
interface FoundryHooks {
  init: () => void;
  ready: () => void;
  userConnected: () => void;
  controlToken: () => void; // somebody selected a token at this screen, or no longer does
  getSceneControlButtons: (controls: Record<string, { tools?: Record<string, FoundryTool> }>) => void;
  chatMessage: (log: unknown, text: string) => boolean; // false: nothing is posted
  createChatMessage: (message: FoundryMessage, options: unknown, creator: string) => void; // `creator` is a user's id
  renderApplicationV2: (application: unknown, element: HTMLElement) => void; // every window, whenever it is drawn
  renderTokenHUD: (hud: FoundryHUD, element: HTMLElement) => void; // the buttons around a token
  renderChatMessageHTML: (message: FoundryMessage, html: HTMLElement) => void;
}

declare const Hooks: {
  on<Name extends keyof FoundryHooks>(name: Name, call: FoundryHooks[Name]): number;
  off(name: keyof FoundryHooks, registered: number): void;
  once<Name extends keyof FoundryHooks>(name: Name, call: FoundryHooks[Name]): void;
};

// --- windows and tools

declare namespace foundry.applications.api {
  /** Every window of ours extends it, and puts its own in place of what has an underscore. */
  class ApplicationV2 {
    static DEFAULT_OPTIONS: {
      classes: string[];
      window: { icon: string; resizable: boolean };
      position: { width: number; height: number | "auto" };
    };
    constructor(options: { id: string; classes?: string[] });
    get title(): string;
    readonly rendered: boolean;
    render(options?: { force: boolean }): Promise<this>;
    close(): Promise<unknown>;
    bringToFront(): void;
    /** What the window shows, in whatever form `_replaceHTML` takes. */
    _renderHTML(): Promise<unknown>;
    _replaceHTML(shown: unknown, content: HTMLElement): void;
    _onClose(options: unknown): void;
  }

  const DialogV2: {
    /** null where the dialogue is closed without an answer; with `rejectClose`, that rejects instead. */
    confirm(options: { window: { title: string }; content: string; rejectClose: boolean }): Promise<boolean | null>;
  };
}

declare namespace foundry.utils {
  function fromUuid(uuid: string): Promise<unknown>;
  /** What a uuid stands for may be of any kind, or gone. */
  function fromUuidSync(uuid: string, options: { strict: boolean }): unknown;
  function getProperty(object: object, path: string): unknown;
  function randomID(length: number): string;
  function escapeHTML(text: string): string;
  function saveDataToFile(data: string, type: string, name: string): void;
}

declare namespace foundry.audio {
  const AudioHelper: {
    /** At this screen alone where nothing is pushed to others. */
    play(sound: { src: string }, push: false): unknown;
  };
}

declare const ui: {
  readonly notifications: Record<"info" | "warn" | "error", (text: string) => void>;
  readonly controls: { render(options: { reset: boolean }): Promise<unknown> }; // of the scene
};

// --- texts in journals

/** A mark in a text, and what it becomes; null leaves it as it is. */
interface FoundryEnricher {
  pattern: RegExp;
  enricher: (found: RegExpMatchArray, options?: FoundryEnrichment) => Promise<HTMLElement | null>;
}

/** `relativeTo` is the document whose text it is; `pack` the compendium that a document lies in. */
interface FoundryEnrichment {
  relativeTo?: { pack: string | null; parent: { pack: string | null } | null };
}

declare const CONFIG: {
  readonly TextEditor: { readonly enrichers: FoundryEnricher[] };
  readonly sounds: { readonly notification: string }; // the address of a file
};
