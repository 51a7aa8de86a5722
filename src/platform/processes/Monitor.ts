import type { ExceededLimit, ProcessLimit, ProcessLimits } from "./ProcessLimits.ts"
import type { Child } from "./spawner/Child.ts"
import { type Usage, usageOf } from "./usage.ts"

/** How often the processes are looked at that have run for half as long, in milliseconds. */
const intervalMillis = 100
/** Of processes that serve many requests, which are many and mostly idle, one in so many looks is at what they use. */
const lastingInterval = 10

interface Watched {
  readonly child: Child
  readonly limit: ProcessLimit
  readonly isLasting: boolean
  readonly startedAt: number
  /** What it used when it was looked at last. */
  usages: ReadonlyArray<Usage>
  /** Limits the process itself, once it turns out not to be a short one. */
  limitLate: ((id: number, limit: ProcessLimit) => void) | undefined
  /** Lowers the priority of the session that it leads; false where it is to be tried again. */
  lowerSession: ((id: number) => boolean) | undefined
  readonly onExceeded: (limit: ExceededLimit) => void
}

export type WatchOptions = Omit<Watched, "startedAt" | "usages">

const kill = (id: number): void => {
  try {
    process.kill(id, "SIGKILL")
  } catch {
    // The process has ended.
  }
}

const sumOf = (usages: ReadonlyArray<Usage>): number => usages.reduce((sum, { bytes }) => sum + bytes, 0)
const largest = <A extends { readonly bytes: number }>(all: ReadonlyArray<A>): A | undefined =>
  all.reduce<A | undefined>((heaviest, one) => (heaviest === undefined || one.bytes > heaviest.bytes ? one : heaviest), undefined)

/**
 * Looks at the processes that run: ends those that run too long or use too much memory with all that they started, and the largest
 * while all together use too much. It looks at none that ends at once, and at nothing while none runs.
 */
export class Monitor {
  readonly #watched = new Set<Watched>()
  readonly #totalMemory: number
  #timer: NodeJS.Timeout | undefined
  #looks = 0

  constructor({ totalMemory }: ProcessLimits) {
    this.#totalMemory = totalMemory
  }

  /** Watches a process until it has ended. `onExceeded` is called at most once, before the process is ended. */
  watch(options: WatchOptions): void {
    const watched: Watched = { ...options, startedAt: performance.now(), usages: [] }
    this.#watched.add(watched)
    options.child.once("exit", () => this.#watched.delete(watched))
    this.#timer ??= setInterval(() => this.#look(), intervalMillis).unref()
  }

  #look(): void {
    if (this.#watched.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    const now = performance.now()
    const isLastingDue = this.#looks++ % lastingInterval === 0
    const all: Array<Usage & { readonly watched: Watched }> = []
    for (const watched of this.#watched) {
      const { child, isLasting, limit, startedAt } = watched
      const id = child.pid
      if (id === undefined || now - startedAt < intervalMillis / 2) continue
      if (watched.lowerSession?.(id) === true) watched.lowerSession = undefined
      watched.limitLate?.(id, limit)
      watched.limitLate = undefined
      if (now - startedAt > limit.wall * 1000) this.#end(watched, "time", id)
      if (!isLasting || isLastingDue) watched.usages = usageOf(id)
      const { usages } = watched
      const heaviest = largest(usages)
      if (heaviest !== undefined && sumOf(usages) > limit.memory) this.#end(watched, "memory", heaviest.id)
      else all.push(...usages.map((usage) => ({ ...usage, watched })))
    }
    this.#endLargest(all)
  }

  #endLargest(all: ReadonlyArray<Usage & { readonly watched: Watched }>): void {
    const left = new Set(all)
    while (sumOf([...left]) > this.#totalMemory) {
      const heaviest = largest([...left])
      if (heaviest === undefined) return
      left.delete(heaviest)
      this.#end(heaviest.watched, "together", heaviest.id)
    }
  }

  /** Ends the process itself, or one that it started; it will tell of that. */
  #end(watched: Watched, limit: ExceededLimit, id: number): void {
    watched.onExceeded(limit)
    kill(id)
  }
}
