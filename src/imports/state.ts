import type { ImportSource } from "./events.ts"

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Scheduled"; readonly source: ImportSource }
  | { readonly _tag: "Started"; readonly source: ImportSource; readonly percent: number }
  | { readonly _tag: "Finished" }
  | { readonly _tag: "Failed" }
  | { readonly _tag: "Cancelled" }

export const initial: State = { _tag: "Absent" }
