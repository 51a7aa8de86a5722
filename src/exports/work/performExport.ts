import { Clock, Effect, Result } from "effect"
import type { GitFailed } from "../../git/Repository.ts"
import { handle, load } from "../../platform/Commands.ts"
import { unavailable } from "../../platform/logging/unavailable.ts"
import { Projections } from "../../platform/Projections.ts"
import { Projects } from "../../projects/Projects.ts"
import { type Command, type Export, ExportOver, exportAggregate, nextPiece, type Piece } from "../aggregate.ts"
import { ExportRecords } from "../ExportRecords.ts"
import { ExportStorage } from "../files/ExportStorage.ts"
import type { ExportKey } from "../ids.ts"
import { noSpace, Unwritable } from "./Unwritable.ts"
import { writeFile } from "./writeFile.ts"

type WithoutTime<C> = C extends { readonly now: number } ? Omit<C, "now" | "number"> : never
type Told = WithoutTime<Exclude<Command, { readonly _tag: "Request" }>>

/** Tells the log about an export, and answers how it stands then. */
const tell = Effect.fnUntraced(function* ({ number, projectId }: ExportKey, told: Told) {
  const now = yield* Clock.currentTimeMillis
  const { state } = yield* handle(exportAggregate, projectId, { ...told, number, now })
  return state
})

/** Records are taken when read models show what happened before the request, and told only then, so that nobody goes on without them. */
const take = Effect.fnUntraced(function* (of: ExportKey, requestedAt: number) {
  yield* Effect.eventually(Projections.use((projections) => projections.awaitPosition(requestedAt)))
  const spare = yield* Effect.promise((yield* ExportStorage).spare)
  const taken = yield* ExportRecords.use((records) => records.take(of, spare))
  return yield* tell(of, taken === undefined ? { _tag: "FailAll", error: noSpace } : { _tag: "Take", ...taken })
})

/** Why a file is not there, in words for people. What is a defect of the service is tried again. */
const reasonOf = (failure: Unwritable | GitFailed): string | undefined => {
  if (failure._tag === "Unwritable") return failure.reason
  // It was ended by somebody, or not started.
  if (failure.status === null && failure.exceeded === undefined) return undefined
  const reason = failure[unavailable]
  return reason === undefined ? "The repository cannot be read" : `The repository cannot be packed: ${reason}`
}

const finish = (of: ExportKey, { batch, relation }: Piece, file: { readonly sha256: string; readonly bytes: number }) =>
  tell(of, batch === undefined ? { _tag: "FinishRelation", relation, file } : { _tag: "FinishBatch", relation, batch, file })

const fail = (of: ExportKey, { batch, relation }: Piece, error: string) =>
  tell(of, batch === undefined ? { _tag: "FailRelation", relation, error } : { _tag: "FailBatch", relation, batch, error })

/** How an export stands, where another worker has done this piece meanwhile, and removed what it was made of. */
const doneByAnother = Effect.fnUntraced(function* ({ number, projectId }: ExportKey, { batch, relation }: Piece) {
  const { state } = yield* load(exportAggregate, projectId)
  if (state?.number !== number) return yield* new ExportOver()
  const next = nextPiece(state)
  return next?.relation === relation && next.batch === batch ? undefined : state
})

/** So often it is looked whether anybody wants a file that takes long. */
const watchInterval = "5 seconds"

const hasProject = (projectId: number) =>
  Projects.use((projects) => Effect.map(projects.find(String(projectId), undefined), (found) => found !== undefined))

/** Fails when another export has taken the place of this one, or its project is gone. */
const requireWanted = Effect.fnUntraced(function* ({ number, projectId }: ExportKey) {
  const { state } = yield* load(exportAggregate, projectId)
  if (state?.number !== number || !(yield* hasProject(projectId))) return yield* new ExportOver()
})

const write = Effect.fnUntraced(function* (of: ExportKey, piece: Piece) {
  const watch = Effect.forever(Effect.delay(requireWanted(of), watchInterval))
  const written = yield* Effect.raceFirst(Effect.result(writeFile(of, piece)), watch)
  if (Result.isSuccess(written)) return yield* finish(of, piece, written.success)
  const reason = reasonOf(written.failure)
  if (reason === undefined) return (yield* doneByAnother(of, piece)) ?? (yield* Effect.die(written.failure))
  yield* Effect.logWarning(`The export of project ${of.projectId} failed at ${piece.relation}: ${reason}`)
  return yield* fail(of, piece, reason)
})

/** Makes the folder for the files; what keeps it from being made is what each file has to say. Answers whether there are any to write. */
const begin = Effect.fnUntraced(function* (of: ExportKey) {
  const storage = yield* ExportStorage
  const making = Effect.tryPromise({ try: () => storage.begin(of), catch: (cause) => new Unwritable({ cause }) })
  const begun = yield* Effect.result(making)
  const reason = Result.isFailure(begun) ? begun.failure.reason : undefined
  if (reason === undefined) return true
  yield* Effect.logWarning(`The export of project ${of.projectId} failed: ${reason}`)
  yield* tell(of, { _tag: "FailAll", error: reason })
  return false
})

/** Writes all files that are not there yet. */
const writeAll = Effect.fnUntraced(function* (of: ExportKey, taken: Export) {
  if (!(yield* begin(of))) return
  let current = taken
  for (let piece = nextPiece(current); piece !== undefined; piece = nextPiece(current)) {
    const after = yield* write(of, piece)
    if (after === undefined) return
    current = after
  }
})

/**
 * Goes on with the export of a project until it is over, or another one takes its place; two processes may do so at once, of which the one that is
 * faster writes the next file.
 */
export const performExport = Effect.fn("exports.perform")(function* (projectId: number) {
  const { position, state } = yield* load(exportAggregate, projectId)
  if (state === undefined) return
  const of = { projectId, number: state.number }
  const working = Effect.gen(function* () {
    if (state.finishedAt !== null) return
    const taken = state.position === null ? yield* take(of, position) : state
    if (taken?.finishedAt === null) yield* writeAll(of, taken)
  })
  yield* Effect.catchTag(working, "ExportOver", () => Effect.void)
  yield* ExportRecords.use((records) => records.forget(of))
  // The project may have been deleted meanwhile.
  if (!(yield* hasProject(projectId))) yield* ExportStorage.use((storage) => storage.removeAll(projectId))
})

/** Nothing of an export stays under way when the service fails at it again and again. */
export const giveUpExport = Effect.fnUntraced(function* (of: ExportKey) {
  yield* Effect.ignore(tell(of, { _tag: "FailAll", error: "The service failed to export it" }))
  yield* ExportRecords.use((records) => records.forget(of))
})
