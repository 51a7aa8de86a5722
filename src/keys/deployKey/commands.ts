import type { DeployKeyEvent } from "./events.ts"

/** Use of a key by a project. */
export interface Use {
  readonly projectId: number
  readonly linkId: number
  readonly canPush: boolean
}

/** Creates a key that `keyFaults` found nothing wrong with. */
export interface Create {
  readonly _tag: "Create"
  readonly key: Omit<Extract<DeployKeyEvent, { readonly _tag: "DeployKeyCreated" }>, "_tag">
  /** By the project that it is created for. */
  readonly use?: Use
}

/** Lets a project use the key. One that uses it already keeps its link and push right. */
interface Enable extends Use {
  readonly _tag: "Enable"
}

export type Command =
  | Create
  | Enable
  | { readonly _tag: "Retitle"; readonly title: string }
  | { readonly _tag: "ChangePushRight"; readonly projectId: number; readonly canPush: boolean }
  | { readonly _tag: "Disable"; readonly projectId: number }
  | { readonly _tag: "Remove" }
