import type { Caller } from "../http/access/Caller.ts"

/** What a user awarded: an emoji of some name, whatever there is, or nothing. */
export interface Reaction {
  readonly by: number
  readonly emoji: { readonly name: string } | "any" | "none"
}

/** What a parameter says of the caller's own emoji. Who has no account has none, and is not asked for any. */
export const reactionOf = (text: string | null | undefined, caller: Caller | undefined): Reaction | undefined => {
  if (!text || caller === undefined) return undefined
  const word = text.toLowerCase()
  return { by: caller.user.id, emoji: word === "any" || word === "none" ? word : { name: text } }
}

/** The same of what is left out, where every word is a name. */
export const namedReactionOf = (name: string | null | undefined, caller: Caller | undefined): Reaction | undefined =>
  !name || caller === undefined ? undefined : { by: caller.user.id, emoji: { name } }
