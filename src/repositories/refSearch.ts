import { Result } from "effect"
import { RE2JS } from "re2js"
import { Budget } from "../changelog/budget.ts"
import { matchesPattern } from "../git/pushPolicy.ts"

interface Named {
  readonly name: string
}

const fold = (text: string): string => text.toUpperCase()

const isFound = (term: string): ((name: string) => boolean) => {
  if (term.startsWith("^")) return (name) => name.startsWith(term.slice(1))
  if (term.endsWith("$")) return (name) => name.endsWith(term.slice(0, -1))
  return term.includes("*") ? (name) => matchesPattern(term, name) : (name) => name.includes(term)
}

/** Branches or tags whose names fit a text, in their order, but one of exactly this name first. Case does not count. */
export const searched = <R extends Named>(refs: ReadonlyArray<R>, text: string | null | undefined): ReadonlyArray<R> => {
  if (!text) return refs
  const term = fold(text)
  const test = isFound(term)
  const found = refs.filter(({ name }) => test(fold(name)))
  const isExact = ({ name }: R) => fold(name) === term
  return [...found.filter(isExact), ...found.filter((ref) => !isExact(ref))]
}

const longestRegex = 1000
/** Matching takes at most the length of the text times the size of the expression. */
const matchingSteps = 100_000_000

/** Branches or tags whose names a regular expression matches somewhere; a failure where that makes no sense or takes too long. */
export const matching = <R extends Named>(refs: ReadonlyArray<R>, regex: string): Result.Result<ReadonlyArray<R>, unknown> => {
  if (regex.length > longestRegex) return Result.fail("too long")
  const compiled = Result.try({ try: () => RE2JS.compile(regex), catch: (reason) => reason })
  return Result.flatMap(compiled, (expression) => {
    const budget = new Budget(matchingSteps)
    const found: Array<R> = []
    for (const ref of refs) {
      const matcher = expression.matcher(ref.name)
      if (!budget.spend((ref.name.length + 1) * matcher.programSize())) return Result.fail("too many steps")
      if (matcher.find()) found.push(ref)
    }
    return Result.succeed(found)
  })
}
