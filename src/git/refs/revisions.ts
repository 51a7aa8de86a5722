import { Effect } from "effect"
import { Objects } from "../objects/Objects.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { branchOf, branchRef, hiddenRefs, isBranchName, tagOf, tagRef } from "./refNames.ts"
import { readRef } from "./refs.ts"

/** A name, and steps back from it. */
interface Revision {
  readonly base: string
  /** The steps, such as `~2^2` or `^{}`; mostly empty. */
  readonly steps: string
}

const form = /^([^~^]+)((?:~\d{0,5}|\^(?:\d{0,5}|\{(?:commit)?\}))*)$/
const maxStepsLength = 100

const parse = (text: string): Revision | undefined => {
  const [, name = "", steps = ""] = form.exec(text) ?? []
  const base = name === "@" ? "HEAD" : name
  return (base === "HEAD" || isBranchName(base)) && steps.length <= maxStepsLength ? { base, steps } : undefined
}

/**
 * Whether a text may name a commit: `HEAD` or `@`, a full or abbreviated id (4 digits at least), a branch, a tag, a full ref
 * (`refs/heads/main`, or short `heads/main`), each with steps to ancestors (`main~2`, `v1.0^2`) or to what a tag names (`v1.0^{}`,
 * `v1.0^{commit}`). Nothing else that `git` understands: no `@{…}`, `:path`, other `^{…}`, descriptions, ranges or options. Neither does
 * it have control characters, so that it is one line.
 */
export const isRevision = (text: string): boolean => parse(text) !== undefined

/**
 * The refs that a name may stand for, in the order in which they are tried: that of `git`, but for short names of refs that are neither
 * branches nor tags, which come last, so that `refs/release/1` hides no branch `release/1`. A full name stands for that branch or tag alone.
 */
const refsOf = (base: string): ReadonlyArray<string> => {
  if (branchOf(base) !== undefined || tagOf(base) !== undefined) return [base]
  const short = `refs/${base}`
  const names = [tagRef(base), branchRef(base)]
  const isFirst = branchOf(short) !== undefined || tagOf(short) !== undefined
  return [base, ...(isFirst ? [short, ...names] : [...names, short])].filter(
    (name) => name.startsWith("refs/") && !name.startsWith(hiddenRefs)
  )
}

/**
 * The id of the commit that a text from a user names, behind annotated tags; undefined when there is none, the text is not a revision,
 * or an abbreviated id fits several commits.
 */
export const resolveCommit = Effect.fnUntraced(function* (
  repository: Repository,
  text: string
): Effect.fn.Return<string | undefined, GitFailed, Objects> {
  const revision = parse(text)
  if (revision === undefined) return
  const objects = yield* Objects
  const { base, steps } = revision
  const commitAt = (start: string) => Effect.map(objects.info(repository, `${start}${steps}^{commit}`), (found) => found?.id)
  if (base === "HEAD" || /^[0-9a-f]{40}$/i.test(base)) return yield* commitAt(base)
  const found = yield* Effect.forEach(refsOf(base), (name) => readRef(repository, name), { concurrency: "unbounded" })
  // Steps start at the id that was found, because the ref may have moved by now.
  for (const ref of found) {
    const commit = ref === undefined ? undefined : yield* commitAt(ref.id)
    if (commit !== undefined) return commit
  }
  return /^[0-9a-f]{4,39}$/i.test(base) ? yield* commitAt(base) : undefined
})
