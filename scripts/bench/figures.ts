import type { Runner } from "./runners.ts"
import type { Round, Score } from "./serveRounds.ts"

/** The middle of what several rounds gave, and how far they lie apart. */
export interface Figure {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** One line of the result. */
export interface Row {
  readonly name: string
  readonly unit: "/s" | "%" | "MiB/s" | "ms" | "MiB" | "processes" | "s" | "answers" | "changes" | "commits"
  readonly ours: Figure
  readonly peer?: Figure
  /** Ours by the peer's: median over the pairs of rounds that were played one right after the other. */
  readonly ratio?: number
  readonly target?: Target
}

/** The limits that a figure has to keep, in itself or relative to the peer's. Every limit that is set counts. */
export interface Target {
  /** The lowest ratio that a rate may have. */
  readonly ratio?: number
  /** The lowest median that a rate may have. */
  readonly rate?: number
  /** The highest ratio that a time or a size may have. */
  readonly maxRatio?: number
  /** The highest median that a time or a size may have. */
  readonly max?: number
}

/** How rounds are played. */
export interface Rounds extends Round {
  /** The number of measured rounds; one more runs first to warm up. */
  readonly rounds: number
  /** Runs ahead of every round of either side. */
  readonly before?: () => Promise<unknown>
}

const nothing = async () => {}

export const figureOf = (values: ReadonlyArray<number>): Figure => {
  const sorted = values.toSorted((a, b) => a - b)
  return { median: sorted[sorted.length >> 1] ?? Number.NaN, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN }
}

/** Whether the row reaches its target; undefined without one. */
export const isMet = ({ ours: { median }, ratio, target }: Row): boolean | undefined =>
  target &&
  [
    target.ratio === undefined || (ratio ?? Number.NaN) >= target.ratio,
    target.rate === undefined || median >= target.rate,
    target.maxRatio === undefined || (ratio ?? Number.NaN) <= target.maxRatio,
    target.max === undefined || median <= target.max
  ].every(Boolean)

/** Plays rounds of both in turn, so that whatever else the machine does meets both alike. The figures are those of `of`, by default `rate`. */
export const measureBoth = async (
  ours: Runner,
  peer: Runner,
  { before = nothing, of = "rate", rounds, ...round }: Rounds & { readonly of?: string }
): Promise<Pick<Row, "ours" | "ratio"> & { readonly peer: Figure }> => {
  const play = async (runner: Runner): Promise<number> => {
    await before()
    return (await runner.run(round))[of] ?? Number.NaN
  }
  await play(ours)
  await play(peer)
  const pairs: Array<readonly [number, number]> = []
  for (let index = 0; index < rounds; index++) {
    const first = await play(ours)
    pairs.push([first, await play(peer)])
  }
  return {
    ours: figureOf(pairs.map(([a]) => a)),
    peer: figureOf(pairs.map(([, b]) => b)),
    ratio: figureOf(pairs.map(([a, b]) => a / b)).median
  }
}

/** Plays rounds of one runner; the figures by the names of its score. */
export const measureAlone = async (
  runner: Runner,
  { before = nothing, rounds, ...round }: Rounds
): Promise<(name: string) => Figure> => {
  const play = async (): Promise<Score> => {
    await before()
    return runner.run(round)
  }
  await play()
  const scores: Array<Score> = []
  for (let index = 0; index < rounds; index++) scores.push(await play())
  return (name) => figureOf(scores.map((score) => score[name] ?? Number.NaN))
}
