import { randomUUID } from "node:crypto"
import { readdir, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { Context, Effect, Layer, type Scope } from "effect"
import { AppConfig } from "../../config.ts"
import { spareBytes } from "../../git/process/diskSpace.ts"
import { makeFolder } from "../../git/process/makeFolder.ts"
import { syncFolder } from "../../git/process/syncFolder.ts"
import type { ExportedFile } from "../events.ts"
import type { ExportKey } from "../ids.ts"
import { DraftFile } from "./DraftFile.ts"

/**
 * The files of exports, in a folder for each below that of its project. A file is called by its digest, so that it is the one that the log
 * tells of, whoever wrote others. Failures of the disk reject.
 */
export class ExportStorage extends Context.Service<
  ExportStorage,
  {
    /** The number of bytes that the disk may still take. */
    readonly spare: () => Promise<number>
    /** Makes the folder of an export, or removes from it what was left long ago. */
    readonly begin: (of: ExportKey) => Promise<void>
    /** A path in the folder for a file on its way, which is removed with the scope. */
    readonly draft: (of: ExportKey) => Effect.Effect<string, never, Scope.Scope>
    readonly open: (draft: string) => DraftFile
    /** Gives a whole draft its name. */
    readonly keep: (of: ExportKey, draft: string, file: ExportedFile) => Promise<void>
    readonly pathOf: (of: ExportKey, sha256: string) => string
    /** Removes the exports of a project up to a number. */
    readonly removeUpTo: (of: ExportKey) => Effect.Effect<void>
    readonly removeAll: (projectId: number) => Effect.Effect<void>
  }
>()("chronoforge/exports/ExportStorage") {
  static readonly layer: Layer.Layer<ExportStorage, never, AppConfig> = Layer.effect(
    ExportStorage,
    Effect.map(AppConfig, ({ dataDir }) => makeExportStorage(join(dataDir, "exports"), () => spareBytes(dataDir)))
  )
}

const removePath = (path: string) => Effect.promise(() => rm(path, { recursive: true, force: true }))

const draftPrefix = "draft-"
/** Nothing is written into a draft at work for so many milliseconds at most: `git` counts objects meanwhile. */
const maxSilence = 4 * 3_600_000

/** Removes what processes that were killed have left. */
const removeStaleDrafts = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(draftPrefix)) continue
    const path = join(folder, name)
    const written = await stat(path).catch(() => undefined)
    if (written !== undefined && written.mtimeMs < Date.now() - maxSilence) await rm(path, { force: true })
  }
}

export const makeExportStorage = (folder: string, spare: () => Promise<number>): ExportStorage["Service"] => {
  const folderOfProject = (projectId: number) => join(folder, String(projectId))
  const folderOf = ({ number, projectId }: ExportKey) => join(folderOfProject(projectId), String(number))
  const pathOf = (of: ExportKey, sha256: string) => join(folderOf(of), sha256)
  return {
    spare,
    begin: async (of) => {
      await makeFolder(folderOf(of))
      await removeStaleDrafts(folderOf(of))
      for (const changed of [folderOfProject(of.projectId), folder]) await syncFolder(changed)
    },
    draft: (of) =>
      Effect.acquireRelease(
        Effect.sync(() => join(folderOf(of), `${draftPrefix}${randomUUID()}`)),
        // Where the folder itself is gone, so is the draft.
        (draft) => Effect.promise(() => rm(draft, { force: true }).catch(() => {}))
      ),
    open: (draft) => new DraftFile(draft, spare),
    keep: async (of, draft, { sha256 }) => {
      await rename(draft, pathOf(of, sha256))
      await syncFolder(folderOf(of))
    },
    pathOf,
    removeUpTo: Effect.fnUntraced(function* ({ number, projectId }) {
      const names = yield* Effect.promise(() => readdir(folderOfProject(projectId)).catch(() => []))
      const past = names.filter((name) => Number(name) <= number)
      yield* Effect.forEach(past, (name) => removePath(folderOf({ projectId, number: Number(name) })), { discard: true })
    }),
    removeAll: (projectId) => removePath(folderOfProject(projectId))
  }
}
