import { setTimeout as sleep } from "node:timers/promises"

/** What the benchmark asks of a runner: one round with so many callers at a time, as long as the row wants. */
export interface Round {
  readonly parallel: number
  readonly millis: number
}

/** Figures by name, such as `{ rate: 1480 }`. */
export type Score = Readonly<Record<string, number>>

/** Plays rounds as the parent process asks for them, until it disconnects. The body of every such program. */
export const serveRounds = (play: (round: Round) => Promise<Score>): void => {
  process.on("message", (round: Round) => {
    play(round).then(
      (score) => process.send?.({ score }),
      (error) => process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    )
  })
  process.on("disconnect", () => process.exit())
  process.send?.("ready")
}

/** The rate is in steps a second. */
export const rate = (count: number, start: number): Score => ({ rate: (count * 1000) / (performance.now() - start) })

/** The rate of `step` in `parallel` loops, each of one step at least. `loop` numbers the loops, `index` the steps of a loop, both from 0. */
export const timedLoops = async (
  { millis, parallel }: Round,
  step: (loop: number, index: number) => Promise<unknown>
): Promise<Score> => {
  const start = performance.now()
  let count = 0
  const loops = Array.from({ length: parallel }, async (_, loop) => {
    for (let index = 0; index === 0 || performance.now() - start < millis; index++) {
      await step(loop, index)
      count++
    }
  })
  await Promise.all(loops)
  return rate(count, start)
}

/** The percentiles `p50`, `p95` and `p99` of these durations in milliseconds. */
const percentiles = (millis: ReadonlyArray<number>): Score => {
  const sorted = millis.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

/** Does the same as `timedLoops`, and adds `p50`, `p95` and `p99` of the milliseconds that a step takes. */
export const timedSteps = async (round: Round, step: (loop: number, index: number) => Promise<unknown>): Promise<Score> => {
  const taken: Array<number> = []
  const score = await timedLoops(round, async (loop, index) => {
    const start = performance.now()
    await step(loop, index)
    taken.push(performance.now() - start)
  })
  return { ...score, ...percentiles(taken) }
}

/**
 * Offers so many steps a second on time until it is done, however long the earlier ones take: `p50` and `p99` of the milliseconds from the
 * moment at which a step was due to its end. `index` numbers the steps from 0.
 */
export const offeredUntil = async (
  isDone: () => boolean,
  perSecond: number,
  step: (index: number) => Promise<unknown>
): Promise<Score> => {
  const start = performance.now()
  const taken: Array<Promise<number>> = []
  const offer = async (index: number): Promise<number> => {
    await step(index)
    return performance.now() - (start + (index * 1000) / perSecond)
  }
  while (!isDone()) {
    while (taken.length * 1000 < (performance.now() - start) * perSecond) taken.push(offer(taken.length))
    await sleep(1)
  }
  return percentiles(await Promise.all(taken))
}

/** The same of `parallel` steps a second for a time. */
export const offeredSteps = ({ millis, parallel }: Round, step: (index: number) => Promise<unknown>): Promise<Score> => {
  const start = performance.now()
  return offeredUntil(() => performance.now() - start >= millis, parallel, step)
}
