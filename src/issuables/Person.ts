import { Effect } from "effect"
import { invalidParameters, type WireError } from "../http/answer/errors.ts"
import { toId } from "../http/parameters/coerce.ts"

/** Somebody by their id or user name. */
export type NamedPerson = { readonly id: number } | { readonly username: string }

/** Somebody, whoever there is, or nobody: what lists are asked for. */
export type Person = NamedPerson | "any" | "none"

export const anyOrNone = (text: string): "any" | "none" | undefined => {
  const word = text.toLowerCase()
  return word === "any" || word === "none" ? word : undefined
}

/** Somebody by what a parameter says: an id, `None` or `Any`; blank for nobody in particular. */
export const personBy = (name: string, text: string | null | undefined): Effect.Effect<Person | undefined, WireError> => {
  if (text === null || text === undefined || text === "") return Effect.undefined
  const word = anyOrNone(text)
  if (word !== undefined) return Effect.succeed(word)
  const id = toId(text)
  if (typeof id === "number") return Effect.succeed({ id })
  return Effect.fail(invalidParameters([`${name} should be an integer, none, or any, however got ${text}`]))
}

export const byName = (text: string | null | undefined): NamedPerson | undefined => (text ? { username: text } : undefined)
export const byId = (id: number | null | undefined): NamedPerson | undefined =>
  id === null || id === undefined ? undefined : { id }
