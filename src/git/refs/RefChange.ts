/** A ref that shall move. Ids are full; null: there is no such ref. */
export interface RefChange {
  /** The full name, which passed `isRefName`, such as `refs/heads/main`. */
  readonly name: string
  readonly from: string | null
  readonly to: string | null
}
