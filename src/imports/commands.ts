import type { ImportSource } from "./events.ts"

export type Command =
  | { readonly _tag: "Schedule"; readonly source: ImportSource }
  | { readonly _tag: "Start" }
  | { readonly _tag: "Progress"; readonly percent: number }
  | { readonly _tag: "Finish"; readonly branches: number; readonly tags: number }
  | { readonly _tag: "Fail"; readonly reason: string }
  /** The project is gone. */
  | { readonly _tag: "Cancel" }
