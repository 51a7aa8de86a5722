import { mebibyte } from "../../kernel/units.ts"
import { defaultProcessMemory, defaultWorkLimits, type WorkLimits } from "../../kernel/workLimits.ts"
import type { WorkClass } from "../work/CurrentWork.ts"

/** What one process may use. */
export interface ProcessLimit {
  /** Bytes of memory that it writes to; mapped files are not among them. */
  readonly memory: number
  /** Seconds of processor time. */
  readonly cpu: number
  /** Seconds from start to end. */
  readonly wall: number
}

/** What the processes of each class may use, and all together. */
export interface ProcessLimits extends Readonly<Record<WorkClass, ProcessLimit>> {
  /** Bytes of memory of all processes together, with all that they started. */
  readonly totalMemory: number
}

/** A limit as settings say it. */
export const limitOf = ({ cpu, memory, wall }: WorkLimits): ProcessLimit => ({ cpu, wall, memory: memory * mebibyte })

/** The limits as settings say them; `totalMemory` is in MiB. */
export const processLimits = (given: Readonly<Record<WorkClass, WorkLimits>>, totalMemory: number): ProcessLimits => ({
  interactive: limitOf(given.interactive),
  transfer: limitOf(given.transfer),
  bulk: limitOf(given.bulk),
  background: limitOf(given.background),
  totalMemory: totalMemory * mebibyte
})

export const defaultProcessLimits: ProcessLimits = processLimits(defaultWorkLimits, defaultProcessMemory)

/** A limit that a process exceeded; `together` is that of all of them, of which it was the largest. */
export type ExceededLimit = "memory" | "time" | "together"
