import { availableParallelism } from "node:os"
import { spareBytes } from "../process/diskSpace.ts"
import type { FairQueueOptions } from "./FairQueue.ts"

/** Times are in milliseconds, sizes in bytes. */
export interface GitHttpLimits {
  /** Processes at once and how many requests wait for them, apart for what is short, what sends and what receives. */
  readonly advertisements: FairQueueOptions
  readonly fetches: FairQueueOptions
  readonly pushes: FairQueueOptions
  /** A connection without traffic is ended after this time. */
  readonly idleMillis: number
  /** A request that takes longer is ended. */
  readonly totalMillis: number
  /** Recording a push may take this long. */
  readonly recordTimeoutMillis: number
  /** The highest number of bytes of the body of a fetch, decompressed. */
  readonly maxFetchBytes: number
  /** The highest number of bytes of the refs and options of a push together. */
  readonly maxPushHeadBytes: number
  /** The highest number of bytes of the objects of a push. */
  readonly maxPushPackBytes: number
  /** The number of bytes that the disk of a folder may still take for pushes. */
  readonly spare: (folder: string) => Promise<number>
}

const cores = availableParallelism()
const timeoutMillis = 60_000

export const defaultLimits: GitHttpLimits = {
  advertisements: { concurrency: Math.max(8, 2 * cores), maxQueued: 2_000, timeoutMillis },
  fetches: { concurrency: Math.max(16, 4 * cores), maxQueued: 1_000, timeoutMillis },
  pushes: { concurrency: Math.max(16, 4 * cores), maxQueued: 1_000, timeoutMillis },
  idleMillis: 120_000,
  totalMillis: 6 * 3_600_000,
  recordTimeoutMillis: 60_000,
  maxFetchBytes: 64 * 1024 * 1024,
  maxPushHeadBytes: 16 * 1024 * 1024,
  maxPushPackBytes: 5 * 1024 * 1024 * 1024,
  spare: (folder) => spareBytes(folder, 1 / 4)
}
