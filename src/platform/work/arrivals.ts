let hasArrived = false

/** A connection was taken in this turn of the event loop. */
export const noteArrival = (): void => {
  hasArrived = true
}

/**
 * Whether a connection was taken since this was asked last. libuv takes one in each turn, so while there may be more of them, turns have to be
 * short: who connects waits for as many turns as there are connections before theirs, whoever opened those.
 */
export const takeArrival = (): boolean => {
  const had = hasArrived
  hasArrived = false
  return had
}
