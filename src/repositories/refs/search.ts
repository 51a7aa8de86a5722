import { Effect, Result } from "effect"
import { compileExpression } from "../../changelog/expression.ts"
import { Budget } from "../../changelog/template/budget.ts"
import type { Sliced } from "../../changelog/template/Sliced.ts"
import { filterInSlices } from "../../kernel/inSlices.ts"
import { matchesPattern } from "../../kernel/wildcards.ts"

interface Named {
  readonly name: string
}

const fold = (text: string): string => text.toUpperCase()

const isFound = (term: string): ((name: string) => boolean) => {
  if (term.startsWith("^")) return (name) => name.startsWith(term.slice(1))
  if (term.endsWith("$")) return (name) => name.endsWith(term.slice(0, -1))
  return term.includes("*") ? fits(term) : (name) => name.includes(term)
}

/** A pattern with more characters of its own than a name has is not taken apart for that one. */
const fits = (term: string): ((name: string) => boolean) => {
  const pattern = term.replace(/\*+/g, "*")
  const minLength = pattern.replaceAll("*", "").length
  return (name) => name.length >= minLength && matchesPattern(pattern, name)
}

/** Branches or tags whose names fit a text, in their order, but one of exactly this name first. Case does not count. */
export const searched = Effect.fnUntraced(function* <R extends Named>(
  refs: ReadonlyArray<R>,
  text: string | null | undefined
): Effect.fn.Return<ReadonlyArray<R>> {
  if (!text) return refs
  const term = fold(text)
  const test = isFound(term)
  const isExact = ({ name }: R) => fold(name) === term
  const found: ReadonlyArray<R> = yield* filterInSlices(refs, ({ name }) => test(fold(name)))
  const exact: ReadonlyArray<R> = yield* filterInSlices(found, isExact)
  if (exact.length === 0) return found
  return [...exact, ...(yield* filterInSlices(found, (ref) => !isExact(ref)))]
})

const matchingSteps = 100_000_000

/** Branches or tags whose names a regular expression matches somewhere; a failure where that makes no sense or takes too long. */
export const matching = function* <R extends Named>(
  refs: ReadonlyArray<R>,
  regex: string
): Sliced<Result.Result<ReadonlyArray<R>, unknown>> {
  const compiled = compileExpression(regex)
  if (Result.isFailure(compiled)) return Result.fail(compiled.failure)
  const { re2, size } = compiled.success
  const budget = new Budget(matchingSteps)
  const found: Array<R> = []
  for (const ref of refs) {
    if (!budget.spend((ref.name.length + 1) * size)) return Result.fail("too many steps")
    if (budget.pauses()) yield
    if (re2.matcher(ref.name).find()) found.push(ref)
  }
  return Result.succeed(found)
}
