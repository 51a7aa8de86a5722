import type { Round, Score } from "./answerRounds.ts"
import type { Contestant } from "./contestants.ts"

/** The middle of what several rounds gave, and how far they lie apart. */
export interface Figure {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** One line of the result. */
export interface Row {
  readonly name: string
  readonly unit: "/s" | "ms" | "MiB"
  readonly ours: Figure
  readonly peer?: Figure
  /** Median over the pairs of rounds that were played one right after the other. */
  readonly ratio?: number
  readonly target?: Target
}

/** What a rate has to reach: of the peer's, in itself. */
export interface Target {
  readonly ratio?: number
  readonly rate?: number
}

export const figureOf = (values: ReadonlyArray<number>): Figure => {
  const sorted = values.toSorted((a, b) => a - b)
  return { median: sorted[sorted.length >> 1] ?? Number.NaN, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN }
}

/** Whether the row reaches its target; undefined without one. */
export const isMet = ({ ours, ratio = 0, target }: Row): boolean | undefined =>
  target && ratio >= (target.ratio ?? 0) && ours.median >= (target.rate ?? 0)

/** Plays rounds of both in turn, so that whatever else the machine does meets both alike. */
export const duel = async (
  ours: Contestant,
  peer: Contestant,
  { rounds, ...round }: Round & { readonly rounds: number }
): Promise<Pick<Row, "ours" | "peer" | "ratio">> => {
  await ours.play(round)
  await peer.play(round)
  const pairs: Array<readonly [number, number]> = []
  for (let index = 0; index < rounds; index++) {
    const first = await ours.play(round)
    pairs.push([first.rate ?? 0, (await peer.play(round)).rate ?? 0])
  }
  return {
    ours: figureOf(pairs.map(([a]) => a)),
    peer: figureOf(pairs.map(([, b]) => b)),
    ratio: figureOf(pairs.map(([a, b]) => a / b)).median
  }
}

/** Plays rounds of one contestant; the figures by the names of its score. The first round is for warming up. */
export const solo = async (
  contestant: Contestant,
  { rounds, ...round }: Round & { readonly rounds: number }
): Promise<(name: string) => Figure> => {
  await contestant.play(round)
  const scores: Array<Score> = []
  for (let index = 0; index < rounds; index++) scores.push(await contestant.play(round))
  return (name) => figureOf(scores.map((score) => score[name] ?? Number.NaN))
}
