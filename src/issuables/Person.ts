import { Effect } from "effect"
import { invalidParameters, type WireError } from "../http/answer/errors.ts"

/** Somebody by their id or user name, whoever there is, or nobody: what lists are asked for. */
export type Person = { readonly id: number } | { readonly username: string } | "any" | "none"

export const anyOrNone = (text: string): "any" | "none" | undefined => {
  const word = text.toLowerCase()
  return word === "any" || word === "none" ? word : undefined
}

/** Somebody by what a parameter says: an id, `None` or `Any`; blank for nobody in particular. */
export const personBy = (name: string, text: string | null | undefined): Effect.Effect<Person | undefined, WireError> => {
  if (text === null || text === undefined || text === "") return Effect.undefined
  const word = anyOrNone(text)
  if (word !== undefined) return Effect.succeed(word)
  if (/^\d{1,15}$/.test(text)) return Effect.succeed({ id: Number(text) })
  return Effect.fail(invalidParameters([`${name} should be an integer, none, or any, however got ${text}`]))
}

export const byName = (text: string | null | undefined): Person | undefined => (text ? { username: text } : undefined)
export const byId = (id: number | null | undefined): Person | undefined => (id === null || id === undefined ? undefined : { id })
