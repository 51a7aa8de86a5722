import { readFileSync } from "node:fs"
import { defined } from "#src/kernel/defined.ts"
import type { RecordedEvent } from "#src/platform/eventStore/EventStore.ts"
import { projectCodec } from "#src/projects/events.ts"
import { projectIdOf } from "#src/projects/ids.ts"
import { type Link, ReleaseEvent, releaseCodec } from "#src/releases/events.ts"
import { type ReleaseKey, releaseKeyOf } from "#src/releases/ids.ts"
import { type Change, idTaken, on, patch, put, type ReadModel, remove, removeWhere } from "../ReadModel.ts"

const [releases, links, milestones, evidences] = ["releases", "links", "milestones", "evidences"] as const
const all = [releases, links, milestones, evidences]

const keyOf = ({ projectId, tag }: ReleaseKey) => ({ project_id: projectId, tag })

const linkPut = (key: ReleaseKey, link: Link): Change => put(links, { ...keyOf(key), ...link })

const milestonesPut = (key: ReleaseKey, ids: ReadonlyArray<number>): ReadonlyArray<Change> => [
  removeWhere(milestones, keyOf(key)),
  ...ids.map((id) => put(milestones, { ...keyOf(key), milestone_id: id }))
]

type Created = Extract<ReleaseEvent, { readonly _tag: "ReleaseCreated" }>

/** What was released before it was told of here, at `recordedAt`, has no evidence. */
const created = (key: ReleaseKey, event: Created, at: number, recordedAt: number): ReadonlyArray<Change> => [
  idTaken("release", event.id),
  ...event.links.map(({ id }) => idTaken("release_link", id)),
  put(releases, {
    ...keyOf(key),
    id: event.id,
    name: event.name,
    description: event.description,
    sha: event.sha,
    author_id: event.by,
    created_at: at,
    updated_at: at,
    released_at: event.releasedAt ?? at,
    wants_evidence: event.releasedAt === null ? at === recordedAt : event.releasedAt > recordedAt,
    has_evidence: false
  }),
  ...event.links.map((link) => linkPut(key, link)),
  ...milestonesPut(key, event.milestoneIds)
]

const changes = (
  key: ReleaseKey,
  event: ReleaseEvent,
  { at, position }: RecordedEvent,
  recordedAt: number
): ReadonlyArray<Change> => {
  const touched = (columns: Parameters<typeof patch>[2] = {}) => patch(releases, keyOf(key), { ...columns, updated_at: at })
  return ReleaseEvent.match(event, {
    ReleaseCreated: (it) => created(key, it, at, recordedAt),
    ReleaseChanged: ({ description, milestoneIds, name, releasedAt }) => [
      touched(
        defined({
          name,
          description,
          released_at: releasedAt,
          wants_evidence: releasedAt === undefined ? undefined : releasedAt > at
        })
      ),
      ...(milestoneIds === undefined ? [] : milestonesPut(key, milestoneIds))
    ],
    ReleaseDeleted: () => all.map((table) => removeWhere(table, keyOf(key))),
    ReleaseLinkAdded: ({ link }) => [idTaken("release_link", link.id), linkPut(key, link), touched()],
    ReleaseLinkChanged: ({ link }) => [linkPut(key, link), touched()],
    ReleaseLinkRemoved: ({ id }) => [remove(links, { id }), touched()],
    EvidenceCollected: ({ sha256, summary }) => [
      put(evidences, { ...keyOf(key), id: position, sha256, summary, collected_at: at }),
      patch(releases, keyOf(key), { has_evidence: true })
    ]
  })
}

/** Releases with their links, milestones and evidences. */
export const releasesReadModel: ReadModel = {
  name: "releases",
  version: 2,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: {
    [releases]: ["project_id", "tag"],
    [links]: ["id"],
    [milestones]: ["project_id", "tag", "milestone_id"],
    [evidences]: ["id"]
  },
  projections: [
    on(releaseCodec, (event, recorded, recordedAt) => {
      const key = releaseKeyOf(recorded.stream)
      return key === undefined ? [] : changes(key, event, recorded, recordedAt)
    }),
    on(projectCodec, (event, { stream }) => {
      const id = event._tag === "ProjectDeleted" ? projectIdOf(stream) : undefined
      return id === undefined ? [] : all.map((table) => removeWhere(table, { project_id: id }))
    })
  ]
}
