import { type Dirent, existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import type { Repository } from "./Repository.ts"

/** What of a repository's state decides on maintenance. */
export interface RepositoryState {
  /** Objects that lie in files of their own: an estimate. */
  readonly looseObjects: number
  /** Packs, those to be kept as they are not counted. */
  readonly packs: number
  /** Refs that lie in files of their own. */
  readonly looseRefs: number
  /** Some commits may not be in the commit-graph. */
  readonly hasNewCommits: boolean
}

export type MaintenanceTask = "commitGraph" | "packRefs" | "repack"

const tooMany = { looseObjects: 2_000, packs: 20, looseRefs: 500 }

/** What a repository needs, in the order in which it is done. */
export const maintenanceNeeds = (state: RepositoryState): ReadonlyArray<MaintenanceTask> => [
  ...(state.looseRefs > tooMany.looseRefs ? (["packRefs"] as const) : []),
  ...(state.looseObjects > tooMany.looseObjects || state.packs > tooMany.packs ? (["repack"] as const) : []),
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
    return {
      looseObjects: await estimateLoose(objects),
      packs: packs.length - kept.length,
      looseRefs: await countFiles(join(path, "refs"), tooMany.looseRefs),
      hasNewCommits: hasNewCommits || !existsSync(join(objects, "info", "commit-graphs", "commit-graph-chain"))
    }
  })

/** Seconds since 1970 of the last time that everything was packed anew; 0: never. */
export const lastFullRepack = ({ path }: Repository): Effect.Effect<number> =>
  Effect.promise(() => readFile(join(path, "last-full-repack"), "utf8").then(Number, () => 0))
