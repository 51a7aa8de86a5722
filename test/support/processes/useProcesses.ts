import childProcess from "node:child_process"
import { syncBuiltinESMExports } from "node:module"
import { afterAll, beforeAll, vi } from "vitest"

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

/** The processes that `spawn` starts during the tests of a file. */
export const useProcesses = (): Processes => {
  let all: Array<Started> = []
  const { spawn } = childProcess
  const spy = vi.spyOn(childProcess, "spawn").mockImplementation((...given) => {
    const child: childProcess.ChildProcess = Reflect.apply(spawn, childProcess, given)
    const [, args] = given
    const started: Started = {
      args: Array.isArray(args) ? args : [],
      startedAt: performance.now(),
      endedAt: Number.POSITIVE_INFINITY
    }
    all.push(started)
    child.once("close", () => {
      started.endedAt = performance.now()
    })
    return child
  })
  // So that named imports see it too.
  beforeAll(syncBuiltinESMExports)
  afterAll(() => {
    spy.mockRestore()
    syncBuiltinESMExports()
  })
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
