import { availableParallelism } from "node:os"
import { spareBytes } from "../process/diskSpace.ts"
import type { TurnstileOptions } from "./Turnstile.ts"

/** Times are in milliseconds, sizes in bytes. */
export interface GitHttpLimits {
  /** Processes at once and how many requests wait for them, apart for what is short, what sends and what receives. */
  readonly advertisements: TurnstileOptions
  readonly fetches: TurnstileOptions
  readonly pushes: TurnstileOptions
  /** A connection on which nothing moves that long is ended. */
  readonly idle: number
  /** A request that takes longer is ended. */
  readonly total: number
  /** What recording a push may take. */
  readonly recordLimit: number
  /** Of the body of a fetch, unpacked. */
  readonly fetchBody: number
  /** Of the refs and options of a push together. */
  readonly pushHead: number
  /** Of the objects of a push. */
  readonly pushPack: number
  /** What the disk of a folder may still take for pushes. */
  readonly spare: (folder: string) => Promise<number>
}

const cores = availableParallelism()
const patience = 60_000

export const defaultLimits: GitHttpLimits = {
  advertisements: { places: Math.max(8, 2 * cores), queue: 2_000, patience },
  fetches: { places: Math.max(16, 4 * cores), queue: 1_000, patience },
  pushes: { places: Math.max(16, 4 * cores), queue: 1_000, patience },
  idle: 120_000,
  total: 6 * 3_600_000,
  recordLimit: 60_000,
  fetchBody: 64 * 1024 * 1024,
  pushHead: 16 * 1024 * 1024,
  pushPack: 5 * 1024 * 1024 * 1024,
  spare: (folder) => spareBytes(folder, 1 / 4)
}
