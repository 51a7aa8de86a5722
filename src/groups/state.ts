import { evolveMembers, type Members, noMembers } from "../members/state.ts"
import type { GroupAttributes, GroupEvent } from "./events.ts"

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

const groupAfter = (group: Group, event: GroupEvent): Group => {
  switch (event._tag) {
    case "GroupRenamed":
      return { ...group, path: event.to }
    case "GroupTransferred":
      return { ...group, parentId: event.to }
    case "GroupChanged":
      return { ...group, attributes: { ...group.attributes, ...event.changes } }
    case "MemberAdded":
    case "MemberChanged":
    case "MemberRemoved":
    case "SharedWithGroup":
    case "SharingEnded":
      return { ...group, members: evolveMembers(group.members, event) }
    case "GroupCreated":
    case "GroupDeleted":
      return group
  }
}

/** Events before the creation or after the deletion change nothing. */
export const evolve = (state: State, event: GroupEvent): State => {
  if (state._tag === "Deleted") return state
  if (event._tag === "GroupCreated") {
    const { path, parentId, attributes } = event
    return state._tag === "Absent" ? { _tag: "Present", group: { path, parentId, attributes, members: noMembers } } : state
  }
  if (state._tag === "Absent") return state
  return event._tag === "GroupDeleted" ? { _tag: "Deleted" } : { _tag: "Present", group: groupAfter(state.group, event) }
}
