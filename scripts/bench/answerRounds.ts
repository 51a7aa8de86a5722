/** What the benchmark asks of a contestant: one round with so many callers at a time, as long as the row wants. */
export interface Round {
  readonly parallel: number
  readonly millis: number
}

/** Figures by name, such as `{ rate: 1480 }`. */
export type Score = Readonly<Record<string, number>>

/** Plays rounds as the parent process asks for them, until it disconnects. The body of every contestant's program. */
export const answerRounds = (play: (round: Round) => Promise<Score>): void => {
  process.on("message", (round: Round) => {
    play(round).then(
      (score) => process.send?.({ score }),
      (error) => process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    )
  })
  process.on("disconnect", () => process.exit())
  process.send?.("ready")
}

/** Steps a second. */
export const rate = (count: number, start: number): Score => ({ rate: (count * 1000) / (performance.now() - start) })

/** The rate of `step` in `parallel` loops. `loop` numbers the loops, `index` the steps of a loop, both from 0. */
export const timedLoops = async (
  { millis, parallel }: Round,
  step: (loop: number, index: number) => Promise<unknown>
): Promise<Score> => {
  const start = performance.now()
  let count = 0
  const loops = Array.from({ length: parallel }, async (_, loop) => {
    for (let index = 0; performance.now() - start < millis; index++) {
      await step(loop, index)
      count++
    }
  })
  await Promise.all(loops)
  return rate(count, start)
}
