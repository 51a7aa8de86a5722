import { Result } from "effect"
import { RE2JSException } from "re2js"
import { compileExpression } from "./expression.ts"
import { Budget } from "./template/budget.ts"
import { type ChangelogFailed, failures } from "./template/errors.ts"
import type { Sliced } from "./template/Sliced.ts"
import { type Groups, groupOf, requestedVersion, semanticGroups, stableVersion } from "./version.ts"
import { nextLower } from "./versionOrder.ts"

const matchingSteps = 30_000_000

// Gap: where the reference gives up on a large expression is not shown; the text is the engine's.
const tooLarge = failures.tagRegexInvalid("pattern too large - compile failed")

/** How the versions of tags are found. */
interface TagPattern {
  /** Matching takes at most this many steps for each character of a tag. */
  readonly size: number
  readonly groupsIn: (tag: string) => Groups | undefined
}

const semantic: TagPattern = { size: 1, groupsIn: semanticGroups }

const compiled = (regex: string): Result.Result<TagPattern, ChangelogFailed> =>
  Result.mapBoth(compileExpression(regex), {
    onFailure: (thrown) => (thrown === undefined ? tooLarge : failures.tagRegexInvalid(engineText(thrown))),
    onSuccess: ({ re2, size }) => ({
      size,
      groupsIn: (tag: string) => {
        const matcher = re2.matcher(tag)
        return matcher.find() ? matcher.getNamedGroups() : undefined
      }
    })
  })

const engineText = (thrown: unknown): string => {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  return thrown instanceof RE2JSException ? text.replace(/^error parsing regexp: /, "") : text
}

/** The tags of stable versions by version; of two tags for one version the last. */
const stableTags = function* (
  tags: Iterable<string>,
  { groupsIn, size }: TagPattern
): Sliced<Result.Result<ReadonlyMap<string, string>, ChangelogFailed>> {
  const budget = new Budget(matchingSteps)
  const found = new Map<string, string>()
  for (const tag of tags) {
    if (!budget.spend((tag.length + 1) * size)) return Result.fail(tooLarge)
    if (budget.pauses()) yield
    const groups = groupsIn(tag)
    if (groups === undefined || groupOf(groups, "pre") !== undefined) continue
    const version = stableVersion(groups)
    if (version !== undefined) found.set(version, tag)
  }
  return Result.succeed(found)
}

/**
 * The tag of the highest stable version below `version`. `tagRegex` is in the syntax of RE2 with the groups `major`, `minor`,
 * `patch` and optionally `pre` and `meta`; null is the default.
 */
export const startTag = function* (
  version: string,
  tags: Iterable<string>,
  tagRegex: string | null
): Sliced<Result.Result<string, ChangelogFailed>> {
  const pattern = tagRegex === null ? Result.succeed(semantic) : compiled(tagRegex)
  if (Result.isFailure(pattern)) return Result.fail(pattern.failure)
  const requested = requestedVersion(version)
  if (Result.isFailure(requested)) return requested
  const found = yield* stableTags(tags, pattern.success)
  return Result.flatMap(found, (byVersion) => {
    const tag = byVersion.get(nextLower(byVersion.keys(), requested.success) ?? "")
    return tag === undefined ? Result.fail(failures.startUnknown()) : Result.succeed(tag)
  })
}
