import { Effect } from "effect"
import { refsContaining } from "../../git/refs/refs.ts"
import {
  badRequest,
  forbidden,
  invalidParameters,
  invalidRecord,
  notFound,
  thingNotFound,
  type WireError
} from "../../http/answer/errors.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { ok, page } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { guardedRoute, type Input, lateGuardedRoute } from "../../http/Endpoint.ts"
import type { Decoded } from "../../http/parameters/parameters.ts"
import { defined } from "../../kernel/defined.ts"
import { changesFound } from "../../platform/repeats.ts"
import { can, type ReadableProject } from "../../projects/Projects.ts"
import { branchCommit, type OpenRepository, openRepository, requireCommit, tagTarget } from "../../repositories/Code.ts"
import { pipelineAggregate } from "../aggregate.ts"
import type { Refusal } from "../commands.ts"
import { fullyNamed, requireRefRights } from "../creation/refs.ts"
import type { PipelineEvent } from "../events.ts"
import { presentStatus } from "../present.ts"
import { PipelineQueries, type StatusFilter } from "../Queries.ts"
import { inProject, tooManyJobs } from "../requirePipeline.ts"
import { moveTo } from "../status.ts"
import { postStatus, reserveExternal } from "../writes.ts"
import { listCommitStatuses, postCommitStatus } from "./contract.ts"
import { faultsOf } from "./faults.ts"

const filterOf = (
  projectId: number,
  sha: string,
  parameters: Decoded<(typeof listCommitStatuses)["parameters"]>
): StatusFilter => ({
  projectId,
  sha,
  ...defined({
    ref: parameters.ref ?? undefined,
    stage: parameters.stage ?? undefined,
    name: parameters.name ?? undefined,
    pipelineId: parameters.pipeline_id ?? undefined
  }),
  withReplaced: parameters.all,
  order: { by: parameters.order_by, descending: parameters.sort === "desc" }
})

const list = guardedRoute(
  listCommitStatuses,
  openRepository,
  Effect.fnUntraced(function* ({ guarded, parameters, request: { externalUrl } }) {
    if (!can("read_commit_statuses", guarded.principal, guarded.project)) return yield* forbidden
    const { id: sha } = yield* requireCommit(guarded, parameters.sha)
    const filter = filterOf(guarded.project.id, sha, parameters)
    const { rows, extent } = yield* PipelineQueries.use((pipelines) => pipelines.statuses(filter, pageOf(parameters)))
    return page(
      rows.map((row) => presentStatus(row, externalUrl)),
      extent
    )
  })
)

const openForWriting = Effect.fnUntraced(function* (input: Input<(typeof postCommitStatus)["parameters"], "user">) {
  const { caller, parameters, request } = input
  yield* inProject("create_commit_status")(input)
  return yield* openRepository({ path: { id: parameters.id ?? undefined }, caller, request })
})

type PostParameters = Decoded<(typeof postCommitStatus)["parameters"]>

const noPipeline = thingNotFound("Pipeline for pipeline_id, sha and ref")
const noReference = thingNotFound("References for commit")

/** The branch or tag that a status is said to be for, by its short name; `isTag` is known where the whole name was sent. */
interface SentRef {
  readonly ref?: string
  readonly isTag?: boolean
}

/**
 * Protections know short names, so what is judged and kept is one. What then still reads as a full name is no ref here: it would be
 * shown as the branch that it imitates.
 */
const sentRef = ({ ref }: PostParameters): Effect.Effect<SentRef, WireError> => {
  if (!ref) return Effect.succeed({})
  const target = fullyNamed(ref)
  if (target === undefined) return Effect.succeed({ ref })
  const { isTag, name } = target
  return fullyNamed(name) === undefined ? Effect.succeed({ ref: name, isTag }) : Effect.fail(noReference)
}

