import type { LeastRateOptions } from "../../platform/work/LeastRate.ts"
import { spareBytes } from "../process/diskSpace.ts"

/** Times are in milliseconds, sizes in bytes. */
export interface GitHttpLimits {
  /** A connection without traffic is ended after this time. */
  readonly idleMillis: number
  /** A request that takes longer is ended. */
  readonly totalMillis: number
  /** The body of a fetch, and the commands of a push, have to be there within this time. */
  readonly bodyMillis: number
  /** Whoever has a place must send what is pushed no more slowly. */
  readonly leastPushRate: LeastRateOptions
  /** The same for taking a pack that is not shared. */
  readonly leastFetchRate: LeastRateOptions
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

export const defaultLimits: GitHttpLimits = {
  idleMillis: 30_000,
  totalMillis: 6 * 3_600_000,
  bodyMillis: 5 * 60_000,
  leastPushRate: { bytesPerSecond: 8 * 1024, overMillis: 30_000 },
  leastFetchRate: { bytesPerSecond: 16 * 1024, overMillis: 60_000 },
  recordTimeoutMillis: 60_000,
  maxFetchBytes: 64 * 1024 * 1024,
  maxPushHeadBytes: 16 * 1024 * 1024,
  maxPushPackBytes: 5 * 1024 * 1024 * 1024,
  spare: (folder) => spareBytes(folder, 1 / 4)
}
