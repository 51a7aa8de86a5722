import type { Members } from "../members/state.ts"
import type { GroupAttributes } from "./events.ts"

export interface Group {
  readonly path: string
  readonly parentId: number | null
  readonly attributes: GroupAttributes
  readonly members: Members
}

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Present"; readonly group: Group }
  | { readonly _tag: "Deleted" }

export const initial: State = { _tag: "Absent" }
