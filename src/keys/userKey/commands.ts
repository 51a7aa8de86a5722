import type { UserKeyEvent } from "./events.ts"

/** Adds a key that `keyFaults` found nothing wrong with. */
export interface Add {
  readonly _tag: "Add"
  readonly key: Omit<Extract<UserKeyEvent, { readonly _tag: "SshKeyAdded" }>, "_tag">
}

export type Command = Add | { readonly _tag: "Remove" }
