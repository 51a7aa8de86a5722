import { Effect, Stream } from "effect"
import { nextId, nextIds } from "../../platform/Ids.ts"
import { recordPast } from "../../platform/recordPast.ts"
import { ReleaseEvent, releaseCodec } from "../../releases/events.ts"
import { releaseStream } from "../../releases/ids.ts"
import type { ExportFolder } from "./files.ts"
import { type Import, untilChanged } from "./Import.ts"
import { ensureMilestones, milestoneIdOf } from "./planning.ts"
import { linksOf, Release } from "./shapes/project.ts"
import { millis } from "./shapes/values.ts"

const { cases } = ReleaseEvent

const importRelease = Effect.fnUntraced(function* (to: Import, record: Release) {
  const { author_id, created_at, description, links, milestone_releases, name, released_at, sha, tag, updated_at } = record
  const milestones = milestone_releases.map(({ milestone }) => milestone)
  yield* ensureMilestones(to, milestones)
  const id = yield* nextId("release")
  const linkIds = yield* nextIds("release_link", links.length)
  const by = to.people.of(author_id)
  const created = cases.ReleaseCreated.make({
    id,
    by,
    sha,
    description,
    name: name === tag ? null : name,
    links: linksOf(links, linkIds),
    releasedAt: released_at === null ? null : millis(released_at),
    milestoneIds: milestones.flatMap((milestone) => milestoneIdOf(to, milestone) ?? [])
  })
  const happened = untilChanged<ReleaseEvent>(
    [{ event: created, at: millis(created_at), by }],
    cases.ReleaseChanged.make({ by }),
    millis(updated_at)
  )
  yield* recordPast(releaseCodec, releaseStream({ projectId: to.projectId, tag }), happened)
  to.onRecord()
})

/** Brings the releases with their links; what was evidence elsewhere is not exported. */
export const importReleases = Effect.fn("cli.importReleases")((to: Import, from: ExportFolder) =>
  Stream.runForEach(from.records("releases", Release), (record) => importRelease(to, record))
)
