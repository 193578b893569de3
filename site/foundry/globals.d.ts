// What the scripts use of Foundry Virtual Tabletop, version 13 and later, and nothing else of it. These are our own declarations:
// the type check holds the scripts to them, and only a person with Foundry can hold them to Foundry.

interface FoundryUser {
  id: string;
  name: string;
  avatar: string;
  isGM: boolean;
  active: boolean;
  character: FoundryActor | null;
  can(permission: string): boolean;
}

interface FoundryActor {
  id: string;
  uuid: string;
  name: string;
  img: string;
  isOwner: boolean;
  hasPlayerOwner: boolean;
  system: any;
  inventory?: any;
  testUserPermission(user: FoundryUser, level: string): boolean;
  update(changes: Record<string, any>): Promise<any>;
}

interface FoundryCollection<T> extends Iterable<T> {
  get(id: string): T | undefined;
  filter(test: (one: T) => boolean): T[];
  map<U>(each: (one: T) => U): U[];
  contents: T[];
}

interface FoundryMessage {
  id: string;
  flags: Record<string, any>;
  rolls: Roll[];
  author: FoundryUser | null;
  content: string;
  update(changes: Record<string, any>): Promise<any>;
}

interface FoundrySetting {
  name?: string;
  hint?: string;
  scope: "world" | "client" | "user";
  config: boolean;
  type: any;
  default?: any;
  choices?: Record<string, string>;
  onChange?: (value: any, options: any, userId: string) => void;
}

interface FoundryTool {
  name: string;
  title: string;
  icon: string;
  order: number;
  button?: boolean;
  visible?: boolean;
  onChange?: (event: Event, active: boolean) => void;
}

declare const game: {
  userId: string;
  user: FoundryUser;
  users: FoundryCollection<FoundryUser> & {
    activeGM: FoundryUser | null;
    getDesignatedUser(test: (user: FoundryUser) => boolean): FoundryUser | null;
  };
  actors: FoundryCollection<FoundryActor>;
  messages: FoundryCollection<FoundryMessage>;
  modules: { get(id: string): ({ active: boolean; api?: any; [key: string]: any }) | undefined };
  system: { id: string };
  i18n: { localize(key: string): string; format(key: string, data?: Record<string, any>): string; lang: string };
  settings: {
    register(scope: string, key: string, setting: FoundrySetting): void;
    registerMenu(
      scope: string, key: string,
      menu: { name: string; label: string; hint?: string; icon: string; type: any; restricted: boolean },
    ): void;
    get(scope: string, key: string): any;
    set(scope: string, key: string, value: any): Promise<any>;
  };
  keybindings: {
    register(scope: string, key: string, binding: { name: string; hint?: string; editable: any[]; onDown: () => boolean }): void;
  };
  socket: {
    on(channel: string, listener: (message: any, sender: string) => void): void;
    emit(channel: string, message: any, options?: { recipients?: string[] }): void;
  };
  dice3d?: { waitFor3DAnimationByMessageID(id: string): Promise<any> };
  [key: string]: any;
};

declare const canvas: { tokens?: { controlled: { name: string; actor: FoundryActor | null; document: { texture: { src: string } } }[] } | null } | undefined;

declare const Hooks: {
  on(name: string, listener: (...args: any[]) => any): number;
  once(name: string, listener: (...args: any[]) => any): number;
  callAll(name: string, ...args: any[]): boolean;
};

declare const ui: {
  notifications: {
    info(text: string, options?: { localize?: boolean }): void;
    warn(text: string, options?: { localize?: boolean }): void;
    error(text: string, options?: { localize?: boolean }): void;
  };
};

declare const CONFIG: {
  TextEditor: {
    enrichers: { pattern: RegExp; enricher: (match: RegExpMatchArray, options?: any) => Promise<HTMLElement | null> }[];
  };
  [key: string]: any;
};

declare class Roll {
  constructor(formula: string, data?: Record<string, any>, options?: Record<string, any>);
  formula: string;
  total: number;
  dice: { faces: number; number: number; results: { result: number; active: boolean }[] }[];
  evaluate(options?: Record<string, any>): Promise<this>;
  toJSON(): any;
}

declare const ChatMessage: {
  create(data: Record<string, any>): Promise<FoundryMessage>;
  getSpeaker(options?: Record<string, any>): Record<string, any>;
};

declare function fromUuidSync(uuid: string, options?: { strict?: boolean }): any;

declare namespace foundry {
  namespace utils {
    function fromUuid(uuid: string): Promise<any>;
    function getProperty(object: object, path: string): any;
    function randomID(length?: number): string;
    function escapeHTML(text: string): string;
    function saveDataToFile(data: string, type: string, filename: string): void;
  }
  namespace applications.api {
    class ApplicationV2 {
      static DEFAULT_OPTIONS: Record<string, any>;
      constructor(options?: Record<string, any>);
      readonly element: HTMLElement;
      readonly id: string;
      readonly rendered: boolean;
      get title(): string;
      render(options?: boolean | { force?: boolean }): Promise<this>;
      close(options?: Record<string, any>): Promise<this>;
      bringToFront(): void;
      protected _renderHTML(context: any, options: any): Promise<any>;
      protected _replaceHTML(result: any, content: HTMLElement, options: any): void;
      protected _onClose(options: any): void;
    }
    class DialogV2 extends ApplicationV2 {
      static confirm(options: {
        window: { title: string };
        content: string;
        modal?: boolean;
        rejectClose?: boolean;
      }): Promise<boolean | null>;
    }
  }
}
