import { mkdir, readdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { Clock, Context, Effect, Layer, type Scope } from "effect"
import { AppConfig } from "../../config.ts"
import { syncFolder } from "../../git/process/syncFolder.ts"
import { leastBodyRate } from "../../http/request/limits.ts"
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

/** The files of sites: a folder for each below that of its project. Failures of the disk are defects. */
export class SiteStorage extends Context.Service<
  SiteStorage,
  {
    readonly folderOf: (projectId: number, site: string) => string
    /** A path for what is removed with the scope. */
    readonly draft: Effect.Effect<string, never, Scope.Scope>
    /** Makes a site of an archive; where that is refused, nothing is left. */
    readonly store: (
      projectId: number,
      archive: string,
      options: Omit<SiteWriterOptions, "folder">
    ) => Effect.Effect<StoredSite, ArchiveRefused>
    /** Nothing happens when there is none. */
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
      make({ sites: join(dataDir, "pages"), drafts: join(dataDir, "tmp"), maxDraftAge: maxDraftAge(pagesMaxSize * mebibyte) })
    )
  )
}

const removePath = (path: string) => Effect.promise(() => rm(path, { recursive: true, force: true }))

const draftPrefix = "site-"
/** What is unpacked takes less than so many milliseconds. */
const day = 86_400_000
/** For so many milliseconds at most a site of the largest size is on its way. */
const maxDraftAge = (maxBytes: number): number => day + (maxBytes * 1000) / leastBodyRate.bytesPerSecond

/** Paths in a folder for what is not finished. */
const draftIn = (drafts: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      await mkdir(drafts, { recursive: true })
      return join(drafts, `${draftPrefix}${uuidV7()}`)
    }),
    removePath
  )

/** Removes from a folder what is older than anything on its way. */
const removeStale = (drafts: string, maxAge: number) =>
  Effect.gen(function* () {
    const oldest = `${draftPrefix}${uuidV7((yield* Clock.currentTimeMillis) - maxAge)}`
    const names = yield* Effect.promise(() => readdir(drafts).catch(() => []))
    const stale = names.filter((name) => name.startsWith(draftPrefix) && name < oldest)
    yield* Effect.forEach(stale, (name) => removePath(join(drafts, name)), { discard: true })
  })

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

  const store = Effect.fnUntraced(
    function* (projectId: number, archive: string, options: Omit<SiteWriterOptions, "folder">) {
      const folder = yield* draft
      const unpacked = yield* Effect.flatten(Effect.promise(() => unpacking(archive, { ...options, folder })))
      const site = uuidV7()
      yield* Effect.promise(async () => {
        const parent = folderOfProject(projectId)
        await mkdir(parent, { recursive: true })
        await rename(folder, folderOf(projectId, site))
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
    remove: (projectId, site) => removePath(folderOf(projectId, site)),
    removeAll: (projectId) => removePath(folderOfProject(projectId)),
    removeStaleDrafts: removeStale(drafts, maxAge)
  }
}
