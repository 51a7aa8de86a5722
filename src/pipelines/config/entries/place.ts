import type { Budget } from "../Budget.ts"
import type { Expression } from "../expressions/expression.ts"
import { parseExpression } from "../expressions/expression.ts"
import { makePatterns, type Patterns } from "../expressions/patterns.ts"

/** What all entries of one configuration share while they are read. */
export interface Reading {
  readonly budget: Budget
  readonly patterns: Patterns
  /** Undefined for an expression that is not well formed. */
  readonly expression: (text: string) => Expression | undefined
  readonly faults: Array<string>
}

export const startReading = (budget: Budget): Reading => {
  const patterns = makePatterns(budget)
  const expressions = new Map<string, Expression | undefined>()
  return {
    budget,
    patterns,
    expression: (text) => {
      if (!expressions.has(text)) expressions.set(text, parseExpression(text, patterns))
      return expressions.get(text)
    },
    faults: []
  }
}

/** Where an entry stands. */
export interface Place {
  /** As the reference tells it: `jobs:build:script`; empty at the top. */
  readonly path: string
  readonly reading: Reading
}

export const within = ({ path, reading }: Place, key: string): Place => ({ path: path === "" ? key : `${path}:${key}`, reading })

/** Tells what is wrong with an entry, all in small letters, as the reference does. */
export const wrong = ({ path, reading }: Place, fault: string): undefined => {
  reading.faults.push(`${path} ${fault}`.toLowerCase())
}

/** Tells what is wrong where the reference leaves the letters as they are. */
export const wrongVerbatim = ({ path, reading }: Place, fault: string): undefined => {
  reading.faults.push(`${path} ${fault}`)
}

/** Tells of a keyword that the reference knows and this service does not. */
export const unsupported = (place: Place): undefined => wrongVerbatim(place, "is not supported here")
