import { Data } from "effect"
import { mebibyte } from "../../kernel/units.ts"
import type { ProcessLimit } from "../../platform/processes/ProcessLimits.ts"
import type { GitFailed } from "../Repository.ts"
import type { ExceededCount } from "./cache.ts"

/** The contributors are still being counted. */
export class BeingCounted extends Data.TaggedError("BeingCounted")<{
  /** How long that may still take. */
  readonly seconds: number
}> {
  override get message() {
    return "the contributors are being counted"
  }
}

const texts: Readonly<Record<ExceededCount["exceeded"], (limit: ProcessLimit) => string>> = {
  memory: ({ memory }) => `counting them needs more than ${Math.floor(memory / mebibyte)} MiB of memory`,
  time: ({ cpu, wall }) => `counting them takes longer than ${Math.min(cpu, wall)} seconds`,
  output: () => "the history has too many commits"
}

/** The contributors cannot be counted within these limits. */
export class CountExceeded extends Data.TaggedError("CountExceeded")<{ readonly count: ExceededCount }> {
  get reason() {
    return texts[this.count.exceeded](this.count)
  }
  override get message() {
    return `The contributors cannot be counted: ${this.reason}`
  }
}

/**
 * The limit to which a count came, where it was its own. What was ended because all processes together used too much may not have been the reason
 * the first time; of the same count, the second time tells that it is.
 */
export const exceededBy = ({ exceeded }: GitFailed, endedBefore: boolean): ExceededCount["exceeded"] | undefined => {
  if (exceeded === "time" || exceeded === "output" || exceeded === "memory") return exceeded
  return exceeded === "together" && endedBefore ? "memory" : undefined
}

/** Whether what came to limits may be possible within these. */
export const mayFit = (noted: ExceededCount, limit: ProcessLimit): boolean => {
  if (noted.exceeded === "memory") return limit.memory > noted.memory
  return noted.exceeded === "time" && (limit.cpu > noted.cpu || limit.wall > noted.wall)
}
