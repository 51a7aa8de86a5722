import { expect, it } from "vitest"
import { projectsReadModel } from "#projections/projects/projection.ts"
import { snakeCased } from "#src/kernel/letterCase.ts"
import { ProjectEvent, projectCodec } from "#src/projects/events.ts"
import { pushCodec } from "#src/pushes/events.ts"
import { commitCommentCodec } from "#src/repositories/comments/events.ts"
import { UserEvent, userCodec } from "#src/users/events.ts"
import { changesIn, recorded } from "#test/support/recordedEvent.ts"
import { created, protection, settings } from "./samples.ts"

const { at } = recorded

const changesOf = changesIn(projectsReadModel)

const changes = (event: ProjectEvent, stream = "project-9") => changesOf(projectCodec.encode(event), stream)

const { cases } = ProjectEvent
const patch = (columns: object, table = "projects", key: object = { id: 9 }) => [{ _tag: "Patch", table, key, columns }]
const remove = (table: string, key: object) => ({ _tag: "Remove", table, key })
const key = { project_id: 9, user_id: 5 }
const ref = {
  id: 7,
  project_id: 9,
  kind: "branch",
  name: "main",
  allow_force_push: false,
  push_access_levels: [{ id: 1, access_level: 40 }],
  merge_access_levels: [{ id: 2, access_level: 40 }],
  updated_at: at
}
const refRow = [
  { _tag: "IdTaken", kind: "protected_ref", id: 7 },
  { _tag: "IdTaken", kind: "protected_ref_access", id: 1 },
  { _tag: "IdTaken", kind: "protected_ref_access", id: 2 },
  { _tag: "Put", table: "protected_refs", row: ref }
]

it.each<[ProjectEvent, ReadonlyArray<object>]>([
  [
    { ...created, path: "Tool", forkedFrom: 3, defaultBranch: "x" },
    [
      { _tag: "IdTaken", kind: "project", id: 9 },
      {
        _tag: "Put",
        table: "projects",
        row: {
          id: 9,
          namespace_id: 2,
          creator_id: 1,
          path: "Tool",
          archived: false,
          default_branch: "x",
          empty_repo: true,
          readme: null,
          forked_from_id: 3,
          created_at: at,
          updated_at: at,
          last_activity_at: at,
          ...snakeCased(settings)
        }
      },
      remove("redirects", { namespace_id: 2, path: "tool" })
    ]
  ],
  [
    cases.ProjectSettingsChanged.make({ changes: { mergeMethod: "ff", topics: ["a"] } }),
    patch({ merge_method: "ff", topics: ["a"], updated_at: at })
  ],
  [
    cases.ProjectRenamed.make({ namespaceId: 2, from: "Old", to: "New" }),
    [
      ...patch({ path: "New", updated_at: at }),
      { _tag: "Put", table: "redirects", row: { namespace_id: 2, path: "old", project_id: 9 } },
      remove("redirects", { namespace_id: 2, path: "new" })
    ]
  ],
  [
    cases.ProjectTransferred.make({ from: 2, to: 3, path: "Tool" }),
    [
      ...patch({ namespace_id: 3, updated_at: at }),
      { _tag: "Put", table: "redirects", row: { namespace_id: 2, path: "tool", project_id: 9 } },
      remove("redirects", { namespace_id: 3, path: "tool" })
    ]
  ],
  [cases.ReadmeChanged.make({ readme: "README" }), patch({ readme: "README" })],
  [cases.DefaultBranchChanged.make({ branch: "b" }), patch({ default_branch: "b", updated_at: at })],
  [
    cases.RepositoryFilled.make({ defaultBranch: "b" }),
    patch({ default_branch: "b", empty_repo: false, last_activity_at: at, updated_at: at })
  ],
  [cases.RefProtected.make({ protection }), refRow],
  [cases.RefProtectionChanged.make({ protection }), refRow],
  [cases.RefUnprotected.make({ id: 7, kind: "branch", name: "main" }), [remove("protected_refs", { id: 7 })]],
  [cases.ProjectArchived.make({}), patch({ archived: true, updated_at: at })],
  [cases.ProjectUnarchived.make({}), patch({ archived: false, updated_at: at })],
  [
    cases.ProjectDeleted.make({}),
    [
      remove("projects", { id: 9 }),
      ...["project_members", "project_shares", "redirects", "protected_refs", "stars"].map((table) => ({
        _tag: "RemoveWhere",
        table,
        where: { project_id: 9 }
      }))
    ]
  ],
  [
    cases.MemberAdded.make({ userId: 5, accessLevel: 30, expiresAt: null, addedBy: 1 }),
    [
      {
        _tag: "Put",
        table: "project_members",
        row: { ...key, access_level: 30, expires_at: null, updated_at: at, created_at: at, created_by: 1 }
      }
    ]
  ],
  [
    cases.MemberChanged.make({ userId: 5, accessLevel: 40, expiresAt: "2030-01-01" }),
    patch({ access_level: 40, expires_at: "2030-01-01", updated_at: at }, "project_members", key)
  ],
  [cases.MemberRemoved.make({ userId: 5 }), [remove("project_members", key)]]
])("$_tag", (event, expected) => {
  expect(changes(event)).toEqual(expected)
})

it.each([
  ["a push", pushCodec.encode({ _tag: "RefsUpdated", updates: [], options: [] }), "repository-9"],
  [
    "a comment on a commit",
    commitCommentCodec.encode({ _tag: "CommitCommented", authorId: 1, note: "n", line: null }),
    `commitComments-9-${"a".repeat(40)}`
  ]
])("%s is activity", (_, stored, stream) => {
  expect(changesOf(stored, stream)).toEqual(patch({ last_activity_at: at }))
  expect(changesOf(stored, "project-9")).toEqual([])
})

it("members and stars end with their users, of whom none counts again", () => {
  const stored = userCodec.encode(UserEvent.cases.UserDeleted.make({ hardDelete: false }))
  expect(changesOf(stored, "user-5")).toEqual([
    ...["project_members", "stars"].map((table) => ({ _tag: "RemoveWhere", table, where: { user_id: 5 } })),
    { _tag: "Put", table: "inactive_users", row: { user_id: 5 } }
  ])
})

it("has nothing to do with the members of groups", () => {
  expect(changes(cases.MemberRemoved.make({ userId: 5 }), "group-9")).toEqual([])
})
