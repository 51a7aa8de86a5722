import { type Dirent, existsSync } from "node:fs"
import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { graphChain } from "../commitGraph/commitGraphDamage.ts"
import type { Repository } from "../Repository.ts"

/** The state of a repository that decides on maintenance. */
export interface RepositoryState {
  /** The estimated number of loose objects. */
  readonly looseObjects: number
  /** The number of packs, without those marked to be kept. */
  readonly packs: number
  /** The number of bytes in packs without a bitmap; 0 when there is a bitmap. */
  readonly unmappedBytes: number
  /** The number of loose refs. */
  readonly looseRefs: number
  /** Whether some commits may not be in the commit-graph. */
  readonly hasNewCommits: boolean
}

export type MaintenanceTask = "commitGraph" | "packRefs" | "repack"

const thresholds = { looseObjects: 2_000, packs: 20, unmappedBytes: 32 * 1024 * 1024, looseRefs: 500 }

/** Whether the objects should be packed anew: reading gets slow, or every clone has to find out what it needs. */
const needsRepack = ({ looseObjects, packs, unmappedBytes }: RepositoryState): boolean =>
  looseObjects > thresholds.looseObjects || packs > thresholds.packs || unmappedBytes > thresholds.unmappedBytes

/** What a repository needs, in the order in which it is done. */
export const maintenanceNeeds = (state: RepositoryState): ReadonlyArray<MaintenanceTask> => [
  ...(state.looseRefs > thresholds.looseRefs ? (["packRefs"] as const) : []),
  ...(needsRepack(state) ? (["repack"] as const) : []),
  ...(state.hasNewCommits ? (["commitGraph"] as const) : [])
]

const entries = (folder: string): Promise<ReadonlyArray<Dirent>> => readdir(folder, { withFileTypes: true }).catch(() => [])

const countFiles = async (folder: string, maxCount: number): Promise<number> => {
  let count = 0
  for (const entry of await entries(folder)) {
    count += entry.isDirectory() ? await countFiles(join(folder, entry.name), maxCount - count) : 1
    if (count > maxCount) break
  }
  return count
}

/** The size of files in bytes; a file that was removed counts as empty. */
const bytesOf = async (files: ReadonlyArray<string>): Promise<number> => {
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0
      )
    )
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Estimates the number of loose objects from some of the 256 folders, because ids are evenly distributed. */
const estimateLoose = async (objects: string): Promise<number> => {
  const sample = await Promise.all(["17", "5a", "a3", "e8"].map((name) => entries(join(objects, name))))
  return sample.reduce((sum, { length }) => sum + length, 0) * 64
}

/** Reads the state of a repository without starting a process. */
export const stateOf = ({ path }: Repository, hasNewCommits: boolean): Effect.Effect<RepositoryState> =>
  Effect.promise(async () => {
    const objects = join(path, "objects")
    const names = (await entries(join(objects, "pack"))).map(({ name }) => name)
    const packs = names.filter((name) => name.endsWith(".pack"))
    const keptPacks = packs.filter((name) => names.includes(name.replace(/\.pack$/, ".keep")))
    const isMapped = names.some((name) => name.endsWith(".bitmap"))
    return {
      looseObjects: await estimateLoose(objects),
      packs: packs.length - keptPacks.length,
      unmappedBytes: isMapped ? 0 : await bytesOf(packs.map((name) => join(objects, "pack", name))),
      looseRefs: await countFiles(join(path, "refs"), thresholds.looseRefs),
      hasNewCommits: hasNewCommits || !existsSync(graphChain({ path }))
    }
  })

/** The time of the last full repack in seconds since 1970; 0 for never. */
export const lastFullRepack = ({ path }: Repository): Effect.Effect<number> =>
  Effect.promise(() => readFile(join(path, "last-full-repack"), "utf8").then(Number, () => 0))
