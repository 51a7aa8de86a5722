/** Numbers from 0 up to, not including, 1: the same ones for the same seed. */
export const randoms = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Choices that are the same for the same seed. */
export interface Random {
  /** A whole number from 0 up to, not including, `limit`. */
  readonly below: (limit: number) => number
  /** True in this share of all cases. */
  readonly isAmong: (share: number) => boolean
  readonly oneOf: <A>(first: A, ...others: ReadonlyArray<A>) => A
  /** Draws this many different integers from `from` up to, not including, `to`. */
  readonly different: (count: number, from: number, to: number) => ReadonlyArray<number>
  readonly shuffled: <A>(items: ReadonlyArray<A>) => ReadonlyArray<A>
}

export const makeRandom = (seed: number): Random => {
  const next = randoms(seed)
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    isAmong: (share) => next() < share,
    oneOf: (...items) => items[below(items.length)] ?? items[0],
    different: (count, from, to) => {
      const found = new Set<number>()
      while (found.size < count) found.add(from + below(to - from))
      return [...found]
    },
    shuffled: (items) => {
      const keyed = items.map((item) => ({ item, key: next() }))
      return keyed.sort((one, other) => one.key - other.key).map(({ item }) => item)
    }
  }
}
