import { join } from "node:path"
import { Clock, Duration, Effect, Exit, Schedule } from "effect"
import { runText } from "../../git/process/run.ts"
import { Repositories } from "../../git/Repositories.ts"
import { refsOf } from "../../git/refs/pushedRefs.ts"
import { defaultBranch } from "../../git/refs/refs.ts"
import { TreeLimits } from "../../git/trees/TreeLimits.ts"
import { handle, load } from "../../platform/Commands.ts"
import { CurrentOrigin, systemOrigin } from "../../platform/Origin.ts"
import { Secrets } from "../../platform/secrets/Secrets.ts"
import { ImportRefused } from "../../projects/ProjectImports.ts"
import { Projects } from "../../projects/Projects.ts"
import { importAggregate } from "../aggregate.ts"
import { importStream } from "../ids.ts"
import { noSpace, remoteFault, tooLarge } from "../remote/fault.ts"
import type { Remote } from "../remote/git.ts"
import { ImportLimits } from "../remote/ImportLimits.ts"
import { pinnedAddresses } from "../remote/pinned.ts"
import type { RemoteUrl } from "../remote/url.ts"
import { fetchAll } from "./fetchAll.ts"
import { install } from "./install.ts"
import { clearStaging, withStaging } from "./staging.ts"

/** What is imported: a repository on a server, or a folder or bundle of this machine, whose default branch may be known. */
export type Source =
  | { readonly _tag: "Server"; readonly remote: RemoteUrl }
  | { readonly _tag: "Folder"; readonly path: string; readonly defaultBranch?: string | undefined }

export type Outcome =
  | { readonly _tag: "Finished"; readonly branches: number; readonly tags: number }
  | { readonly _tag: "Failed"; readonly reason: string }
  /** The project was deleted. */
  | { readonly _tag: "Cancelled" }

/** What becomes the default branch where HEAD of the remote names none. */
const fallbackBranches = ["main", "master"]

/** Two progress events are at least this many milliseconds apart. */
const progressMillis = 5_000

const remoteOf = Effect.fnUntraced(function* (source: Source): Effect.fn.Return<Remote, ImportRefused, ImportLimits> {
  if (source._tag === "Folder") return source
  const { credentials, url } = source.remote
  return { _tag: "Server", url, credentials, pinned: yield* pinnedAddresses(source.remote) }
})

/** How far the import of a project has come is told to whoever watches, and now and then to the log. */
const progressTo = Effect.fnUntraced(function* (projectId: number, onPercent: (percent: number) => void) {
  const run = yield* Effect.context<Effect.Services<ReturnType<typeof recordProgress>>>()
  let last = yield* Clock.currentTimeMillis
  return (percent: number) => {
    onPercent(percent)
    const now = Date.now()
    if (now - last < progressMillis) return
    last = now
    Effect.runForkWith(run)(Effect.ignoreCause(recordProgress(projectId, percent)))
  }
})

const recordProgress = (projectId: number, percent: number) => handle(importAggregate, projectId, { _tag: "Progress", percent })

/** What comes with an import was not pushed by whoever wants it: nobody makes pipelines for that. */
const asService = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(CurrentOrigin, (origin) =>
    Effect.provideService(effect, CurrentOrigin, { ...origin, actor: systemOrigin("import").actor })
  )

const transfer = Effect.fnUntraced(function* (projectId: number, source: Source, onPercent: (percent: number) => void) {
  const [repositories, projects, limits] = [yield* Repositories, yield* Projects, yield* ImportLimits]
  const target = repositories.of(projectId)
  if (!(yield* repositories.exists(projectId))) return yield* new ImportRefused({ message: "The project has no repository" })
  const remote = yield* remoteOf(source)
  const onProgress = yield* progressTo(projectId, onPercent)
  return yield* withStaging(
    target,
    Effect.fnUntraced(function* (staging) {
      const isFolder = source._tag === "Folder"
      const ofFolder = isFolder ? { globalConfig: staging.globalConfig } : {}
      const spare = limits.spare(staging.folder)
      yield* fetchAll(remote, staging, { ...ofFolder, limit: limits.bytes, spare, onPercent: onProgress })
      const format = yield* runText(staging, ["rev-parse", "--show-object-format"])
      // Objects with ids of another kind would make the repository of the project unreadable.
      if (format !== "sha1") return yield* new ImportRefused({ message: `The repository has ids of another kind: ${format}` })
      const tips = Effect.map(refsOf(staging), (refs) => [...new Set(refs.values())])
      yield* TreeLimits.use(({ check }) => check(staging, join(staging.path, "objects"), tips))
      const configured = (yield* projects.find(String(projectId), undefined))?.project.default_branch
      const known = isFolder ? source.defaultBranch : undefined
      const heads = [configured, known, yield* defaultBranch(staging), ...fallbackBranches].filter(
        (branch) => typeof branch === "string"
      )
      return yield* asService(install({ projectId, staging, target, heads }))
    })
  )
})

