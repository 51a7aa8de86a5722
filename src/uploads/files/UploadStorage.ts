import { rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { Context, Effect, Exit, Layer, type Scope } from "effect"
import { AppConfig } from "../../config.ts"
import { type Digested, DigestedFile } from "../../git/process/DigestedFile.ts"
import { spareBytes } from "../../git/process/diskSpace.ts"
import { makeFolder } from "../../git/process/makeFolder.ts"
import { staleNames } from "../../git/process/staleNames.ts"
import { syncFolder } from "../../git/process/syncFolder.ts"
import { longestArrival } from "../../http/request/limits.ts"
import { mebibyte } from "../../kernel/units.ts"
import { uuidV7 } from "../../kernel/uuid.ts"
import type { Place } from "../aggregate.ts"
import { secretPattern } from "../names.ts"

/** The folder of an upload, and the upload that the log is about to tell of. */
export interface Owner extends Pick<Place, "projectId" | "secret"> {
  readonly id: number
}

/** A file on its way. */
export interface Draft {
  /** Only one may append at a time. Rejects with `DiskFull` rather than to take the last space of the disk. */
  readonly append: (piece: Uint8Array) => Promise<void>
  /**
   * Gives the file its place, on the disk. From then on a mark stands for it until the scope is over without failure: where that does not come,
   * `stale` tells of it, for nobody knows then whether the log has it.
   */
  readonly keep: (owner: Owner, name: string) => Effect.Effect<Digested>
}

/** What was left of an upload that did not come to its end. */
export interface Stale {
  /** That of its draft or mark. */
  readonly name: string
  /** Whose file may be in its place; undefined where it never came there. */
  readonly owner: Owner | undefined
}

/** Files that were uploaded, each in a folder of its own below that of its project. Failures of the disk are defects. */
export class UploadStorage extends Context.Service<
  UploadStorage,
  {
    /** The number of bytes that the disk may still take. */
    readonly spare: () => Promise<number>
    readonly draft: Effect.Effect<Draft, never, Scope.Scope>
    readonly pathOf: (place: Place) => string
    /** Nothing happens when there is none. */
    readonly remove: (folder: Pick<Place, "projectId" | "secret">) => Effect.Effect<void>
    /** Removes all files of a project. */
    readonly removeAll: (projectId: number) => Effect.Effect<void>
    /** What processes that were killed have left: older at a time than anything that is on its way then. */
    readonly stale: (nowMillis: number) => Effect.Effect<ReadonlyArray<Stale>>
    readonly forget: (stale: Stale) => Effect.Effect<void>
  }
>()("chronoforge/uploads/UploadStorage") {
  static readonly layer: Layer.Layer<UploadStorage, never, AppConfig> = Layer.effect(
    UploadStorage,
    Effect.map(AppConfig, ({ dataDir, maxAttachmentSize }) =>
      make({
        files: join(dataDir, "uploads"),
        drafts: join(dataDir, "tmp"),
        maxDraftAge: longestArrival(maxAttachmentSize * mebibyte),
        spare: () => spareBytes(dataDir)
      })
    )
  )
}

const removePath = (path: string) => Effect.promise(() => rm(path, { recursive: true, force: true }))

const draftPrefix = "upload-"
/** The names of drafts begin with the time, those of marks end with whose they are. */
const markName = new RegExp(`^upload-[0-9a-f-]{36}\\.(\\d+)\\.(\\d+)\\.(${secretPattern})$`)

const ownerIn = (name: string): Owner | undefined => {
  const [, projectId, id, secret] = markName.exec(name) ?? []
  return secret === undefined ? undefined : { projectId: Number(projectId), id: Number(id), secret }
}

interface Places {
  readonly files: string
  readonly drafts: string
  readonly maxDraftAge: number
  readonly spare: () => Promise<number>
}

/** Moves a whole file to its place. The mark is on the disk before, and the file and its folders after. */
const place = async ({ drafts, files }: Places, draft: string, { id, projectId, secret }: Owner, name: string) => {
  const [mark, project] = [`${draft}.${projectId}.${id}.${secret}`, join(files, String(projectId))]
  const folder = join(project, secret)
  await rename(join(drafts, draft), join(drafts, mark))
  await syncFolder(drafts)
  await makeFolder(folder)
  await rename(join(drafts, mark, "content"), join(folder, name))
  for (const changed of [folder, project, files]) await syncFolder(changed)
  return mark
}

/** A draft with the name of what stands for it now; undefined once nobody knows whether the log tells of it. */
const openDraft = async (places: Places) => {
  const name = `${draftPrefix}${uuidV7()}`
  await makeFolder(join(places.drafts, name))
  const file = await DigestedFile.create(join(places.drafts, name, "content"), places.spare)
  const state = { file, name, isKept: false }
  const draft: Draft = {
    append: (piece) => file.append(piece),
    keep: (owner, as) =>
      Effect.promise(async () => {
        await file.sync()
        state.isKept = true
        state.name = await place(places, name, owner, as)
        return file.written
      })
  }
  return { draft, state }
}

const make = (places: Places): UploadStorage["Service"] => {
  const { drafts, files, maxDraftAge, spare } = places
  const folderOf = ({ projectId, secret }: Pick<Place, "projectId" | "secret">) => join(files, String(projectId), secret)
  const draft = Effect.acquireRelease(
    Effect.promise(() => openDraft(places)),
    ({ state }, exit) =>
      Effect.promise(async () => {
        await state.file.close()
        if (Exit.isSuccess(exit) || !state.isKept) await rm(join(drafts, state.name), { recursive: true, force: true })
      })
  )
  return {
    spare,
    draft: Effect.map(draft, (opened) => opened.draft),
    pathOf: (of) => join(folderOf(of), of.name),
    remove: (of) => removePath(folderOf(of)),
    removeAll: (projectId) => removePath(join(files, String(projectId))),
    stale: (nowMillis) =>
      Effect.promise(async () => {
        const old = await staleNames(drafts, draftPrefix, nowMillis - maxDraftAge)
        return old.map((name) => ({ name, owner: ownerIn(name) }))
      }),
    forget: ({ name }) => removePath(join(drafts, name))
  }
}
