import type { RE2JS } from "re2js"
import type { Budget } from "../Budget.ts"
import { compileSource, matchCost } from "../expressions/patterns.ts"
import { maxComparisons } from "../limits.ts"
import { globSource } from "./globSource.ts"

/** The patterns of paths of one configuration. */
export interface Globs {
  /** The paths that a pattern fits. */
  readonly fitting: (glob: string, paths: ReadonlyArray<string>) => ReadonlyArray<string>
  /** Whether any of the paths fits any of the patterns. Too many pairs count as fitting. */
  readonly anyFits: (globs: ReadonlyArray<string>, paths: ReadonlyArray<string>) => boolean
  /** The same of all paths of a commit, where `folder/` stands for anything in a folder. */
  readonly anyExists: (globs: ReadonlyArray<string>, paths: ReadonlyArray<string>) => boolean
}

const isExact = (glob: string): boolean => !/[*?[{\\]/.test(glob)

/** Where `*` is before what stands for one character, matching may take as long as the pattern. */
const isHard = (glob: string): boolean => /\*.*[?[]/s.test(glob)

/** Once the budget is spent, nothing fits. */
export const makeGlobs = (budget: Budget): Globs => {
  const compiled = new Map<string, RE2JS | undefined>()
  const outcomes = new WeakMap<ReadonlyArray<string>, Map<string, boolean>>()
  const sets = new WeakMap<ReadonlyArray<string>, ReadonlySet<string>>()
  const tops = new WeakMap<ReadonlyArray<string>, ReadonlyArray<string>>()

  const compile = (glob: string): RE2JS | undefined => {
    if (!budget.spend(Math.ceil(glob.length / 8))) return undefined
    const source = globSource(glob)
    return source === undefined ? undefined : compileSource(source, budget)
  }

  const testOf = (glob: string): ((path: string) => boolean) => {
    if (!compiled.has(glob)) compiled.set(glob, compile(glob))
    const re2 = compiled.get(glob)
    if (re2 === undefined) return () => false
    const costOf = isHard(glob) ? (path: string) => matchCost(re2, path) : easyCost
    return (path) => budget.spend(costOf(path)) && re2.test(path)
  }

  const fits = (glob: string, paths: ReadonlyArray<string>): boolean => paths.some(testOf(glob))

  const isFolder = (folder: string, paths: ReadonlyArray<string>): boolean =>
    budget.spend(Math.ceil(paths.length / 16)) && paths.some((path) => path.startsWith(folder))

  /** Jobs often share their patterns. */
  const remembered = (glob: string, paths: ReadonlyArray<string>, find: typeof fits): boolean => {
    const known = outcomes.get(paths) ?? new Map<string, boolean>()
    outcomes.set(paths, known)
    const outcome = known.get(glob) ?? find(glob, paths)
    known.set(glob, outcome)
    return outcome
  }

  const has = (paths: ReadonlyArray<string>, path: string): boolean => {
    const set = sets.get(paths) ?? new Set(paths)
    sets.set(paths, set)
    return set.has(path)
  }

  const anyFits = (globs: ReadonlyArray<string>, paths: ReadonlyArray<string>): boolean => {
    if (globs.some((glob) => isExact(glob) && has(paths, glob))) return true
    const inexact = globs.filter((glob) => !isExact(glob))
    return inexact.length * paths.length > maxComparisons || inexact.some((glob) => remembered(glob, paths, fits))
  }

  /** Patterns that fit nothing in folders are not compared with what lies there, which keeps large commits below the limit. */
  const atTop = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
    const known = tops.get(paths) ?? paths.filter((path) => !path.includes("/"))
    tops.set(paths, known)
    return known
  }

  return {
    fitting: (glob, paths) => paths.filter(testOf(glob)),
    anyFits,
    anyExists: (globs, paths) => {
      const folders = globs.filter((glob) => isExact(glob) && glob.endsWith("/"))
      if (folders.some((folder) => remembered(folder, paths, isFolder))) return true
      return anyFits(globs, globs.every(isOfTop) ? atTop(paths) : paths)
    }
  }
}

const isOfTop = (glob: string): boolean => !glob.includes("/") && !glob.includes("**")

const easyCost = (path: string): number => 1 + Math.ceil(path.length / 10)
