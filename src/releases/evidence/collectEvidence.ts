import { createHash } from "node:crypto"
import { Clock, Effect } from "effect"
import { isoMillis } from "../../http/answer/jsonTimes.ts"
import { handle } from "../../platform/Commands.ts"
import { EventStore } from "../../platform/eventStore/EventStore.ts"
import { CurrentOrigin, systemOrigin } from "../../platform/Origin.ts"
import { Projections } from "../../platform/Projections.ts"
import { leadReactor } from "../../platform/reactions/ReactorSession.ts"
import { workThrough } from "../../platform/reactions/workThrough.ts"
import { type ProjectRow, Projects } from "../../projects/Projects.ts"
import { releaseAggregate } from "../aggregate.ts"
import { type DueEvidence, type EvidentIssue, type ReleasedMilestone, ReleaseQueries, type ReleaseRow } from "../Queries.ts"

interface Contents {
  readonly row: ReleaseRow
  readonly milestones: ReadonlyArray<ReleasedMilestone>
  readonly project: ProjectRow
  readonly issues: ReadonlyArray<EvidentIssue>
  readonly position: number
}

/** So many links, and so many characters of what it says, are told where it is cut. */
const [cutLinks, cutLength] = [100, 64 * 1024]

/** What a release contains behind a position of the log, as JSON; where it is cut, milestones are told without descriptions and issues. */
const written = ({ issues, milestones, position, project, row }: Contents, isCut: boolean): string =>
  JSON.stringify({
    release: {
      id: row.id,
      tag_name: row.tag,
      name: row.name ?? row.tag,
      description: isCut ? (row.description?.slice(0, cutLength) ?? null) : row.description,
      sha: row.sha,
      created_at: isoMillis(row.created_at),
      released_at: isoMillis(row.released_at),
      project: {
        id: project.id,
        name: project.name,
        description: project.description,
        created_at: isoMillis(project.created_at)
      },
      milestones: milestones.map((milestone) => ({
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
export const collectEvidence = Effect.fn("releases.collectEvidence")(function* ({ id, projectId, tag }: DueEvidence) {
  const key = { projectId, tag }
  const position = yield* EventStore.use((store) => store.head)
  yield* Effect.eventually(Projections.use((projections) => projections.awaitPosition(position)))
  const releases = yield* ReleaseQueries
  const row = yield* releases.find(key)
  const found = yield* Projects.use((projects) => projects.find(String(projectId), undefined))
  if (row?.id !== id || found === undefined) return
  const issues = yield* releases.issuesOf(projectId, row.milestone_ids)
  const milestones = yield* releases.milestones(row.milestone_ids)
  const summary = summaryOf({ row, milestones, project: found.project, issues, position })
  const sha256 = createHash("sha256").update(summary).digest("hex")
  yield* Effect.ignore(handle(releaseAggregate, key, { _tag: "CollectEvidence", id, position, summary, sha256 }))
})

const work = Effect.gen(function* () {
  const { dueEvidences } = yield* ReleaseQueries
  return yield* workThrough({
    due: (query) => Effect.flatMap(Clock.currentTimeMillis, (now) => dueEvidences(now, query)),
    turnOf: ({ by, projectId }) => ({ caller: `user:${by}`, subject: String(projectId) }),
    perform: collectEvidence,
    onFailure: ({ projectId, tag }, _, cause) =>
      Effect.logWarning(`The evidence of release ${tag} of project ${projectId} could not be collected`, cause)
  })
})

/** Records what releases contain when they are released, for ever: in one process at a time. */
export const collectEvidences = Effect.provideService(
  leadReactor("release-evidences", () => work),
  CurrentOrigin,
  systemOrigin("releases")
)