const formatDuration = (seconds: number): string => (seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`)

/**
 * Brings a repository into a project that has none of its own yet, within the time of an import; what may go wrong is in words for people. Only
 * the process with the lock of the import may do so.
 */
export const bringRepository = Effect.fnUntraced(function* (
  projectId: number,
  source: Source,
  onPercent: (percent: number) => void
) {
  const { seconds } = yield* ImportLimits
  const failed = (reason: string): Outcome => ({ _tag: "Failed", reason })
  return yield* transfer(projectId, source, onPercent).pipe(
    Effect.map((counts): Outcome => ({ _tag: "Finished", ...counts })),
    Effect.timeoutOrElse({
      duration: Duration.seconds(seconds),
      orElse: () => Effect.succeed(failed(`The import took longer than ${formatDuration(seconds)}`))
    }),
    Effect.catchTags({
      ImportRefused: ({ message }) => Effect.succeed(failed(message)),
      RemoteGitFailed: ({ stderr }) => Effect.succeed(failed(remoteFault(stderr))),
      RepositoryTooLarge: ({ limit }) => Effect.succeed(failed(tooLarge(limit))),
      TreesRefused: ({ message }) => Effect.succeed(failed(message)),
      DiskFull: () => Effect.succeed(failed(noSpace)),
      RepositoryNotEmpty: () => Effect.succeed(failed("Something was pushed to the project during the import")),
      GitFailed: (failure) => Effect.die(failure),
      RefMoved: () => Effect.succeed(failed("Something was pushed to the project during the import")),
      RefNameTaken: () => Effect.succeed(failed("The repository has branches or tags that cannot be kept"))
    })
  )
})

/** Whether a project is there, as the read models show it. */
export const projectExists = (projectId: number) =>
  Projects.use((projects) => Effect.map(projects.find(String(projectId), undefined), (found) => found !== undefined))

/** Ends when the project is gone. */
export const projectDeletion = (projectId: number) =>
  Effect.repeat(Effect.delay(projectExists(projectId), "1 second"), { until: (is) => !is, schedule: Schedule.forever }).pipe(
    Effect.as<Outcome>({ _tag: "Cancelled" })
  )

const commandFor = (outcome: Outcome) => {
  switch (outcome._tag) {
    case "Finished":
      return { _tag: "Finish", branches: outcome.branches, tags: outcome.tags } as const
    case "Failed":
      return { _tag: "Fail", reason: outcome.reason } as const
    case "Cancelled":
      return { _tag: "Cancel" } as const
  }
}

/** Notes in the log how an import ended, and forgets what was kept for it. Only the process with its lock may do so. */
export const conclude = Effect.fnUntraced(function* (projectId: number, outcome: Outcome) {
  const handled = yield* handle(importAggregate, projectId, commandFor(outcome)).pipe(
    Effect.catchTag("ImportNotUnderWay", () => Effect.undefined),
    Effect.orDie
  )
  yield* Secrets.use((secrets) => secrets.deleteKey(importStream(projectId)))
  yield* Repositories.use((repositories) => clearStaging(repositories.of(projectId)))
  return handled?.position ?? 0
}, Effect.uninterruptible)

/**
 * Imports what was scheduled for a project, to be called by the one process that holds its lock. An import that was begun before
 * begins anew. It ends when the project is deleted. Interrupting it leaves it to be begun again. Answers how it ended.
 */
export const performImport = Effect.fn("imports.perform")(function* (
  projectId: number,
  source: Source,
  onPercent: (percent: number) => void = () => {}
) {
  const { state } = yield* load(importAggregate, projectId)
  if (state._tag === "Scheduled") yield* Effect.ignore(handle(importAggregate, projectId, { _tag: "Start" }))
  const ended = yield* Effect.exit(Effect.raceFirst(bringRepository(projectId, source, onPercent), projectDeletion(projectId)))
  // When the project is gone, every failure counts as its consequence.
  const hasSucceeded = Exit.isSuccess(ended) && ended.value._tag !== "Failed"
  const outcome: Outcome = hasSucceeded || (yield* projectExists(projectId)) ? yield* ended : { _tag: "Cancelled" }
  return { outcome, position: yield* conclude(projectId, outcome) }
})
