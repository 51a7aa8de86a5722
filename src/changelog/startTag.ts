import { Result } from "effect"
import { RE2JS, RE2JSException } from "re2js"
import { Budget } from "./budget.ts"
import { type ChangelogFailed, failures } from "./errors.ts"
import { defaultTagRegex, groupOf, requestedVersion, stableVersion } from "./version.ts"
import { nextLower } from "./versionOrder.ts"

const maxRegexLength = 1000
/** Matching takes at most the length of the text times the size of the expression. */
const matchingSteps = 100_000_000

// Gap: where the reference gives up on a large expression is not shown; the text is the engine's.
const tooLarge = failures.tagRegexInvalid("pattern too large - compile failed")

const compiled = (regex: string): Result.Result<RE2JS, ChangelogFailed> => {
  if (regex.length > maxRegexLength) return Result.fail(tooLarge)
  return Result.try({ try: () => RE2JS.compile(regex), catch: (thrown) => failures.tagRegexInvalid(engineText(thrown)) })
}

const engineText = (thrown: unknown): string => {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  return thrown instanceof RE2JSException ? text.replace(/^error parsing regexp: /, "") : text
}

/** The tags of stable versions by version; of two tags for one version the last. */
const stableTags = (tags: Iterable<string>, regex: RE2JS): Result.Result<ReadonlyMap<string, string>, ChangelogFailed> => {
  const budget = new Budget(matchingSteps)
  const found = new Map<string, string>()
  for (const tag of tags) {
    const matcher = regex.matcher(tag)
    if (!budget.spend((tag.length + 1) * matcher.programSize())) return Result.fail(tooLarge)
    if (!matcher.find() || groupOf(matcher, "pre") !== undefined) continue
    const version = stableVersion(matcher)
    if (version !== undefined) found.set(version, tag)
  }
  return Result.succeed(found)
}

/**
 * The tag of the highest stable version below `version`. `tagRegex` is in the syntax of RE2 with the groups `major`, `minor`,
 * `patch` and optionally `pre` and `meta`; null is the default.
 */
export const startTag = (
  version: string,
  tags: Iterable<string>,
  tagRegex: string | null
): Result.Result<string, ChangelogFailed> =>
  Result.gen(function* () {
    const regex = yield* compiled(tagRegex ?? defaultTagRegex)
    const requested = yield* requestedVersion(version)
    const found = yield* stableTags(tags, regex)
    const tag = found.get(nextLower(found.keys(), requested) ?? "")
    return tag === undefined ? yield* Result.fail(failures.startUnknown()) : tag
  })
