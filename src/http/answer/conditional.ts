import { hash } from "node:crypto"
import { Effect } from "effect"
import { parseMoment } from "../parameters/dateTimes.ts"
import { preconditionFailed } from "./errors.ts"

/** The weak entity tag of a body, as the reference makes it. */
export const weakEtag = (body: string | Uint8Array): string => weakEtagOf(hash("sha256", body))

/** The same by the SHA-256 of the body. */
export const weakEtagOf = (sha256: string): string => `W/"${sha256.slice(0, 32)}"`

const opaque = (tag: string): string => (tag.startsWith("W/") ? tag.slice(2) : tag)

/** Whether `If-None-Match` names `etag`, compared weakly: the answer is 304 then. */
export const noneMatchNames = (header: string | undefined, etag: string): boolean => {
  if (header === undefined) return false
  if (header.trim() === "*") return true
  const tags: ReadonlyArray<string> = header.match(/(?:W\/)?"[^"]*"/g) ?? []
  return tags.some((tag) => opaque(tag) === opaque(etag))
}

// The two obsolete forms of HTTP dates, which a server must still read; both are in GMT.
const rfc850 = /^[a-z]+, (\d\d-[a-z]{3}-\d\d \d\d:\d\d:\d\d) GMT$/i
const asctime = /^[a-z]{3} ([a-z]{3} [ \d]\d \d\d:\d\d:\d\d \d{4})$/i

/** Parses a date into milliseconds since 1970; undefined for a text that is no date. */
const httpDate = (header: string): number | undefined => {
  const text = header.trim()
  const [, obsolete] = rfc850.exec(text) ?? asctime.exec(text) ?? []
  if (obsolete === undefined) return parseMoment(text)?.millis
  const millis = Date.parse(`${obsolete} GMT`)
  return Number.isNaN(millis) ? undefined : millis
}

/**
 * Whether `If-Unmodified-Since` lets a record that was last changed at `updatedAtMillis` be deleted. An unreadable date is
 * ignored. The record's time is not cut to seconds, so its own time without fraction refuses.
 */
export const preconditionHolds = (header: string | undefined, updatedAtMillis: number): boolean => {
  const since = header === undefined ? undefined : httpDate(header)
  return since === undefined || updatedAtMillis <= since
}

/** A request by its headers, whose names are in lower case. */
interface Headed {
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** Refuses with 412 to delete a record that was changed after the time of `If-Unmodified-Since`. */
export const requireUnmodified = (updatedAtMillis: number, { headers }: Headed) =>
  preconditionHolds(headers["if-unmodified-since"], updatedAtMillis) ? Effect.void : Effect.fail(preconditionFailed)
