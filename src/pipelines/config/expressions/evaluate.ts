import type { Expression } from "./expression.ts"
import type { Pattern, Patterns } from "./patterns.ts"
import type { Operator } from "./tokens.ts"

/** What an expression is evaluated with. */
export interface Evaluation {
  /** The value of a variable as it is written. */
  readonly variable: (name: string) => string | undefined
  readonly patterns: Patterns
}

type Outcome = null | boolean | string | Pattern

/** Whether an expression holds: it is neither null nor false nor a blank text. */
export const holds = (expression: Expression, evaluation: Evaluation): boolean => {
  const outcome = evaluate(expression, evaluation)
  return typeof outcome === "string" ? outcome.trim() !== "" : outcome !== null && outcome !== false
}

const evaluate = (expression: Expression, evaluation: Evaluation): Outcome => {
  switch (expression._tag) {
    case "Variable":
      return evaluation.variable(expression.name) ?? null
    case "Text":
      return expression.text
    case "Pattern":
      return expression.pattern
    case "Null":
      return null
    case "Operation":
      return operate(expression.operator, evaluate(expression.left, evaluation), expression.right, evaluation)
  }
}

/** An empty text is true here, unlike as an outcome: what follows `&&` is the outcome then, and what follows `||` is not. */
const isTrue = (outcome: Outcome): boolean => outcome !== null && outcome !== false

const operate = (operator: Operator, left: Outcome, rightSide: Expression, evaluation: Evaluation): Outcome => {
  if (operator === "&&") return isTrue(left) ? evaluate(rightSide, evaluation) : left
  if (operator === "||") return isTrue(left) ? left : evaluate(rightSide, evaluation)
  const right = evaluate(rightSide, evaluation)
  switch (operator) {
    case "==":
      return left === right
    case "!=":
      return left !== right
    case "=~":
      return matches(left, right, evaluation)
    case "!~":
      return !matches(left, right, evaluation)
  }
}

const matches = (left: Outcome, right: Outcome, { patterns }: Evaluation): boolean => {
  const text = typeof left === "string" ? left : ""
  if (typeof right !== "string") return typeof right === "object" && right !== null && right.test(text)
  // The value of a variable may be a pattern; of any other text, the reference asks whether it has the left one in it.
  const pattern = patterns.compile(right.replaceAll("\\/", "/"))
  return pattern === undefined ? right.includes(text) : pattern.test(text)
}
