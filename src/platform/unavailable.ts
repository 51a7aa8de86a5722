import { Predicate } from "effect"

/** Under this, a failure has the reason why what was asked for cannot be had now: as a defect it is answered as 503, which tells it. */
export const unavailable = Symbol("chronoforge/unavailable")

/** What the system runs out of, by the codes of its errors: it may have it again in a moment. */
const resourceErrors: ReadonlyMap<unknown, string> = new Map([
  ["EMFILE", "too many files are open"],
  ["ENFILE", "too many files are open"],
  ["EAGAIN", "too many processes run"],
  ["ENOMEM", "there is too little memory"],
  ["ENOSPC", "there is no space left on the disk"]
])

const ownReason = (failure: unknown): string | undefined => {
  if (Predicate.hasProperty(failure, unavailable) && typeof failure[unavailable] === "string") return failure[unavailable]
  return Predicate.hasProperty(failure, "code") ? resourceErrors.get(failure.code) : undefined
}

/** The reason of such a failure, or of what caused it; undefined for every other one. */
export const reasonOf = (failure: unknown): string | undefined =>
  ownReason(failure) ?? (Predicate.hasProperty(failure, "cause") ? ownReason(failure.cause) : undefined)
