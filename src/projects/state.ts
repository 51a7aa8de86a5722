import { evolveMembers, type Members, noMembers } from "../members/state.ts"
import type { ProjectEvent, Protection } from "./events.ts"
import type { ProjectSettings } from "./settings/settings.ts"

export interface Project {
  readonly namespaceId: number
  readonly path: string
  readonly settings: ProjectSettings
  readonly defaultBranch: string | null
  /** Whether nothing was ever pushed. */
  readonly isEmpty: boolean
  /** The name of the README at the root of the default branch; null for none. */
  readonly readme: string | null
  readonly members: Members
  readonly protections: ReadonlyArray<Protection>
}

/** What the names of a project are made of. */
export interface Place {
  readonly namespaceId: number
  readonly path: string
  readonly name: string
}

export const placeOf = ({ namespaceId, path, settings: { name } }: Project): Place => ({ namespaceId, path, name })

/** How an existing project stands. Archived ones are read-only. */
export type ProjectStatus = "Active" | "Archived"

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: ProjectStatus; readonly project: Project }
  | { readonly _tag: "Deleted" }

/** The project that is there; undefined for none. */
export const presentIn = (state: State): Project | undefined =>
  state._tag === "Absent" || state._tag === "Deleted" ? undefined : state.project

export const initial: State = { _tag: "Absent" }

type Created = Extract<ProjectEvent, { readonly _tag: "ProjectCreated" }>

const created = ({ namespaceId, path, settings, defaultBranch }: Created): Project => ({
  namespaceId,
  path,
  settings,
  defaultBranch,
  isEmpty: true,
  readme: null,
  members: noMembers,
  protections: []
})

const without = ({ protections }: Project, id: number): ReadonlyArray<Protection> => protections.filter((one) => one.id !== id)

/** What an event makes of a project that is there and stays. */
const changed = (project: Project, event: ProjectEvent): Project => {
  switch (event._tag) {
    case "ProjectSettingsChanged":
      return { ...project, settings: { ...project.settings, ...event.changes } }
    case "ProjectRenamed":
      return { ...project, path: event.to }
    case "ProjectTransferred":
      return { ...project, namespaceId: event.to }
    case "DefaultBranchChanged":
      return { ...project, defaultBranch: event.branch }
    case "RepositoryFilled":
      return { ...project, defaultBranch: event.defaultBranch, isEmpty: false }
    case "ReadmeChanged":
      return { ...project, readme: event.readme }
    case "RefProtected":
      return { ...project, protections: [...without(project, event.protection.id), event.protection] }
    case "RefProtectionChanged": {
      const { protection } = event
      return { ...project, protections: project.protections.map((one) => (one.id === protection.id ? protection : one)) }
    }
    case "RefUnprotected":
      return { ...project, protections: without(project, event.id) }
    case "MemberAdded":
    case "MemberChanged":
    case "MemberRemoved":
    case "SharedWithGroup":
    case "SharingEnded":
      return { ...project, members: evolveMembers(project.members, event) }
    default:
      return project
  }
}

/** Events of a project that is not there change nothing, and a deleted one stays deleted. */
export const evolve = (state: State, event: ProjectEvent): State => {
  if (event._tag === "ProjectCreated") return state._tag === "Absent" ? { _tag: "Active", project: created(event) } : state
  if (state._tag === "Absent" || state._tag === "Deleted") return state
  switch (event._tag) {
    case "ProjectDeleted":
      return { _tag: "Deleted" }
    case "ProjectArchived":
      return { _tag: "Archived", project: state.project }
    case "ProjectUnarchived":
      return { _tag: "Active", project: state.project }
    default:
      return { _tag: state._tag, project: changed(state.project, event) }
  }
}
