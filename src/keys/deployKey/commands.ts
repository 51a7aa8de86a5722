import type { DeployKeyEvent } from "./events.ts"

/** Creates a key that `keyFaults` found nothing wrong with. */
export interface Create {
  readonly _tag: "Create"
  readonly key: Omit<Extract<DeployKeyEvent, { readonly _tag: "DeployKeyCreated" }>, "_tag">
}

/** Lets a project use the key. One that uses it already keeps its link and push right. */
interface Enable {
  readonly _tag: "Enable"
  readonly projectId: number
  readonly linkId: number
  readonly canPush: boolean
}

export type Command =
  | Create
  | Enable
  | { readonly _tag: "Retitle"; readonly title: string }
  | { readonly _tag: "ChangePushRight"; readonly projectId: number; readonly canPush: boolean }
  | { readonly _tag: "Disable"; readonly projectId: number }
  | { readonly _tag: "Remove" }
