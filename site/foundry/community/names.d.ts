// What the scripts assume beside the community's types: they run once the world is ready, and use some names of
// globals.d.ts.
import type {} from "fvtt-types";

declare module "fvtt-types/configuration" {
  interface AssumeHookRan {
    ready: true;
  }
}

declare global {
  type FoundryMessage = ChatMessage;
  type FoundryTool = any;
  type FoundryHUD = any;
  type FoundryGame = any; // settings, flags and messages that are the module's own
  type FoundryUser = any;
  type FoundryRoll = any;
  type FoundryResult = any;
  type FoundrySettingStart = any;
  type FoundryMessageData = any;
}
