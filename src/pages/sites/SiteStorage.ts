import { rename, rm, rmdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Clock, Context, Effect, Layer, type Scope } from "effect"
import { AppConfig } from "../../config.ts"
import { hasCode, makeFolder } from "../../git/process/makeFolder.ts"
import { staleNames } from "../../git/process/staleNames.ts"
import { syncFolder } from "../../git/process/syncFolder.ts"
import { longestArrival } from "../../http/request/limits.ts"
import { mebibyte } from "../../kernel/units.ts"
import { uuidV7 } from "../../kernel/uuid.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { ArchiveRefused, type SiteWriterOptions } from "./SiteWriter.ts"
import type { Unpacked } from "./unpack.ts"

/** A site whose files are there. */
export interface StoredSite extends Unpacked {
  /** The name of its folder. */
  readonly site: string
}

/** A site by its project and the name of its folder. */
interface Placed {
  readonly projectId: number
  readonly site: string
}

/** The files of sites: a folder for each below that of its project. Failures of the disk are defects. */
export class SiteStorage extends Context.Service<
  SiteStorage,
  {
    readonly folderOf: (projectId: number, site: string) => string
    /** A path for what is removed with the scope. */
    readonly draft: Effect.Effect<string, never, Scope.Scope>
    /**
     * Makes a site of an archive; where that is refused, nothing is left. That it is there is noted until it is `settled`, so that it is found
     * when the process dies before its deployment is told of.
     */
    readonly store: (
      projectId: number,
      archive: string,
      options: Omit<SiteWriterOptions, "folder">
    ) => Effect.Effect<StoredSite, ArchiveRefused>
    /** What is noted of a site is forgotten: its deployment is in the log. */
    readonly settle: (projectId: number, site: string) => Effect.Effect<void>
    /** Sites that are noted for longer than any is on its way. */
    readonly stale: Effect.Effect<ReadonlyArray<Placed>>
    /**
     * Removes the files of a site, what is noted of it, and the folder of its project where that has no other one; nothing happens when there is
     * none.
     */
    readonly remove: (projectId: number, site: string) => Effect.Effect<void>
    /** Removes all sites of a project. */
    readonly removeAll: (projectId: number) => Effect.Effect<void>
    /** Removes what processes that were killed left of sites on their way. */
    readonly removeStaleDrafts: Effect.Effect<void>
  }
>()("chronoforge/pages/SiteStorage") {
  static readonly layer: Layer.Layer<SiteStorage, never, AppConfig> = Layer.effect(
    SiteStorage,
    Effect.map(AppConfig, ({ dataDir, pagesMaxSize }) =>
      make({ sites: join(dataDir, "pages"), drafts: join(dataDir, "tmp"), maxDraftAge: longestArrival(pagesMaxSize * mebibyte) })
    )
  )
}

const removePath = (path: string) => Effect.promise(() => rm(path, { recursive: true, force: true }))

/** Removes a folder that is empty. */
const removeEmpty = (path: string) =>
  Effect.promise(async () => {
    try {
      await rmdir(path)
    } catch (error) {
      if (!hasCode(error, "ENOTEMPTY", "EEXIST", "ENOENT")) throw error
    }
  })

/** A folder is empty for so short a time that nobody removes it so many times in a row. */
const maxAttempts = 100

/** Moves a folder into one that is made where it is missing, and that others may remove as long as it is empty. */
const moveInto = async (parent: string, folder: string, name: string): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    await makeFolder(parent)
    try {
      return await rename(folder, join(parent, name))
    } catch (error) {
      if (!hasCode(error, "ENOENT") || attempt === maxAttempts) throw error
    }
  }
}

const draftPrefix = "site-"
/** Paths in a folder for what is not finished. */
const draftIn = (drafts: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      await makeFolder(drafts)
      return join(drafts, `${draftPrefix}${uuidV7()}`)
    }),
    removePath
  )

/** What is older in a folder than anything on its way, of the names that begin with a text. */
const staleIn = (drafts: string, prefix: string, maxAge: number) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.promise(() => staleNames(drafts, prefix, now - maxAge)))

const notePrefix = "placed-"
/** The name of a site tells when it was placed. */
const noteOf = ({ projectId, site }: Placed): string => `${notePrefix}${site}-${projectId}`

const placedIn = (note: string): ReadonlyArray<Placed> => {
  const [, site, projectId] = /^placed-([0-9a-f-]{36})-(\d+)$/.exec(note) ?? []
  return site === undefined ? [] : [{ site, projectId: Number(projectId) }]
}

/** Unpacks an archive; what it is refused for is the failure of the effect, anything else rejects. */
const unpacking = async (archive: string, options: SiteWriterOptions): Promise<Effect.Effect<Unpacked, ArchiveRefused>> => {
  // What reads archives is loaded with the first one.
  const { unpack } = await import("./unpack.ts")
  try {
    return Effect.succeed(await unpack(archive, options))
  } catch (cause) {
    if (cause instanceof ArchiveRefused) return Effect.fail(cause)
    throw cause
  }
}

interface Places {
  readonly sites: string
  readonly drafts: string
  readonly maxDraftAge: number
}

const make = ({ drafts, maxDraftAge: maxAge, sites }: Places): SiteStorage["Service"] => {
  const folderOfProject = (projectId: number) => join(sites, String(projectId))
  const folderOf = (projectId: number, site: string) => join(folderOfProject(projectId), site)
  const draft = draftIn(drafts)
  const settle = (projectId: number, site: string) => removePath(join(drafts, noteOf({ projectId, site })))

  const store = Effect.fnUntraced(
    function* (projectId: number, archive: string, options: Omit<SiteWriterOptions, "folder">) {
      const folder = yield* draft
      const unpacked = yield* Effect.flatten(Effect.promise(() => unpacking(archive, { ...options, folder })))
      const site = uuidV7()
      yield* Effect.promise(async () => {
        const parent = folderOfProject(projectId)
        await writeFile(join(drafts, noteOf({ projectId, site })), "")
        await syncFolder(drafts)
        await moveInto(parent, folder, site)
        for (const changed of [parent, sites]) await syncFolder(changed)
      })
      return { site, ...unpacked }
    },
    Effect.scoped,
    spanned("SiteStorage.store")
  )

  return {
    folderOf,
    draft,
    store,
    remove: Effect.fnUntraced(function* (projectId, site) {
      yield* removePath(folderOf(projectId, site))
      yield* removeEmpty(folderOfProject(projectId))
      yield* settle(projectId, site)
    }),
    removeAll: (projectId) => removePath(folderOfProject(projectId)),
    settle,
    stale: Effect.map(staleIn(drafts, notePrefix, maxAge), (notes) => notes.flatMap(placedIn)),
    removeStaleDrafts: Effect.flatMap(staleIn(drafts, draftPrefix, maxAge), (names) =>
      Effect.forEach(names, (name) => removePath(join(drafts, name)), { discard: true })
    )
  }
}
