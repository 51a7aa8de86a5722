import { Predicate } from "effect"

/** Under this, a failure has the reason why what was asked for cannot be had now: as a defect it is answered as 503, which tells it. */
export const unavailable = Symbol("chronoforge/unavailable")

/** The reason of such a failure; undefined for every other one. */
export const reasonOf = (failure: unknown): string | undefined => {
  const text = Predicate.hasProperty(failure, unavailable) ? failure[unavailable] : undefined
  return typeof text === "string" ? text : undefined
}
