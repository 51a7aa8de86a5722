import { Effect } from "effect"
import { logIds } from "../../git/history/log.ts"
import { readAbridged } from "../../git/objects/commit.ts"
import type { Repository } from "../../git/Repository.ts"
import { branchRef } from "../../git/refs/refNames.ts"
import { defined } from "../../kernel/defined.ts"
import { pushOptionsOf } from "../../pipelines/Pipelines.ts"
import { nextId } from "../../platform/Ids.ts"
import { findMove } from "../../pushes/Pushes.ts"
import type { AddVersion } from "../decisions/commands.ts"
import type { MergeRequest } from "../decisions/state.ts"
import type { PushedCommits, Version } from "../events.ts"

/** A title has at most this many characters in what is told of a push, each of at most two units of the text. */
const maxTitle = 255
/** So many commits of a push are told by their titles, and so many are counted. */
const [maxTitles, maxCounted] = [100, 10_000]

const titleOf = (message: string): string => [...(message.split("\n")[0] ?? "")].slice(0, maxTitle).join("")

/** The commits that came with a new head, but for those of the target branch: of none nothing is told. */
const pushedBetween = Effect.fnUntraced(function* (repository: Repository, before: string, { headSha, startSha }: Version) {
  const ids = yield* logIds(repository, { from: [headSha], without: [before, startSha], limit: maxCounted, reverse: true })
  if (ids.length === 0) return undefined
  const commits = yield* readAbridged(repository, ids.slice(0, maxTitles), 2 * maxTitle)
  const first = commits.map(({ id: sha, message }) => ({ sha, title: titleOf(message) }))
  const pushed: PushedCommits = { count: ids.length, first }
  return pushed
}, Effect.orDie)

const nothing: Pick<AddVersion, "by" | "pipelineId" | "pushed"> = {}

/** Who pushed the head of a new version, as far as that is known, with which commits, and the id of its pipeline: only what is new to be merged gets one. */
export const arrivalOf = Effect.fnUntraced(function* (
  repository: Repository,
  { source, version: before }: MergeRequest,
  version: Version
) {
  const isPushed = before !== undefined && before.headSha !== version.headSha
  const isNew = isPushed || before?.targetBranch !== version.targetBranch
  if (!isNew) return nothing
  const isHead = ({ after }: { readonly after: string | null }) => Effect.succeed(after === version.headSha)
  const push = isPushed ? yield* findMove(source.projectId, branchRef(source.branch), isHead) : undefined
  const isSkipped = push !== undefined && pushOptionsOf(push.options).skips
  const pushed = isPushed ? yield* pushedBetween(repository, before.headSha, version) : undefined
  return { ...defined({ by: push?.by, pushed }), ...(isSkipped ? nothing : { pipelineId: yield* nextId("pipeline") }) }
})
