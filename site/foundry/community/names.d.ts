// What the scripts assume beside the community's types: they run once the world is ready, and use two names of globals.d.ts.
import type {} from "fvtt-types";

declare module "fvtt-types/configuration" {
  interface AssumeHookRan {
    ready: true;
  }
}

declare global {
  type FoundryMessage = ChatMessage;
  type FoundryTool = any;
}
