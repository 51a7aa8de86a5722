import { Clock, Effect } from "effect"
import { readCommit } from "../git/objects/commit.ts"
import { Repositories } from "../git/Repositories.ts"
import type { Caller } from "../http/access/Caller.ts"
import { forbidden, notOffered, type WireError } from "../http/answer/errors.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import { Markdown } from "../markdown/Markdown.ts"
import { can, type ReadableProject, requireProject } from "../projects/Projects.ts"
import { mayCreateTags } from "../repositories/Code.ts"
import { type Parts, presentRelease, type View } from "./present.ts"
import { ReleaseQueries, type ReleaseRow } from "./Queries.ts"

export interface ReleaseInput {
  readonly parameters: { readonly id: string | null; readonly tag_name: string | null }
  readonly caller: Caller | undefined
  readonly request: RequestInfo
}

const findRelease = (projectId: number, tag: string | null) =>
  ReleaseQueries.use((releases) => releases.find({ projectId, tag: tag ?? "" }))

/** A release whose code the caller may read, too. */
export const requireRelease = Effect.fnUntraced(function* (input: ReleaseInput) {
  const found = yield* requireProject(input, "read_releases")
  if (!can("read_code", found.principal, found.project)) return yield* forbidden
  const row = yield* findRelease(found.project.id, input.parameters.tag_name)
  return { found, row: row ?? (yield* notOffered) }
})

/** A project of whose tag the caller may make, change and delete the release. `refused`: what is answered where the tag is protected from them. */
export const requireWritable = Effect.fnUntraced(function* (input: ReleaseInput, refused: WireError) {
  const found = yield* requireProject(input, "manage_releases")
  const { caller } = input
  if (caller === undefined) return yield* forbidden
  if (!(yield* mayCreateTags(found))(input.parameters.tag_name ?? "")) return yield* refused
  return { ...found, caller }
})

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

/** What is read for each release that is shown. */
const partsOf = Effect.fnUntraced(function* (row: ReleaseRow, view: View, withHtml: boolean) {
  const repositories = yield* Repositories
  const isThere = view.hasCode && row.sha !== null && (yield* repositories.exists(row.project_id))
  const parts: Parts = {
    commit: isThere ? yield* Effect.orDie(readCommit(repositories.of(row.project_id), row.sha ?? "")) : undefined,
    html: withHtml ? yield* Markdown.use((markdown) => markdown.render(row.description ?? "")) : undefined
  }
  return parts
})

/** So many commits are read at the same time. */
const concurrency = 20

export const shown = Effect.fnUntraced(function* (row: ReleaseRow, view: View, withHtml = false) {
  return presentRelease(row, yield* partsOf(row, view, withHtml), view)
})

export const shownAll = (rows: ReadonlyArray<ReleaseRow>, viewOf: (tag: string) => View, withHtml = false) =>
  Effect.forEach(rows, (row) => shown(row, viewOf(row.tag), withHtml), { concurrency })
