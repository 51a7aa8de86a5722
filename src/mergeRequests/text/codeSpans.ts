interface Run {
  readonly start: number
  readonly length: number
}

/** Where the runs of each length are, from the last to the first. */
const byLength = (runs: ReadonlyArray<Run>): ReadonlyMap<number, Array<Run>> => {
  const lengths = new Map<number, Array<Run>>()
  for (const run of runs.toReversed()) {
    const same = lengths.get(run.length)
    if (same === undefined) lengths.set(run.length, [run])
    else same.push(run)
  }
  return lengths
}

/**
 * Whether a place in a paragraph lies in a code span: between two runs of as many backticks, of which the first is not in another span.
 * To be asked of places from the first to the last. In linear time, because each run is passed once among those of its length.
 */
export const codeSpans = (paragraph: string): ((at: number) => boolean) => {
  const runs = [...paragraph.matchAll(/`+/g)].map((match) => ({ start: match.index, length: match[0].length }))
  const lengths = byLength(runs)
  const spans: Array<{ readonly start: number; readonly end: number }> = []
  let end = 0
  for (const { length, start } of runs) {
    const same = lengths.get(length) ?? []
    if (start < end) continue
    while ((same.at(-1)?.start ?? Number.POSITIVE_INFINITY) <= start) same.pop()
    const closing = same.at(-1)
    if (closing === undefined) continue
    end = closing.start + length
    spans.push({ start, end })
  }
  let next = 0
  return (at) => {
    while ((spans[next]?.end ?? Number.POSITIVE_INFINITY) <= at) next++
    return (spans[next]?.start ?? Number.POSITIVE_INFINITY) <= at
  }
}
