import { HashMap, Result } from "effect"
import { describe, expect, it } from "vitest"
import { projectAggregate } from "#src/projects/aggregate.ts"
import type { Change, Command, Transfer } from "#src/projects/commands.ts"
import type { Refusal } from "#src/projects/errors.ts"
import { ProjectEvent as Event, type ProjectEvent, type Protection } from "#src/projects/events.ts"
import type { ProjectFault } from "#src/projects/faults.ts"
import type { Project, State } from "#src/projects/state.ts"
import { itDecides, outcomeOf } from "#test/support/decisions.ts"
import { create, created, place, project, protection, settings, states } from "./samples.ts"

const { decide } = projectAggregate

type Expected = ReadonlyArray<ProjectEvent> | Refusal["_tag"]

const event = Event.cases
const change = (fields: Partial<Change>): Change => ({ _tag: "Change", changes: {}, ceilings: [], ...fields })
const tags: Protection = { ...protection, id: 8, kind: "tag", name: "v*", merge: [] }
const acting = { today: "2026-01-01", actingLevel: 40 }
const losing = { ...acting, hasOtherOwner: true, hasInheritedOwner: true }

const transfer: Transfer = { _tag: "Transfer", from: place, namespaceId: 3, ownerId: null, maxVisibility: "public", by: 1 }

const commands: { readonly [Tag in Command["_tag"]]: Command } = {
  Create: create,
  Change: change({ changes: { description: null } }),
  Fill: { _tag: "Fill", defaultBranch: "trunk", protection: { ...protection, id: 9, name: "trunk" } },
  Transfer: transfer,
  LimitVisibility: { _tag: "LimitVisibility", maxVisibility: "public" },
  NoteReadme: { _tag: "NoteReadme", readme: "README.md" },
  Protect: { _tag: "Protect", protection: tags },
  ChangeProtection: { _tag: "ChangeProtection", kind: "branch", name: "main", allowForcePush: true },
  Unprotect: { _tag: "Unprotect", kind: "branch", name: "main" },
  Archive: { _tag: "Archive" },
  Unarchive: { _tag: "Unarchive" },
  Delete: { _tag: "Delete" },
  AddMember: { _tag: "AddMember", userId: 6, accessLevel: 20, expiresAt: null, addedBy: 1, ...acting },
  ChangeMember: { _tag: "ChangeMember", userId: 5, accessLevel: 40, ...losing },
  RemoveMember: { _tag: "RemoveMember", userId: 5, ...losing },
  EndMembership: { _tag: "EndMembership", userId: 5 },
  ShareWithGroup: { _tag: "ShareWithGroup", id: 1, groupId: 8, accessLevel: 30, expiresAt: null, ...acting },
  EndSharing: { _tag: "EndSharing", groupId: 8, ...acting }
}

const missing: Record<Command["_tag"], Expected> = {
  Create: [created],
  Change: "ProjectMissing",
  Fill: "ProjectMissing",
  Transfer: "ProjectMissing",
  LimitVisibility: "ProjectMissing",
  NoteReadme: [],
  Protect: "ProjectMissing",
  ChangeProtection: "ProjectMissing",
  Unprotect: "ProjectMissing",
  Archive: "ProjectMissing",
  Unarchive: "ProjectMissing",
  Delete: "ProjectMissing",
  AddMember: "ProjectMissing",
  ChangeMember: "ProjectMissing",
  RemoveMember: "ProjectMissing",
  EndMembership: "ProjectMissing",
  ShareWithGroup: "ProjectMissing",
  EndSharing: "ProjectMissing"
}

const active: Record<Command["_tag"], Expected> = {
  Create: "ProjectExists",
  Change: [event.ProjectSettingsChanged.make({ changes: { description: null } })],
  Fill: [
    event.RepositoryFilled.make({ defaultBranch: "trunk" }),
    event.RefProtected.make({ protection: { ...protection, id: 9, name: "trunk" } })
  ],
  Transfer: [event.ProjectTransferred.make({ from: 2, to: 3, path: "tool" })],
  LimitVisibility: [],
  NoteReadme: [event.ReadmeChanged.make({ readme: "README.md" })],
  Protect: [event.RefProtected.make({ protection: tags })],
  ChangeProtection: [event.RefProtectionChanged.make({ protection: { ...protection, allowForcePush: true } })],
  Unprotect: [event.RefUnprotected.make({ id: 7, kind: "branch", name: "main" })],
  Archive: [event.ProjectArchived.make({})],
  Unarchive: [],
  Delete: [event.ProjectDeleted.make({})],
  AddMember: [event.MemberAdded.make({ userId: 6, accessLevel: 20, expiresAt: null, addedBy: 1 })],
  ChangeMember: [event.MemberChanged.make({ userId: 5, accessLevel: 40, expiresAt: null })],
  RemoveMember: [event.MemberRemoved.make({ userId: 5 })],
  EndMembership: [event.MemberRemoved.make({ userId: 5 })],
  ShareWithGroup: [event.SharedWithGroup.make({ id: 1, groupId: 8, accessLevel: 30, expiresAt: null })],
  EndSharing: "NotShared"
}

