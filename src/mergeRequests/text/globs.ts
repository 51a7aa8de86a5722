import { readClass } from "./globClasses.ts"

/** How many single steps may still be made. */
export interface Budget {
  /** Takes a step, where one is left. */
  readonly hasStep: () => boolean
  readonly isSpent: () => boolean
}

export const createBudget = (steps: number): Budget => {
  let left = steps
  return { hasStep: () => left-- > 0, isSpent: () => left < 0 }
}

/** What one part of a pattern stands for: any characters, one by its code point, or one of which a test tells. */
type Token = "any" | number | ((character: string) => boolean)
type Segment = "any" | ReadonlyArray<Token>

/** A token with where the next one begins. */
const tokenAt = (segment: string, at: number): readonly [token: Token, next: number] => {
  const character = segment.charAt(at)
  if (character === "*") return ["any", at + 1]
  if (character === "?") return [() => true, at + 1]
  if (character === "[") {
    const found = readClass(segment, at)
    // As in git, a pattern with a bracket that is not closed matches nothing.
    return found === undefined ? [() => false, segment.length] : [found.accepts, found.end + 1]
  }
  const begin = character === "\\" ? at + 1 : at
  const literal = segment.codePointAt(begin) ?? 0
  return [literal, begin + (literal > 0xffff ? 2 : 1)]
}

const tokensOf = (segment: string): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  for (let at = 0; at < segment.length; ) {
    const [token, next] = tokenAt(segment, at)
    if (token !== "any" || tokens.at(-1) !== "any") tokens.push(token)
    at = next
  }
  return tokens
}

/**
 * Whether parts match things one by one, where an `any` matches as many as there are. Only the last `any` is ever tried again, so that the
 * steps are at most the product of both lengths; without a step left nothing matches.
 */
const matchesAll = <Part, Thing>(
  parts: ReadonlyArray<Part | "any">,
  things: ReadonlyArray<Thing>,
  matches: (part: Part, thing: Thing) => boolean,
  budget: Budget
): boolean => {
  let part = 0
  let at = 0
  let retry: { readonly part: number; readonly at: number } | undefined
  while (at < things.length) {
    if (!budget.hasStep()) return false
    const [one, thing] = [parts[part], things[at]]
    if (one === "any") {
      part++
      retry = { part, at }
    } else if (one !== undefined && thing !== undefined && matches(one, thing)) {
      part++
      at++
    } else if (retry !== undefined) {
      retry = { part: retry.part, at: retry.at + 1 }
      part = retry.part
      at = retry.at
    } else return false
  }
  return parts.slice(part).every((one) => one === "any")
}

/** A path in its names, and these in their characters. */
export type SplitPath = ReadonlyArray<ReadonlyArray<string>>

export const splitPath = (path: string): SplitPath => path.split("/").map((name) => [...name])

const fits = (token: Exclude<Token, "any">, character: string): boolean =>
  typeof token === "number" ? character.codePointAt(0) === token : token(character)

export type Glob = (path: SplitPath, budget: Budget) => boolean

const segmentsOf = (pattern: string): ReadonlyArray<Segment> => {
  const segments = (pattern.startsWith("/") ? pattern.slice(1) : pattern)
    .split("/")
    .map((segment) => (segment === "**" ? "any" : tokensOf(segment)))
  // At the end, `**` is of what lies in a folder, not of the folder.
  return segments.at(-1) === "any" ? [...segments, ["any"]] : segments
}

/**
 * A pattern of `.gitattributes`: without a slash it is of names in any folder, else of the path from the root, where `**` stands for any
 * folders. One that ends with a slash matches nothing.
 */
export const compileGlob = (pattern: string): Glob => {
  const segments = segmentsOf(pattern)
  const isOfNames = !pattern.includes("/")
  return (path, budget) =>
    matchesAll(segments, isOfNames ? path.slice(-1) : path, (segment, name) => matchesAll(segment, name, fits, budget), budget)
}
