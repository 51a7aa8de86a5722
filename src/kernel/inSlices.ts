import { Effect } from "effect"

/** In each turn of the event loop, sliced work of all requests together takes about so many milliseconds. */
const turnMillis = 4

/** The next slices of what goes on, in the order of their turns. */
const slices: Array<() => void> = []

let isScheduled = false

const schedule = (): void => {
  if (isScheduled || slices.length === 0) return
  isScheduled = true
  setImmediate(takeTurn)
}

const takeTurn = (): void => {
  const until = performance.now() + turnMillis
  for (let slice = slices.shift(); slice !== undefined; slice = performance.now() < until ? slices.shift() : undefined) slice()
  isScheduled = false
  schedule()
}

const awaitTurn = (slice: () => void): void => {
  slices.push(slice)
  schedule()
}

/**
 * Does work that yields where it may pause to its end. What does not end by its first pause takes turns with the other work that is sliced, and
 * all of it leaves other requests most of each turn of the event loop.
 */
export const inSlices = <A>(work: Generator<void, A, void>): Effect.Effect<A> =>
  Effect.suspend(() => {
    // Where others wait for their turn, many may have begun at once.
    const first = slices.length === 0 ? work.next() : undefined
    if (first?.done) return Effect.succeed(first.value)
    return Effect.callback<A>((resume) => {
      let isOver = false
      const slice = () => {
        if (isOver) return
        try {
          const step = work.next()
          if (step.done) resume(Effect.succeed(step.value))
          else awaitTurn(slice)
        } catch (defect) {
          resume(Effect.die(defect))
        }
      }
      awaitTurn(slice)
      return Effect.sync(() => {
        isOver = true
      })
    })
  })

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Does such work for all, as reading and projecting the log is: it leaves other requests a turn of the event loop after every few
 * milliseconds, and waits for nobody's slices.
 */
export const withPauses = async <A>(work: Generator<void, A, void>): Promise<A> => {
  for (let until = performance.now() + turnMillis; ; ) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() < until) continue
    await nextTurn()
    until = performance.now() + turnMillis
  }
}

/** Waits for a turn among the work that is sliced, for what takes several milliseconds and cannot pause. */
export const awaitSlice: Effect.Effect<void> = Effect.suspend(() =>
  inSlices(
    (function* () {
      yield
    })()
  )
)

/** Does such work without a pause. */
export const atOnce = <A>(work: Generator<void, A, void>): A => {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value
}

/** Elements that are mapped between two pauses. */
const mappedAtOnce = 200

function* mapping<A, B>(list: ReadonlyArray<A>, map: (element: A) => B): Generator<void, ReadonlyArray<B>, void> {
  const mapped: Array<B> = []
  for (const element of list) {
    mapped.push(map(element))
    if (mapped.length % mappedAtOnce === 0) yield
  }
  return mapped
}

/** Maps a list that may be long. */
export const mapInSlices = <A, B>(list: ReadonlyArray<A>, map: (element: A) => B): Effect.Effect<ReadonlyArray<B>> =>
  inSlices(mapping(list, map))

/** Does something with each element of a list that may be long. */
export const forEachInSlices = <A>(list: ReadonlyArray<A>, use: (element: A) => void): Effect.Effect<void> =>
  Effect.asVoid(mapInSlices(list, use))

function* filtering<A>(list: ReadonlyArray<A>, fits: (element: A) => boolean): Generator<void, ReadonlyArray<A>, void> {
  const found: Array<A> = []
  for (const [index, element] of list.entries()) {
    if (fits(element)) found.push(element)
    if ((index + 1) % mappedAtOnce === 0) yield
  }
  return found
}

/** The elements of a list, which may be long, that fit. */
export const filterInSlices = <A>(list: ReadonlyArray<A>, fits: (element: A) => boolean): Effect.Effect<ReadonlyArray<A>> =>
  inSlices(filtering(list, fits))

/** Elements that are sorted, or merged, between two pauses. */
const sortedAtOnce = 500

type Compare<A> = (one: A, other: A) => number

/** Merges two sorted runs that follow each other. */
function* merging<A>(
  list: ReadonlyArray<A>,
  into: Array<A>,
  [start, middle, end]: readonly [number, number, number],
  compare: Compare<A>
) {
  let [left, right] = [start, middle]
  for (let at = start; at < end; at++) {
    const [one, other] = [list[left], list[right]]
    const isLeft = right >= end || (left < middle && one !== undefined && other !== undefined && compare(one, other) <= 0)
    const next = isLeft ? one : other
    if (next !== undefined) into[at] = next
    if (isLeft) left++
    else right++
    if ((at + 1) % sortedAtOnce === 0) yield
  }
}

function* sorting<A extends {}>(list: ReadonlyArray<A>, compare: Compare<A>): Generator<void, ReadonlyArray<A>, void> {
  let sorted: Array<A> = []
  for (let at = 0; at < list.length; at += sortedAtOnce) {
    for (const element of list.slice(at, at + sortedAtOnce).sort(compare)) sorted.push(element)
    if (sorted.length < list.length) yield
  }
  for (let length = sortedAtOnce; length < list.length; length *= 2) {
    const merged: Array<A> = []
    for (let at = 0; at < list.length; at += 2 * length) {
      const middle = Math.min(at + length, list.length)
      yield* merging(sorted, merged, [at, middle, Math.min(at + 2 * length, list.length)], compare)
    }
    sorted = merged
  }
  return sorted
}

/** Sorts a list that may be long; those that are equal stay in their order. */
export const sortInSlices = <A extends {}>(list: ReadonlyArray<A>, compare: Compare<A>): Effect.Effect<ReadonlyArray<A>> =>
  inSlices(sorting(list, compare))