const table: Record<State["_tag"], Record<Command["_tag"], Expected>> = {
  Absent: missing,
  Active: active,
  Archived: { ...active, Archive: [], Unarchive: [event.ProjectUnarchived.make({})] },
  Deleted: { ...missing, Create: "ProjectExists" }
}

const outcome = outcomeOf(projectAggregate)

describe("every command in every state", () => {
  itDecides(outcome, { commands, states, table })
})

const faults = (command: Command, state: State): ReadonlyArray<ProjectFault> =>
  Result.match(decide(command, state), {
    onFailure: (refusal) => (refusal._tag === "ProjectInvalid" ? refusal.faults : []),
    onSuccess: () => []
  })
const of = (changed: Partial<Project>): State => ({ _tag: "Active", project: { ...project, ...changed } })

describe("a new project", () => {
  it("has the owner of a personal namespace as a member", () => {
    expect(outcome({ ...create, ownerId: 4 }, states.Absent)).toEqual([
      created,
      event.MemberAdded.make({ userId: 4, accessLevel: 50, expiresAt: null, addedBy: 1 })
    ])
  })

  it("that is a copy has its content and a protected default branch", () => {
    const content = { defaultBranch: "main", protection }
    expect(outcome({ ...create, forkedFrom: 3, content }, states.Absent)).toEqual([
      { ...created, forkedFrom: 3 },
      event.RepositoryFilled.make({ defaultBranch: "main" }),
      event.RefProtected.make({ protection })
    ])
  })

  it("is told everything that is wrong with it at once", () => {
    const wrong = {
      ...settings,
      name: "",
      description: "x".repeat(2001),
      visibility: "public" as const,
      topics: ["t".repeat(256)],
      ciConfigPath: "../x",
      ciDefaultGitDepth: -1,
      buildTimeout: 1,
      mergeCommitTemplate: "x".repeat(501)
    }
    const ceilings = [
      { visibility: "internal", of: "group" },
      { visibility: "private", of: "fork source" }
    ] as const
    expect(faults({ ...create, settings: wrong, path: "-", defaultBranch: "a..b", ceilings }, states.Absent)).toEqual([
      { attribute: "name", text: "can't be blank" },
      { attribute: "description", text: "is too long (maximum is 2000 characters)" },
      { attribute: "visibility_level", text: "public is not allowed in a internal group." },
      { attribute: "visibility_level", text: "public is not allowed since the fork source project is private." },
      { attribute: "topic_list", text: "is too long (maximum is 255 characters)" },
      { attribute: "ci_config_path", text: "must not contain '..'" },
      { attribute: "ci_default_git_depth", text: "must be greater than or equal to 0" },
      { attribute: "build_timeout", text: "needs to be between 10 minutes and 1 month" },
      { attribute: "merge_commit_template", text: "is too long (maximum is 500 characters)" },
      { attribute: "path", text: expect.stringMatching(/^can contain only letters/) },
      { attribute: "path", text: "is a reserved name" },
      { attribute: "default_branch", text: "is invalid" }
    ])
  })
})

describe("a change", () => {
  it.each<[string, Partial<Change>, Expected]>([
    ["nothing", {}, []],
    ["what is there already", { path: "tool", changes: settings }, []],
    ["topics that are the same", { changes: { topics: [] } }, []],
    ["the path", { path: "other" }, [event.ProjectRenamed.make({ namespaceId: 2, from: "tool", to: "other" })]],
    ["letters of the path", { path: "Tool" }, [event.ProjectRenamed.make({ namespaceId: 2, from: "tool", to: "Tool" })]],
    ["the default branch", { defaultBranch: "trunk" }, [event.DefaultBranchChanged.make({ branch: "trunk" })]],
    [
      "one of several settings",
      { changes: { ...settings, topics: ["a"] } },
      [event.ProjectSettingsChanged.make({ changes: { topics: ["a"] } })]
    ]
  ])("of %s", (_, fields, expected) => {
    expect(outcome(change(fields), states.Active)).toEqual(expected)
  })
})

