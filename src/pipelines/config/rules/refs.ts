import type { Context } from "../context.ts"
import type { Patterns } from "../expressions/patterns.ts"

/** What `only` and `except` look at. */
export type RefFacts = Pick<Context, "source" | "ref" | "isTag" | "projectPath">

/**
 * Whether `only` or `except` mean a pipeline: by its kind, or the name of its ref, or a pattern of that; with `@` only in one project. One of
 * a merge request is meant by its kind alone.
 */
export const isRefMeant = (meant: string, { isTag, projectPath, ref, source }: RefFacts, patterns: Patterns): boolean => {
  const end = meant.indexOf("@")
  if (end >= 0 && meant.slice(end + 1) !== projectPath) return false
  const name = end < 0 ? meant : meant.slice(0, end)
  const kind = source.replace(/_event$/, "")
  if (kind === name || pluralOf(kind) === name) return true
  if (source === "merge_request_event") return false
  if (name === (isTag ? "tags" : "branches")) return true
  const pattern = patterns.compile(name)
  return pattern === undefined ? name === ref : pattern.test(ref)
}

const pluralOf = (kind: string): string => {
  if (kind.endsWith("h")) return `${kind}es`
  return kind.endsWith("y") ? `${kind.slice(0, -1)}ies` : `${kind}s`
}
