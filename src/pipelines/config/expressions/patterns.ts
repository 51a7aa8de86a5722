import { Result } from "effect"
import { RE2JS } from "re2js"
import type { Budget } from "../Budget.ts"
import { maxPatternSize } from "../limits.ts"
import { compileCost } from "./patternCost.ts"

/** A compiled regular expression. */
export interface Pattern {
  readonly test: (text: string) => boolean
}

/** The regular expressions of one configuration, in the syntax of RE2, each of which is compiled once. */
export interface Patterns {
  /** Compiles `/source/flags`; undefined if that is not a regular expression, or too large, or the budget is spent. */
  readonly compile: (literal: string) => Pattern | undefined
}

const literalForm = /^\/(.*)\/([ismU]*)$/s

/** Whether a text has the form of a regular expression; it may be a wrong one. */
export const looksLikePattern = (text: string): boolean => literalForm.test(text)

export const makePatterns = (budget: Budget): Patterns => {
  const compiled = new Map<string, Pattern | undefined>()
  const compile = (literal: string): Pattern | undefined => {
    const [, source, flags] = literalForm.exec(literal) ?? []
    const re2 = source === undefined ? undefined : compileSource(flags ? `(?${flags})${source}` : source, budget)
    return re2 && remembering(re2, budget)
  }
  return {
    compile: (literal) => {
      if (!compiled.has(literal)) compiled.set(literal, compile(literal))
      return compiled.get(literal)
    }
  }
}

/** Undefined for a wrong expression, one that is too large, and once the budget is spent. */
export const compileSource = (source: string, budget: Budget): RE2JS | undefined => {
  // What the cost is takes time, too.
  if (!budget.spend(0)) return undefined
  const cost = compileCost(source)
  if (cost === undefined || !budget.spend(cost)) return undefined
  const compiled = Result.try({ try: () => RE2JS.compile(source), catch: () => undefined })
  return Result.isSuccess(compiled) && compiled.success.programSize() <= maxPatternSize ? compiled.success : undefined
}

const charactersAStep = 8

/** The steps that a match takes at most. */
export const matchCost = (re2: RE2JS, text: string): number => 1 + Math.ceil((re2.programSize() * text.length) / charactersAStep)

/** Each text is tried once. Once the budget is spent, none fits. */
const remembering = (re2: RE2JS, budget: Budget): Pattern => {
  const tried = new Map<string, boolean>()
  return {
    test: (text) => {
      const known = tried.get(text)
      if (known !== undefined) return known
      if (!budget.spend(matchCost(re2, text))) return false
      const fits = re2.test(text)
      tried.set(text, fits)
      return fits
    }
  }
}