/** The pipeline of the commit that a status belongs to, if it is there. */
const pipelineOf = Effect.fnUntraced(function* (
  { project }: ReadableProject,
  { sha, sent }: { readonly sha: string; readonly sent: SentRef },
  id: number | null | undefined
) {
  const queries = yield* PipelineQueries
  if (typeof id !== "number") return yield* queries.newest(project.id, { sha, ...sent })
  const found = yield* queries.find(project.id, id)
  const { isTag = found?.is_tag, ref = found?.ref } = sent
  return found?.sha === sha && found.ref === ref && found.is_tag === isTag ? found : yield* noPipeline
})

/** The first branch that has the commit. */
const branchWith = ({ repository }: OpenRepository, sha: string) =>
  Effect.map(refsContaining(repository, sha, "branch"), ([name]) => name)

/** Whether this is a tag, and no branch. */
const isTagAlone = Effect.fnUntraced(function* ({ repository }: OpenRepository, name: string) {
  return (yield* branchCommit(repository, name)) === undefined && (yield* tagTarget(repository, name)) !== undefined
})

/** The branch or tag that a status is for, where there is no pipeline of it. */
const newRef = Effect.fnUntraced(function* (open: OpenRepository, sha: string, sent: SentRef) {
  const ref = sent.ref ?? (yield* Effect.orDie(branchWith(open, sha))) ?? (yield* noReference)
  return { ref, is_tag: sent.isTag ?? (yield* isTagAlone(open, ref)) }
})

const nameIsTaken = invalidRecord({ name: ["has already been taken"] })

const refused = (refusal: Refusal) => {
  if (refusal._tag === "PipelineMissing") return Effect.fail(notFound)
  if (refusal._tag === "JobNameTaken") return Effect.fail(nameIsTaken)
  if (refusal._tag === "TooManyJobs") return Effect.fail(tooManyJobs(refusal))
  if (refusal._tag !== "StatusCannotMove") return Effect.die(refusal)
  const [name, from] = [moveTo(refusal.to), refusal.from]
  const reason = `Status cannot transition via "${name}"`
  return Effect.fail(badRequest(`Cannot transition status via :${name} from :${from} (Reason(s): ${reason})`))
}

/** The status that these events are about. */
const statusIn = (events: ReadonlyArray<PipelineEvent>): number | undefined =>
  events.flatMap((event) => (event._tag === "StatusPosted" || event._tag === "StatusChanged" ? [event.id] : [])).at(0)

const post = lateGuardedRoute(
  postCommitStatus,
  openForWriting,
  Effect.fnUntraced(function* ({ caller, guarded, parameters, request: { externalUrl } }) {
    const state = parameters.state ?? (yield* invalidParameters(["state does not have a valid value"]))
    const { id: sha } = yield* requireCommit(guarded, parameters.sha)
    const found = Effect.gen(function* () {
      const sent = yield* sentRef(parameters)
      const present = yield* pipelineOf(guarded, { sha, sent }, parameters.pipeline_id)
      const { is_tag: isTag, ref } = present ?? (yield* newRef(guarded, sha, sent))
      yield* requireRefRights(guarded, { ref, is_tag: isTag })
      const name = parameters.name ?? parameters.context ?? "default"
      const faults = faultsOf({ ...parameters, name })
      if (faults !== undefined) return yield* invalidRecord(faults)
      const external = { projectId: guarded.project.id, sha, ref, isTag, createdBy: caller.user.id }
      return { id: present?.id ?? (yield* reserveExternal(external)), external, ref, name }
    })
    const details = defined({
      targetUrl: parameters.target_url ?? undefined,
      description: parameters.description ?? undefined,
      coverage: parameters.coverage ?? undefined
    })
    const written = changesFound(pipelineAggregate, found, ({ external, id, name, ref }) => {
      const status = { name, ref, postedBy: caller.user.id, status: state, details }
      return Effect.catch(postStatus(id, status, external), refused)
    })
    const handled = yield* written
    yield* awaitReadModels(handled)
    const id = statusIn(handled.events)
    const row = id === undefined ? undefined : yield* PipelineQueries.use((pipelines) => pipelines.findStatus(id))
    return row === undefined ? yield* notFound : ok(presentStatus(row, externalUrl))
  })
)

export const statusRoutes = [list, post]
