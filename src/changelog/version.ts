import { Result } from "effect"
import { type ChangelogFailed, failures } from "./template/errors.ts"

const number = "(?:0|[1-9][0-9]*)"
const core = `(?P<major>${number})\\.(?P<minor>${number})\\.(?P<patch>${number})`
// The longest alternative comes first, so that a search without an end finds all of a part.
const identifier = "(?:[0-9]*[a-zA-Z-][0-9a-zA-Z-]*|[1-9][0-9]*|0)"
const extras = `(?:-(?P<pre>${identifier}(?:\\.${identifier})*))?(?:\\+(?P<meta>[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?`

/** A semantic version with an optional `v`, in the syntax of RE2: what tags look like unless the configuration says otherwise. */
export const defaultTagRegex = `^v?${core}${extras}$`

/** The engine of the language is the faster one, and it never goes back far in an expression of ours. */
const native = (expression: string): RegExp => new RegExp(expression.replaceAll("(?P<", "(?<"))

const whole = native(defaultTagRegex)
const atStart = native(`^${core}${extras}`)

/**
 * What the endpoints ask of a version at least: `X.Y.Z` anywhere in it, of which the outer numbers may be parts of longer ones.
 * Gap: at most 255 characters.
 */
export const versionPattern = /^(?=[\s\S]{0,255}$)[\s\S]*[0-9]\.(?:0|[1-9][0-9]*)\.[0-9]/

/** The version as it is printed and sorted: without a leading `v`. */
export const withoutPrefix = (version: string): string => (version.startsWith("v") ? version.slice(1) : version)

/** The semantic version without `v` that the text starts with, of its first 255 characters; all that follows is ignored. */
export const leadingVersion = (text: string): string | undefined => atStart.exec(text.slice(0, 255))?.[0]

/** What the named groups of an expression found; null, undefined or absent where one took no part. */
export type Groups = Readonly<Record<string, string | null | undefined>>

/** The groups in a text that looks like a semantic version with an optional `v`. */
export const semanticGroups = (text: string): Groups | undefined => whole.exec(text)?.groups

/** The group's text; undefined if the expression has no such group, or it took no part, or is empty. */
export const groupOf = (groups: Groups, name: string): string | undefined => groups[name] || undefined

/** `major.minor.patch`, and `+meta` if there is one; undefined if one of the three is missing. The part `pre` is left out. */
export const stableVersion = (groups: Groups): string | undefined => {
  const [major, minor, patch, meta] = ["major", "minor", "patch", "meta"].map((name) => groupOf(groups, name))
  if (major === undefined || minor === undefined || patch === undefined) return undefined
  return `${major}.${minor}.${patch}${meta === undefined ? "" : `+${meta}`}`
}

/** The stable version that a request for `version` is about: `v0.6.0-rc1` is about `0.6.0`. */
export const requestedVersion = (version: string): Result.Result<string, ChangelogFailed> => {
  if (version.trim() === "") return Result.fail(failures.versionBlank())
  const groups = semanticGroups(version)
  const stable = groups && stableVersion(groups)
  return stable === undefined ? Result.fail(failures.versionMalformed()) : Result.succeed(stable)
}
