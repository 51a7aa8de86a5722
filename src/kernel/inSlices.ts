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
