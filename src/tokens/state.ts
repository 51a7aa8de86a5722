export type State =
  | { readonly _tag: "Absent" }
  /** `lastUsedOn` is `YYYY-MM-DD`. Whether it has expired is a question of the clock, not of the state. */
  | { readonly _tag: "Usable"; readonly lastUsedOn: string | null }
  /** `successor` is the token that replaced it, if it was rotated. */
  | { readonly _tag: "Revoked"; readonly successor: number | null }

export const initial: State = { _tag: "Absent" }
