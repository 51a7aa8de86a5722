import { Effect } from "effect"
import type { UserRow } from "../../http/access/Caller.ts"
import { importAggregate } from "../../imports/aggregate.ts"
import { importLocks } from "../../imports/work/locks.ts"
import { conclude, projectDeletion, projectExists } from "../../imports/work/perform.ts"
import { uuidV7 } from "../../kernel/uuid.ts"
import { noteIssuesToClose } from "../../mergeRequests/closing/noteIssuesToClose.ts"
import { changeSettings } from "../../pages/writes.ts"
import { handle } from "../../platform/Commands.ts"
import { passNumber } from "../../platform/Ids.ts"
import { CurrentOrigin, OnAppended } from "../../platform/Origin.ts"
import { projectAggregate } from "../../projects/aggregate.ts"
import { removeProject } from "../../projects/lifecycle/writes.ts"
import { UploadStorage } from "../../uploads/files/UploadStorage.ts"
import { CommandFailed } from "../exit.ts"
import { awaitShown, makeProject, relationsCorrelation } from "../newProject.ts"
import { importCommitNotes, importProtections } from "./code.ts"
import { type ExportFolder, openFolder } from "./files.ts"
import { type Import, type Losses, numberedKinds, type People } from "./Import.ts"
import { importIssues } from "./issues.ts"
import { importMergeRequests } from "./mergeRequests.ts"
import { importPipelines, importSchedules } from "./pipelines.ts"
import { importPlanning } from "./planning.ts"
import { type ExportedProject, readProject } from "./project.ts"
import { type Contents, readAll } from "./readAll.ts"
import { importReleases } from "./releases.ts"
import { importRepositoryOf } from "./repository.ts"
import { importUploads } from "./uploads.ts"

/** An export, all of whose records can be read. */
export interface Export {
  readonly folder: ExportFolder
  readonly contents: Contents
  readonly project: ExportedProject
}

/** Reads all of the export in a folder, so that nothing is begun of what cannot be finished. */
export const readExport = Effect.fn("cli.readExport")(function* (path: string) {
  const folder = yield* openFolder(path)
  const read: Export = { folder, contents: yield* readAll(folder), project: yield* readProject(folder) }
  return read
})

/** An archived project is read-only: that comes last. */
const importRecords = Effect.fnUntraced(function* (to: Import, { folder, project }: Export) {
  yield* importUploads(to, folder)
  yield* importPlanning(to, folder)
  yield* importProtections(to, folder)
  yield* importIssues(to, folder)
  yield* importMergeRequests(to, folder)
  yield* importPipelines(to, folder)
  yield* importSchedules(to, folder)
  yield* importReleases(to, folder)
  yield* importCommitNotes(to, folder)
  const { isArchived, isPagesHttpsOnly } = project
  if (isPagesHttpsOnly !== null) {
    yield* changeSettings({ id: to.projectId, path: to.projectPath }, { httpsOnly: isPagesHttpsOnly })
  }
  if (isArchived) yield* Effect.orDie(handle(projectAggregate, to.projectId, { _tag: "Archive" }))
})

/** What others make meanwhile gets numbers behind those that come. */
const passNumbers = ({ highest, projectId }: Import) =>
  Effect.forEach(numberedKinds, (kind) => passNumber(kind, projectId, highest[kind]), { discard: true })

const deletedMeanwhile = Effect.fail(new CommandFailed({ message: "The project was deleted meanwhile" }))

export interface Destination {
  /** Where the project is to be, such as `group/project`. */
  readonly fullPath: string
  /** The user who imports. */
  readonly user: UserRow
  readonly people: People
  /** What links to the service begin with, which texts may hold. */
  readonly externalUrl: string
  /** Is told which part of all records has come. */
  readonly onProgress?: (fraction: number) => void
}

/** Finds out which issues the open merge requests close, which their reactor does for others. */
const noteIssues = Effect.fnUntraced(function* (
  { mergeRequests, projectId }: Import,
  { externalUrl, user: importer }: Destination
) {
  const open = [...mergeRequests].flatMap(([iid, { isOpen }]) => (isOpen ? [iid] : []))
  const note = (iid: number) => noteIssuesToClose({ projectId, iid }, { externalUrl, importer })
  yield* Effect.forEach(open, note, { concurrency: 4, discard: true })
})