/** What reserved other names than those that it would lead to. */
describe("a project that was named otherwise when the command was made", () => {
  it.each([
    ["in another namespace", { ...place, namespaceId: 9 }],
    ["under another path", { ...place, path: "old" }],
    ["under another name", { ...place, name: "Old" }]
  ])("%s, is neither renamed nor transferred", (_, from) => {
    expect(outcome(change({ path: "other", from }), states.Active)).toBe("ProjectMoved")
    expect(outcome({ ...transfer, from }, states.Active)).toBe("ProjectMoved")
  })

  it("is renamed where nothing changed since", () => {
    expect(outcome(change({ path: "other", from: place }), states.Active)).toEqual([
      event.ProjectRenamed.make({ namespaceId: 2, from: "tool", to: "other" })
    ])
  })
})

describe("a transfer", () => {
  const to = (fields: Partial<Transfer>): Command => ({ ...transfer, ...fields })
  const owning = (accessLevel: number, expiresAt: string | null) =>
    of({ members: { ...project.members, users: HashMap.make([4, { accessLevel, expiresAt }]) } })
  const transferred = event.ProjectTransferred.make({ from: 2, to: 3, path: "tool" })
  const owner = { userId: 4, accessLevel: 50, expiresAt: null }

  it.each<[string, Command, State, Expected]>([
    ["to where it is", to({ namespaceId: 2 }), states.Active, "ProjectInNamespace"],
    [
      "to a group that shows less",
      to({ maxVisibility: "internal" }),
      of({ settings: { ...settings, visibility: "public" } }),
      [transferred, event.ProjectSettingsChanged.make({ changes: { visibility: "internal" } })]
    ],
    ["to a group that shows more", to({ maxVisibility: "internal" }), states.Active, [transferred]],
    [
      "to a user, who becomes its owner",
      to({ ownerId: 4 }),
      states.Active,
      [transferred, event.MemberAdded.make({ ...owner, addedBy: 1 })]
    ],
    ["to a user who is its owner", to({ ownerId: 4 }), owning(50, null), [transferred]],
    ["to a user who is less", to({ ownerId: 4 }), owning(40, null), [transferred, event.MemberChanged.make(owner)]],
    [
      "to a user who is its owner for a time",
      to({ ownerId: 4 }),
      owning(50, "2030-01-01"),
      [transferred, event.MemberChanged.make(owner)]
    ]
  ])("%s", (_, command, state, expected) => {
    expect(outcome(command, state)).toEqual(expected)
  })
})

it("a README is noted when it is another one", () => {
  const readme = (name: string | null): Command => ({ _tag: "NoteReadme", readme: name })
  expect(outcome(readme(null), states.Active)).toEqual([])
  expect(outcome(readme("README"), of({ readme: "README" }))).toEqual([])
  expect(outcome(readme(null), of({ readme: "README" }))).toEqual([event.ReadmeChanged.make({ readme: null })])
})

describe("a repository", () => {
  it("is filled once", () => {
    expect(outcome(commands.Fill, of({ isEmpty: false }))).toEqual([])
  })

  it.each(["main", "m*", "*"])("gets no second protection beside %s", (name) => {
    const state = of({ protections: [{ ...protection, name }] })
    expect(outcome({ _tag: "Fill", defaultBranch: "main", protection }, state)).toEqual([
      event.RepositoryFilled.make({ defaultBranch: "main" })
    ])
  })
})

describe("a protection", () => {
  it.each<[string, Command, Expected]>([
    ["of a protected name", { _tag: "Protect", protection }, "ProtectionExists"],
    ["of the same name for tags", { _tag: "Protect", protection: { ...tags, name: "main" } }, [expect.anything()] as never],
    ["without a name", { _tag: "Protect", protection: { ...tags, name: " " } }, "ProtectionInvalid"],
    [
      "of a level that there is not",
      { _tag: "Protect", protection: { ...tags, push: [{ id: 1, accessLevel: 20 }] } },
      "ProtectionInvalid"
    ],
    ["that is not there", { _tag: "Unprotect", kind: "tag", name: "main" }, "ProtectionMissing"],
    [
      "that changes nothing",
      { _tag: "ChangeProtection", kind: "branch", name: "main", push: [{ id: 99, accessLevel: 40 }], allowForcePush: false },
      []
    ]
  ])("%s", (_, command, expected) => {
    expect(outcome(command, states.Active)).toEqual(expected)
  })
})
