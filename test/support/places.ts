import { Effect } from "effect"
import { defaultPlaces, makeWorkPlaces, WorkPlaces } from "#src/platform/work/WorkPlaces.ts"

/** So many places for work in the background, which is what tests do. */
export const placesOf = (concurrency: number): WorkPlaces =>
  makeWorkPlaces({ ...defaultPlaces, background: { ...defaultPlaces.background, concurrency } })

/** Runs effects that share so many places. */
export const runWithPlaces = (concurrency: number): (<A, E>(effect: Effect.Effect<A, E>) => Promise<A>) => {
  const places = placesOf(concurrency)
  return (effect) => Effect.runPromise(Effect.provideService(effect, WorkPlaces, places))
}
