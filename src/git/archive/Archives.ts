import { join } from "node:path"
import type { Readable } from "node:stream"
import { Context, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { AppConfig } from "../../config.ts"
import { gibibyte } from "../../kernel/units.ts"
import type { Company } from "../../platform/work/Company.ts"
import { CurrentWork, inClass, joinCompany, sharedWork } from "../../platform/work/CurrentWork.ts"
import { leaveRequestPlace } from "../../platform/work/RequestPlaces.ts"
import { inPlace } from "../../platform/work/WorkPlaces.ts"
import { requireFullIds } from "../objects/fullIds.ts"
import { spareBytes } from "../process/diskSpace.ts"
import { DiskFull } from "../process/SpoolFile.ts"
import { Spool } from "../process/spool.ts"
import { GitFailed, type Repository } from "../Repository.ts"
import { type ArchiveRequest, writeArchive } from "./writer.ts"

/** Archives of commits, made once for all who ask for the same one at the same time. */
export class Archives extends Context.Service<
  Archives,
  {
    /**
     * The archive as it is being made; it is to be read to its end or destroyed. Fails when `git` refuses, such as for a path that is not
     * there; an archive that breaks off later breaks the stream. Waits while too many are being made.
     */
    readonly open: (repository: Repository, request: ArchiveRequest) => Effect.Effect<Readable, GitFailed>
  }
>()("chronoforge/git/Archives") {
  /** Spools in `DATA_DIR/tmp`. */
  static readonly layer: Layer.Layer<Archives, never, AppConfig> = Layer.effect(
    Archives,
    Effect.gen(function* () {
      const { dataDir } = yield* AppConfig
      return makeArchives({ folder: join(dataDir, "tmp") })
    })
  )
}

export interface ArchivesOptions {
  readonly folder: string
  /** The highest number of bytes of one archive; the default is 64 GiB. */
  readonly limit?: number
  /** The number of bytes that the disk of the folder may still take; the default is `spareBytes`. */
  readonly spare?: () => Promise<number>
}

interface Job {
  readonly started: Deferred.Deferred<Spool, GitFailed>
  readonly fiber: Fiber.Fiber<void>
  readonly company: Company
  callers: number
}

interface PendingArchive extends Pick<Job, "started"> {
  /** Callers from then on get another archive. */
  readonly removeJob: () => void
}

const noSpace = new GitFailed({ command: "archive", status: null, stderr: "", exceeded: "space" })

const always = () => true
/** Answers false for want of space; everything else is a defect. */
const isNotFull = (error: unknown): boolean => {
  if (error instanceof DiskFull) return false
  throw error
}

const keyOf = ({ path }: Repository, { commit, exclude = [], format, path: inside = "", top }: ArchiveRequest) =>
  JSON.stringify([path, commit, format, top, inside, exclude])

export const makeArchives = ({
  folder,
  limit = 64 * gibibyte,
  spare = () => spareBytes(folder)
}: ArchivesOptions): Archives["Service"] => {
  const jobs = new Map<string, Job>()

  const newSpool = Effect.acquireRelease(
    Effect.sync(() => Spool.create(folder, { bytes: limit, spare })),
    (spool) => Effect.promise(() => spool.close())
  )
  const write = Effect.fnUntraced(function* (
    repository: Repository,
    request: ArchiveRequest,
    { removeJob, started }: PendingArchive
  ) {
    const spool = yield* newSpool
    const onStart = () => Deferred.doneUnsafe(started, Exit.succeed(spool))
    const hasSpace = Effect.promise(() => spool.requireSpace(1).then(always, isNotFull))
    const space = Effect.flatMap(hasSpace, (has) => (has ? Effect.void : Effect.fail(noSpace)))
    const written = yield* Effect.exit(Effect.andThen(space, writeArchive(repository, request, spool, onStart)))
    if (Exit.isSuccess(written)) return spool.finish()
    removeJob()
    spool.fail(new Error("The archive broke off"))
    yield* Deferred.failCause(started, written.cause)
  })
  /** Writes the archive, and keeps the spool until it is interrupted. */
  const work = (repository: Repository, request: ArchiveRequest, pending: PendingArchive) =>
    inPlace(repository.path, write(repository, request, pending)).pipe(
      inClass("bulk"),
      Effect.andThen(Effect.never),
      Effect.scoped,
      Effect.catchTag("TooBusy", Effect.die),
      Effect.catchCause((cause) => Effect.asVoid(Deferred.failCause(pending.started, cause)))
    )

  const startJob = Effect.fnUntraced(function* (key: string, repository: Repository, request: ArchiveRequest) {
    const started = yield* Deferred.make<Spool, GitFailed>()
    const removeJob = () => {
      if (jobs.get(key)?.started === started) jobs.delete(key)
    }
    const shared = yield* sharedWork
    const working = Effect.provideService(work(repository, request, { started, removeJob }), CurrentWork, shared)
    const fiber = yield* Effect.forkDetach(Effect.interruptible(working))
    const job: Job = { started, fiber, company: shared.company, callers: 0 }
    jobs.set(key, job)
    return job
  })

  const releaseJob = (key: string, job: Job) => {
    if (--job.callers > 0) return
    if (jobs.get(key) === job) jobs.delete(key)
    Effect.runFork(Fiber.interrupt(job.fiber))
  }

  const open = Effect.fnUntraced(function* (repository: Repository, request: ArchiveRequest) {
    yield* requireFullIds([request.commit])
    const key = keyOf(repository, request)
    const job = jobs.get(key) ?? (yield* startJob(key, repository, request))
    job.callers++
    yield* joinCompany(job.company)
    yield* leaveRequestPlace
    const started = Effect.interruptible(Deferred.await(job.started))
    const spool = yield* Effect.onError(started, () => Effect.sync(() => releaseJob(key, job)))
    return spool.reader(() => releaseJob(key, job))
  }, Effect.uninterruptible)
  return { open }
}
