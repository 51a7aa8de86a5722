import { Result } from "effect"
import { RE2JS } from "re2js"

/** An expression in the syntax of RE2. Matching takes at most `size` steps for each character of a text, and one more. */
export interface Expression {
  readonly re2: RE2JS
  readonly size: number
}

const maxSourceLength = 1000
/** Instructions of a compiled expression. */
const maxProgramSize = 5000

/** Fails with what the engine throws; with undefined for an expression that is too large. */
export const compileExpression = (source: string): Result.Result<Expression, unknown> => {
  if (source.length > maxSourceLength) return Result.fail(undefined)
  const compiled = Result.try({ try: () => RE2JS.compile(source), catch: (thrown) => thrown })
  return Result.flatMap(compiled, (re2) => {
    const size = re2.programSize()
    return size > maxProgramSize ? Result.fail(undefined) : Result.succeed({ re2, size })
  })
}
