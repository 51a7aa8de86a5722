import { type Dirent, existsSync } from "node:fs"
import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { graphChain } from "../history/commitGraphDamage.ts"
import type { Repository } from "../Repository.ts"

/** What of a repository's state decides on maintenance. */
export interface RepositoryState {
  /** Objects that lie in files of their own: an estimate. */
  readonly looseObjects: number
  /** Packs, those to be kept as they are not counted. */
  readonly packs: number
  /** In the packs, as long as no bitmap tells what commits reach in them; else 0. */
  readonly unmappedBytes: number
  /** Refs that lie in files of their own. */
  readonly looseRefs: number
  /** Some commits may not be in the commit-graph. */
  readonly hasNewCommits: boolean
}

export type MaintenanceTask = "commitGraph" | "packRefs" | "repack"

const tooMany = { looseObjects: 2_000, packs: 20, unmappedBytes: 32 * 1024 * 1024, looseRefs: 500 }

/** Whether the objects should be packed anew: reading gets slow, or every clone has to find out what it needs. */
const needsRepack = ({ looseObjects, packs, unmappedBytes }: RepositoryState): boolean =>
  looseObjects > tooMany.looseObjects || packs > tooMany.packs || unmappedBytes > tooMany.unmappedBytes

/** What a repository needs, in the order in which it is done. */
export const maintenanceNeeds = (state: RepositoryState): ReadonlyArray<MaintenanceTask> => [
  ...(state.looseRefs > tooMany.looseRefs ? (["packRefs"] as const) : []),
  ...(needsRepack(state) ? (["repack"] as const) : []),
  ...(state.hasNewCommits ? (["commitGraph"] as const) : [])
]

const entries = (folder: string): Promise<ReadonlyArray<Dirent>> => readdir(folder, { withFileTypes: true }).catch(() => [])

const countFiles = async (folder: string, most: number): Promise<number> => {
  let count = 0
  for (const entry of await entries(folder)) {
    count += entry.isDirectory() ? await countFiles(join(folder, entry.name), most - count) : 1
    if (count > most) break
  }
  return count
}

/** A file that has gone has none. */
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

/** Ids are even, so one of the 256 folders tells of all. */
const estimateLoose = async (objects: string): Promise<number> => {
  const sample = await Promise.all(["17", "5a", "a3", "e8"].map((name) => entries(join(objects, name))))
  return sample.reduce((sum, { length }) => sum + length, 0) * 64
}

/** Looks at the repository without a process. */
export const stateOf = ({ path }: Repository, hasNewCommits: boolean): Effect.Effect<RepositoryState> =>
  Effect.promise(async () => {
    const objects = join(path, "objects")
    const names = (await entries(join(objects, "pack"))).map(({ name }) => name)
    const packs = names.filter((name) => name.endsWith(".pack"))
    const kept = packs.filter((name) => names.includes(name.replace(/\.pack$/, ".keep")))
    const isMapped = names.some((name) => name.endsWith(".bitmap"))
    return {
      looseObjects: await estimateLoose(objects),
      packs: packs.length - kept.length,
      unmappedBytes: isMapped ? 0 : await bytesOf(packs.map((name) => join(objects, "pack", name))),
      looseRefs: await countFiles(join(path, "refs"), tooMany.looseRefs),
      hasNewCommits: hasNewCommits || !existsSync(graphChain({ path }))
    }
  })

/** Seconds since 1970 of the last time that everything was packed anew; 0: never. */
export const lastFullRepack = ({ path }: Repository): Effect.Effect<number> =>
  Effect.promise(() => readFile(join(path, "last-full-repack"), "utf8").then(Number, () => 0))
