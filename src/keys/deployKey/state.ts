/** Use of a deploy key by a project. */
export interface Link {
  readonly linkId: number
  readonly canPush: boolean
}

export interface DeployKey {
  readonly title: string
  readonly fingerprintSha256: string
  readonly public: boolean
  /** By project. */
  readonly links: ReadonlyMap<number, Link>
}

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Present"; readonly deployKey: DeployKey }
  | { readonly _tag: "Removed" }

export const initial: State = { _tag: "Absent" }
