import { Effect } from "effect"
import type { Files } from "../context.ts"
import type { Reading } from "../entries/place.ts"
import type { Policy } from "../entries/policy.ts"
import type { Rule } from "../entries/rules.ts"
import { holds } from "../expressions/evaluate.ts"
import type { Expression } from "../expressions/expression.ts"
import type { Scope } from "../scope.ts"
import { makeGlobs } from "./globs.ts"
import { isRefMeant, type RefFacts } from "./refs.ts"

/** What decides whether rules hold: the commit is asked at most once, and only where a rule needs it. */
export interface Judge {
  /** The first rule that holds; undefined if none does. */
  readonly firstRule: (rules: ReadonlyArray<Rule>, scope: Scope) => Effect.Effect<Rule | undefined>
  /** Whether all that `only` says holds. */
  readonly allOf: (policy: Policy, scope: Scope) => Effect.Effect<boolean>
  /** Whether anything that `except` says holds. */
  readonly anyOf: (policy: Policy, scope: Scope) => Effect.Effect<boolean>
  /** The files of the commit that a pattern fits. */
  readonly matchingPaths: (glob: string) => Effect.Effect<ReadonlyArray<string>>
}

export const makeJudge = (reading: Reading, files: Files, facts: RefFacts): Effect.Effect<Judge> =>
  Effect.gen(function* () {
    const globs = makeGlobs(reading.budget)
    const changedPaths = yield* Effect.cached(files.changedPaths)
    const paths = yield* Effect.cached(files.paths)
    const holdsIn = (expression: Expression, scope: Scope): boolean =>
      holds(expression, { variable: scope.value, patterns: reading.patterns })

    const haveChanged = (patterns: ReadonlyArray<string>) =>
      Effect.map(changedPaths, (changed) => changed === undefined || globs.anyFits(patterns, changed))

    const areThere = (patterns: ReadonlyArray<string>) => Effect.map(paths, (all) => globs.anyExists(patterns, all))

    const expanded = (patterns: ReadonlyArray<string>, scope: Scope) =>
      patterns.map((pattern) => scope.expand(pattern, { keepsUnknown: true }))

    const fits = Effect.fnUntraced(function* (rule: Rule, scope: Scope) {
      if (rule.if !== undefined && !holdsIn(rule.if, scope)) return false
      if (rule.changes !== undefined && !(yield* haveChanged(expanded(rule.changes, scope)))) return false
      return rule.exists === undefined || (yield* areThere(expanded(rule.exists, scope)))
    })

    /** What the conditions of a policy say, each on its own. */
    const outcomes = ({ changes, refs, variables }: Policy, scope: Scope): ReadonlyArray<Effect.Effect<boolean>> => [
      ...(refs === undefined ? [] : [Effect.sync(() => refs.some((ref) => isRefMeant(ref, facts, reading.patterns)))]),
      ...(variables === undefined ? [] : [Effect.sync(() => variables.some((expression) => holdsIn(expression, scope)))]),
      ...(changes === undefined ? [] : [haveChanged(changes)])
    ]

    return {
      matchingPaths: (glob) => Effect.map(paths, (all) => globs.fitting(glob, all)),
      firstRule: Effect.fnUntraced(function* (rules: ReadonlyArray<Rule>, scope: Scope) {
        for (const rule of rules) if (yield* fits(rule, scope)) return rule
        return undefined
      }),
      allOf: Effect.fnUntraced(function* (policy: Policy, scope: Scope) {
        for (const outcome of outcomes(policy, scope)) if (!(yield* outcome)) return false
        return true
      }),
      anyOf: Effect.fnUntraced(function* (policy: Policy, scope: Scope) {
        for (const outcome of outcomes(policy, scope)) if (yield* outcome) return true
        return false
      })
    }
  })