/** What comes of a repository. */
interface Counts {
  readonly branches: number
  readonly tags: number
}

/**
 * Does all that makes up an import into a project. The import is over when that is: where the process dies before, the service ends it, and
 * the project tells why.
 */
const importInto = Effect.fnUntraced(function* <E, R>(projectId: number, bring: Effect.Effect<Counts, E, R>) {
  const locks = yield* importLocks
  if (!(yield* locks.tryTake(projectId))) {
    return yield* new CommandFailed({ message: "Another process is importing into the project" })
  }
  yield* Effect.orDie(handle(importAggregate, projectId, { _tag: "Schedule", source: { url: null, credentials: null } }))
  yield* Effect.orDie(handle(importAggregate, projectId, { _tag: "Start" }))
  const work = Effect.gen(function* () {
    const counts = yield* bring
    // It may have been deleted since it was looked for.
    if (!(yield* projectExists(projectId))) return yield* deletedMeanwhile
    yield* conclude(projectId, { _tag: "Finished", ...counts })
  })
  const deleted = Effect.andThen(projectDeletion(projectId), deletedMeanwhile)
  yield* Effect.raceFirst(work, Effect.raceFirst(deleted, locks.lost))
}, Effect.scoped)

/** What was made of an export. */
export interface Imported {
  readonly projectId: number
  /** The numbers of the merge requests that came without their versions, of whose commits the repository lacks some. */
  readonly withoutCommits: ReadonlyArray<number>
  readonly lost: Losses
  /** All that came has this id in the log, at these positions. */
  readonly correlationId: string
  readonly first: number
  readonly last: number
}

/** Makes a project of an export; whatever keeps that from its end, nothing of it stays. */
export const importProject = Effect.fn("cli.importProject")(
  function* (from: Export, destination: Destination) {
    const { fullPath, onProgress = () => {}, people, user } = destination
    const { counts, highest } = from.contents
    const total = [...counts.values()].reduce((sum, count) => sum + count, 1)
    let [repository, records] = [0, 0]
    let [first, last] = [Number.POSITIVE_INFINITY, 0]
    const correlationId = `${relationsCorrelation}${uuidV7()}`
    const tell = () => onProgress((repository / 100 + records) / total)
    const progress = {
      onPercent: (percent: number) => {
        repository = percent
        tell()
      },
      onRecord: () => {
        records += 1
        tell()
      }
    }
    const work = Effect.gen(function* () {
      const projectId = yield* makeProject(fullPath, user, from.project.settings)
      const lost: Losses = { autoMerges: 0, triggerJobs: 0 }
      const brought = { labels: new Map(), milestones: new Map(), mergeRequests: new Map(), lost, highest: { ...highest } }
      const to: Import = { projectId, projectPath: fullPath, people, ...brought, ...progress }
      const bring = Effect.gen(function* () {
        const counts = yield* importRepositoryOf(projectId, from.folder.repository, to.onPercent)
        yield* importRecords(to, from)
        // Issues are looked for among those that are shown.
        yield* awaitShown(last)
        yield* noteIssues(to, destination)
        return counts
      })
      const imported = Effect.andThen(passNumbers(to), importInto(projectId, bring))
      const remove = Effect.gen(function* () {
        yield* removeProject(projectId)
        // Where somebody else has deleted the project, its files were removed before the last of them came.
        yield* UploadStorage.use((files) => files.removeAll(projectId))
        yield* awaitShown(last)
      })
      yield* Effect.onError(imported, () => Effect.ignoreCause(remove))
      const withoutCommits = [...to.mergeRequests].flatMap(([iid, { lacksCommits }]) => (lacksCommits ? [iid] : []))
      return { projectId, withoutCommits, lost }
    })
    const noting = Effect.provideService(work, OnAppended, (position) => {
      first = Math.min(first, position)
      last = Math.max(last, position)
    })
    const made = yield* Effect.provideService(noting, CurrentOrigin, {
      actor: `user:${user.id}`,
      correlationId
    })
    yield* awaitShown(last)
    const imported: Imported = { ...made, correlationId, first, last }
    return imported
  },
  Effect.catchTag("PastRefused", ({ message }) => new CommandFailed({ message }))
)
