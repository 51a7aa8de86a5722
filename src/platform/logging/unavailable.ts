import { Predicate } from "effect"

/** Under this, a failure has the reason why what was asked for cannot be had now: as a defect it is answered as 503, which tells it. */
export const unavailable = Symbol("chronoforge/unavailable")

/** What the system or the database runs out of, by the codes of their errors: they may have it again in a moment. */
const resourceErrors: ReadonlyMap<unknown, string> = new Map([
  ["EMFILE", "too many files are open"],
  ["ENFILE", "too many files are open"],
  ["EAGAIN", "too many processes run"],
  ["ENOMEM", "there is too little memory"],
  ["ENOSPC", "there is no space left on the disk"],
  ["EDQUOT", "there is no space left on the disk"],
  ["EROFS", "the disk can only be read"],
  // disk_full, out_of_memory, io_error, serialization_failure, deadlock_detected
  ["53100", "there is no space left on the disk of the database"],
  ["53200", "the database has too little memory"],
  ["58030", "the database cannot read or write its files"],
  ["40001", "others changed the same at the same time"],
  ["40P01", "others changed the same at the same time"]
])

const ownReason = (failure: unknown): string | undefined => {
  if (Predicate.hasProperty(failure, unavailable) && typeof failure[unavailable] === "string") return failure[unavailable]
  return Predicate.hasProperty(failure, "code") ? resourceErrors.get(failure.code) : undefined
}

/** The reason of such a failure, or of what caused it; undefined for every other one. */
export const reasonOf = (failure: unknown): string | undefined =>
  ownReason(failure) ?? (Predicate.hasProperty(failure, "cause") ? ownReason(failure.cause) : undefined)
