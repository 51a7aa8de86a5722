import { afterAll, vi } from "vitest"
import { Spawner } from "#src/platform/processes/spawner/Spawner.ts"

interface Started {
  readonly args: ReadonlyArray<string>
  readonly startedAt: number
  /** Infinity while it runs. */
  endedAt: number
}

export interface Processes {
  /** Those with all of these words among their arguments, running or not. */
  readonly started: (...words: ReadonlyArray<string>) => number
  readonly running: (...words: ReadonlyArray<string>) => number
  /** How many of them ran at the same time at most. */
  readonly maxConcurrent: (...words: ReadonlyArray<string>) => number
  /** Forgets those that were started so far. */
  readonly forget: () => void
}

/** The processes that are started during the tests of a file. */
export const useProcesses = (): Processes => {
  let all: Array<Started> = []
  const { start } = Spawner.prototype
  const spy = vi.spyOn(Spawner.prototype, "start").mockImplementation(function (this: Spawner, ...given) {
    const child = start.apply(this, given)
    const started: Started = { args: given[1], startedAt: performance.now(), endedAt: Number.POSITIVE_INFINITY }
    all.push(started)
    const onEnd = () => {
      started.endedAt = performance.now()
    }
    child.once("close", onEnd)
    child.once("error", onEnd)
    return child
  })
  afterAll(() => spy.mockRestore())
  const matching = (words: ReadonlyArray<string>) => all.filter(({ args }) => words.every((word) => args.includes(word)))
  return {
    started: (...words) => matching(words).length,
    running: (...words) => matching(words).filter(({ endedAt }) => endedAt === Number.POSITIVE_INFINITY).length,
    maxConcurrent: (...words) => {
      const those = matching(words)
      const at = (time: number) => those.filter(({ endedAt, startedAt }) => startedAt <= time && time < endedAt).length
      return Math.max(0, ...those.map(({ startedAt }) => at(startedAt)))
    },
    forget: () => {
      all = []
    }
  }
}
