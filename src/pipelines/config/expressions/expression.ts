import type { Pattern, Patterns } from "./patterns.ts"
import { type Operator, type Token, tokensOf } from "./tokens.ts"

/** A condition on variables, as in `if`. */
export type Expression =
  | { readonly _tag: "Variable"; readonly name: string }
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Pattern"; readonly pattern: Pattern }
  | { readonly _tag: "Null" }
  | { readonly _tag: "Operation"; readonly operator: Operator; readonly left: Expression; readonly right: Expression }

/** Those of the first level bind least. */
const levels: ReadonlyArray<ReadonlyArray<Operator>> = [["||"], ["&&"], ["==", "!=", "=~", "!~"]]

interface Parsing {
  readonly tokens: ReadonlyArray<Token>
  readonly patterns: Patterns
  position: number
}

/** Parses `$A == "b" && ($C =~ /d/ || $E)`; undefined if it is not well formed. */
export const parseExpression = (text: string, patterns: Patterns): Expression | undefined => {
  const tokens = tokensOf(text)
  if (tokens === undefined) return undefined
  const parsing: Parsing = { tokens, patterns, position: 0 }
  const expression = parseLevel(parsing, 0)
  return parsing.position === tokens.length ? expression : undefined
}

const parseLevel = (parsing: Parsing, level: number): Expression | undefined => {
  const operators = levels[level]
  if (operators === undefined) return parseOperand(parsing)
  let left = parseLevel(parsing, level + 1)
  for (let operator = nextOf(parsing, operators); left !== undefined && operator !== undefined; ) {
    const right = parseLevel(parsing, level + 1)
    left = right && { _tag: "Operation", operator, left, right }
    operator = nextOf(parsing, operators)
  }
  return left
}

/** Takes the next token if it is one of these operators. */
const nextOf = (parsing: Parsing, operators: ReadonlyArray<Operator>): Operator | undefined => {
  const token = parsing.tokens[parsing.position]
  if (token?._tag !== "Operator" || !operators.includes(token.operator)) return undefined
  parsing.position++
  return token.operator
}

const parseOperand = (parsing: Parsing): Expression | undefined => {
  const token = parsing.tokens[parsing.position++]
  switch (token?._tag) {
    case "Variable":
    case "Text":
    case "Null":
      return token
    case "Pattern": {
      const pattern = parsing.patterns.compile(token.literal)
      return pattern && { _tag: "Pattern", pattern }
    }
    case "Open": {
      const inner = parseLevel(parsing, 0)
      return parsing.tokens[parsing.position++]?._tag === "Close" ? inner : undefined
    }
    default:
      return undefined
  }
}
