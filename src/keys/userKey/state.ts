export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Present"; readonly userId: number; readonly fingerprintSha256: string }
  | { readonly _tag: "Removed" }

export const initial: State = { _tag: "Absent" }
