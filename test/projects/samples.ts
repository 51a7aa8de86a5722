import { HashMap } from "effect"
import type { Create } from "#src/projects/commands.ts"
import { ProjectEvent, type Protection } from "#src/projects/events.ts"
import { defaultSettings, type ProjectSettings } from "#src/projects/settings/settings.ts"
import { type Project, placeOf, type State } from "#src/projects/state.ts"

export const settings: ProjectSettings = { ...defaultSettings("Tool"), description: "A tool." }

export const create: Create = {
  _tag: "Create",
  namespaceId: 2,
  creatorId: 1,
  ownerId: null,
  path: "tool",
  defaultBranch: null,
  settings,
  forkedFrom: null,
  content: null,
  ceilings: []
}

export const created = ProjectEvent.cases.ProjectCreated.make({
  namespaceId: 2,
  creatorId: 1,
  path: "tool",
  defaultBranch: null,
  settings,
  forkedFrom: null
})

export const protection: Protection = {
  id: 7,
  kind: "branch",
  name: "main",
  allowForcePush: false,
  push: [{ id: 1, accessLevel: 40 }],
  merge: [{ id: 2, accessLevel: 40 }]
}

export const project: Project = {
  namespaceId: 2,
  path: "tool",
  settings,
  defaultBranch: null,
  isEmpty: true,
  readme: null,
  members: { users: HashMap.make([5, { accessLevel: 30, expiresAt: null }]), groups: HashMap.empty() },
  protections: [protection]
}

export const place = placeOf(project)

export const states: { readonly [Tag in State["_tag"]]: State } = {
  Absent: { _tag: "Absent" },
  Active: { _tag: "Active", project },
  Archived: { _tag: "Archived", project },
  Deleted: { _tag: "Deleted" }
}
