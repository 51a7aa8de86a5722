import { createHash } from "node:crypto"
import { Cause, Clock, Effect, Schedule } from "effect"
import { isoMillis } from "../../http/answer/jsonTimes.ts"
import { handle } from "../../platform/Commands.ts"
import { EventStore } from "../../platform/eventStore/EventStore.ts"
import { CurrentOrigin, systemOrigin } from "../../platform/Origin.ts"
import { Projections } from "../../platform/Projections.ts"
import { leadReactor } from "../../platform/reactions/ReactorSession.ts"
import { type ProjectRow, Projects } from "../../projects/Projects.ts"
import { releaseAggregate } from "../aggregate.ts"
import { type DueEvidence, type EvidentIssue, ReleaseQueries, type ReleaseRow } from "../Queries.ts"

interface Contents {
  readonly row: ReleaseRow
  readonly project: ProjectRow
  readonly issues: ReadonlyArray<EvidentIssue>
  readonly position: number
}

/** So many links are told where it is cut. */
const cutLinks = 100

/** What a release contains behind a position of the log, as JSON; where it is cut, milestones are told without descriptions and issues. */
const written = ({ issues, position, project, row }: Contents, isCut: boolean): string =>
  JSON.stringify({
    release: {
      id: row.id,
      tag_name: row.tag,
      name: row.name ?? row.tag,
      description: row.description,
      sha: row.sha,
      created_at: isoMillis(row.created_at),
      released_at: isoMillis(row.released_at),
      project: {
        id: project.id,
        name: project.name,
        description: project.description,
        created_at: isoMillis(project.created_at)
      },
      milestones: row.milestones.map((milestone) => ({
        id: milestone.id,
        iid: milestone.iid,
        title: milestone.title,
        description: isCut ? null : milestone.description,
        state: milestone.state,
        created_at: isoMillis(milestone.created_at),
        due_date: milestone.due_date,
        issues: isCut ? [] : issues.flatMap(({ milestone_id, ...issue }) => (milestone_id === milestone.id ? [issue] : []))
      })),
      links: (isCut ? row.links.slice(0, cutLinks) : row.links).map(({ name, type, url }) => ({ name, url, link_type: type })),
      is_cut: isCut,
      log_position: position
    }
  })

/** A longer text, in characters, would be a burden of the log and of who reads it. */
const maxLength = 256 * 1024

const summaryOf = (contents: Contents): string => {
  const whole = written(contents, false)
  return whole.length > maxLength ? written(contents, true) : whole
}

/** Records what a release contains as read models show it behind what the log has now; nothing happens when it is gone, or has a record. */
export const collectEvidence = Effect.fn("releases.collectEvidence")(function* ({ id, ...key }: DueEvidence) {
  const position = yield* EventStore.use((store) => store.head)
  yield* Effect.eventually(Projections.use((projections) => projections.awaitPosition(position)))
  const releases = yield* ReleaseQueries
  const row = yield* releases.find(key)
  const found = yield* Projects.use((projects) => projects.find(String(key.projectId), undefined))
  if (row?.id !== id || found === undefined) return
  const issues = yield* releases.issuesOf(
    key.projectId,
    row.milestones.map((milestone) => milestone.id)
  )
  const summary = summaryOf({ row, project: found.project, issues, position })
  const sha256 = createHash("sha256").update(summary).digest("hex")
  yield* Effect.ignore(handle(releaseAggregate, key, { _tag: "CollectEvidence", id, position, summary, sha256 }))
})

/** So many are looked for at a time. */
const batch = 100

/** One that fails keeps no other waiting, and is tried again. */
const collectOrWarn = (due: DueEvidence) =>
  Effect.catchCauseIf(
    collectEvidence(due),
    (cause) => !Cause.hasInterruptsOnly(cause),
    (cause) => Effect.logWarning(`The evidence of release ${due.id} could not be collected`, cause)
  )

const collectDue = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  const due = yield* ReleaseQueries.use((releases) => releases.dueEvidences(now, batch))
  yield* Effect.forEach(due, collectOrWarn, { discard: true })
})

/** Records what releases contain when they are released, for ever: in one process at a time. */
export const collectEvidences = Effect.provideService(
  leadReactor("release-evidences", () => Effect.repeat(collectDue, Schedule.spaced("1 second"))),
  CurrentOrigin,
  systemOrigin("releases")
)
