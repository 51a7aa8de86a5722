import { expect, it } from "vitest"
import { releasesReadModel } from "#projections/releases/projection.ts"
import { ProjectEvent, projectCodec } from "#src/projects/events.ts"
import { ReleaseEvent, releaseCodec } from "#src/releases/events.ts"
import { changesIn, recorded } from "#test/support/recordedEvent.ts"
import { link, newRelease, otherLink } from "./samples.ts"

const { at, position } = recorded
const { cases } = ReleaseEvent
const key = { project_id: 4, tag: "debian/2.4" }
const changesOf = (event: ReleaseEvent, stream = "release-4-debian/2.4") =>
  changesIn(releasesReadModel)(releaseCodec.encode(event), stream)

const taken = (sequence: string, id: number) => ({ _tag: "IdTaken", kind: sequence, id })
const put = (table: string, row: object) => ({ _tag: "Put", table, row: { ...key, ...row } })
const removed = (table: string, where: object = key) => ({ _tag: "RemoveWhere", table, where })
const touched = (columns: object = {}) => ({
  _tag: "Patch",
  table: "releases",
  key,
  columns: { ...columns, updated_at: at }
})
const tables = ["releases", "links", "milestones", "evidences"]

const created = (releasedAt: number | null) =>
  cases.ReleaseCreated.make({ by: 5, ...newRelease, releasedAt, links: [link, otherLink] })
const changesOfCreation = (released_at: number, wants_evidence: boolean) => [
  taken("release", 7),
  taken("release_link", 1),
  taken("release_link", 2),
  put("releases", {
    id: 7,
    name: "First",
    description: "Words",
    sha: "a".repeat(40),
    author_id: 5,
    created_at: at,
    updated_at: at,
    released_at,
    wants_evidence,
    has_evidence: false
  }),
  put("links", { ...link }),
  put("links", { ...otherLink }),
  removed("milestones"),
  put("milestones", { milestone_id: 3 }),
  put("milestones", { milestone_id: 4 })
]

it.each<[string, ReleaseEvent, ReadonlyArray<object>]>([
  ["a release of now", created(null), changesOfCreation(at, true)],
  ["a release to come", created(at + 1), changesOfCreation(at + 1, true)],
  ["a release of the past", created(at - 1), changesOfCreation(at - 1, false)],
  ["a release of the very time", created(at), changesOfCreation(at, false)],
  ["another name", cases.ReleaseChanged.make({ by: 6, name: null }), [touched({ name: null })]],
  [
    "everything else",
    cases.ReleaseChanged.make({ by: 6, description: "b", releasedAt: 9, milestoneIds: [8] }),
    [
      touched({ description: "b", released_at: 9, wants_evidence: false }),
      removed("milestones"),
      put("milestones", { milestone_id: 8 })
    ]
  ],
  [
    "a time that is still to come",
    cases.ReleaseChanged.make({ by: 6, releasedAt: at + 1 }),
    [touched({ released_at: at + 1, wants_evidence: true })]
  ],
  ["no milestones", cases.ReleaseChanged.make({ by: 6, milestoneIds: [] }), [touched(), removed("milestones")]],
  ["its end", cases.ReleaseDeleted.make({ by: 6 }), tables.map((table) => removed(table))],
  [
    "another link",
    cases.ReleaseLinkAdded.make({ by: 6, link: otherLink }),
    [taken("release_link", 2), put("links", { ...otherLink }), touched()]
  ],
  ["a changed link", cases.ReleaseLinkChanged.make({ by: 6, link }), [put("links", { ...link }), touched()]],
  [
    "one link less",
    cases.ReleaseLinkRemoved.make({ by: 6, id: 1 }),
    [{ _tag: "Remove", table: "links", key: { id: 1 } }, touched()]
  ],
  [
    "what it contained",
    cases.EvidenceCollected.make({ position: 9, summary: "{}", sha256: "b" }),
    [
      put("evidences", { id: position, sha256: "b", summary: "{}", collected_at: at }),
      { _tag: "Patch", table: "releases", key, columns: { has_evidence: true } }
    ]
  ]
])("%s", (_, event, changes) => {
  expect(changesOf(event)).toEqual(changes)
})

it("everything goes with the project", () => {
  expect(changesIn(releasesReadModel)(projectCodec.encode(ProjectEvent.cases.ProjectDeleted.make({})), "project-4")).toEqual(
    tables.map((table) => removed(table, { project_id: 4 }))
  )
})

it("has nothing to do with other streams", () => {
  expect(changesOf(cases.ReleaseDeleted.make({ by: 1 }), "project-4")).toEqual([])
})
