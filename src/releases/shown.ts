import { Clock, Effect } from "effect"
import { readCommit } from "../git/objects/commit.ts"
import { Repositories } from "../git/Repositories.ts"
import { bracketed, jsonOf, maxOctets } from "../http/answer/longLists.ts"
import type { Listed } from "../http/answer/pagination.ts"
import { page, revalidate } from "../http/answer/Reply.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import type { MayLackDescription } from "../issuables/descriptions.ts"
import { Markdown } from "../markdown/Markdown.ts"
import { can, type ReadableProject } from "../projects/Projects.ts"
import { mayCreateTags } from "../repositories/Code.ts"
import { type Parts, presentRelease, type View } from "./present.ts"
import { type ListedReleaseRow, type ReleasedMilestone, ReleaseQueries, type ReleaseRow } from "./Queries.ts"

/** Tells of releases of a project, by their tags, how the caller sees them. */
export const viewsOf = Effect.fnUntraced(function* (found: ReadableProject, { externalUrl }: RequestInfo) {
  const { principal, project } = found
  const now = yield* Clock.currentTimeMillis
  const mayCreate = can("manage_releases", principal, project) ? yield* mayCreateTags(found) : () => false
  return (tag: string): View => ({
    externalUrl,
    projectPath: project.path_with_namespace,
    now,
    hasCode: can("read_code", principal, project),
    hasMilestones: can("read_milestones", principal, project),
    mayChange: mayCreate(tag)
  })
})

/** Where milestones of releases come from. */
type MilestonesOf = (row: ReleaseRow) => Effect.Effect<ReadonlyArray<ReleasedMilestone>, never, ReleaseQueries>

const readMilestones: MilestonesOf = ({ milestone_ids }) =>
  milestone_ids.length === 0 ? Effect.succeed([]) : ReleaseQueries.use((releases) => releases.milestones(milestone_ids))

interface Wanted {
  readonly withHtml?: boolean | undefined
  readonly milestonesOf?: MilestonesOf
}

/** A release as the caller sees it. */
export const shown = Effect.fnUntraced(function* (
  row: ReleaseRow,
  view: View,
  { milestonesOf = readMilestones, withHtml = false }: Wanted = {}
) {
  const repositories = yield* Repositories
  const isThere = view.hasCode && row.sha !== null && (yield* repositories.exists(row.project_id))
  const parts: Parts = {
    commit: isThere ? yield* Effect.orDie(readCommit(repositories.of(row.project_id), row.sha ?? "")) : undefined,
    html: withHtml ? yield* Markdown.use((markdown) => markdown.render(row.description ?? "")) : undefined,
    milestones: yield* milestonesOf(row)
  }
  return presentRelease(row, parts, view)
})

/** So many milestones of a page are read at once; of more, those of each release when it is shown. */
const maxMilestones = 50

const lengthOf = (milestones: ReadonlyArray<ReleasedMilestone>): number =>
  milestones.reduce((sum, { description }) => sum + (description?.length ?? 0), 0)

/** Milestones of the releases of a page, which mostly share them; `areLong`: to show them all at once would take much memory. */
const milestonesOfPage = Effect.fnUntraced(function* (rows: ReadonlyArray<ReleaseRow>) {
  const ids = [...new Set(rows.flatMap(({ milestone_ids }) => milestone_ids))]
  if (ids.length > maxMilestones) return { of: readMilestones, areLong: true }
  const known: ReadonlyArray<ReleasedMilestone> =
    ids.length === 0 ? [] : yield* ReleaseQueries.use((releases) => releases.milestones(ids))
  const ofRow = ({ milestone_ids }: ReleaseRow) => known.filter(({ id }) => milestone_ids.includes(id))
  const of: MilestonesOf = (row) => Effect.succeed(ofRow(row))
  return { of, areLong: rows.reduce((sum, row) => sum + lengthOf(ofRow(row)), 0) > maxOctets }
})

/** So many releases are shown at the same time. */
const concurrency = 20

/** A page of releases, or of what is told of them in short; one with long texts comes one release after the other. */
export const releasePageOf = Effect.fnUntraced(function* <Row extends MayLackDescription, B extends object, R>(
  { extent, rows }: Listed<Row>,
  show: (row: Row) => Effect.Effect<B, never, R>,
  isLong = false
) {
  if (!isLong && !rows.some((row) => row.text_is_left_out))
    return page(yield* Effect.forEach(rows, show, { concurrency }), extent)
  const run = Effect.runPromiseWith(yield* Effect.context<R | ReleaseQueries>())
  const whole = Effect.fnUntraced(function* (row: Row) {
    const description = row.text_is_left_out
      ? yield* ReleaseQueries.use((releases) => releases.descriptionOf(row.id))
      : row.description
    // It may be gone by now.
    return description === undefined ? undefined : JSON.stringify(yield* show({ ...row, description }))
  })
  const items = async function* () {
    let separator = ""
    for (const row of rows) {
      const text = await run(whole(row))
      if (text === undefined) continue
      yield separator + text
      separator = ","
    }
  }
  return { body: jsonOf<ReadonlyArray<B>>(bracketed(items())), extent, headers: revalidate }
})

/** A page of releases, each as the caller sees it in its project. */
export const releasesPage = Effect.fnUntraced(function* <Row extends ListedReleaseRow>(
  found: Listed<Row>,
  viewOf: (row: Row) => View,
  withHtml = false
) {
  const milestones = yield* milestonesOfPage(found.rows)
  return yield* releasePageOf(
    found,
    (row) => shown(row, viewOf(row), { withHtml, milestonesOf: milestones.of }),
    milestones.areLong
  )
})
