/** What `git check-ref-format` calls bad anywhere in a name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const forbidden = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|^[./]|\.lock(\/|$)|[./]$/
/** A name has at most this many bytes, because git makes a file and a lock file of it. */
const maxNameBytes = 1024
const maxPartBytes = 200

const isPlain = (name: string): boolean =>
  name !== "" &&
  name !== "@" &&
  !forbidden.test(name) &&
  name.isWellFormed() &&
  Buffer.byteLength(name) <= maxNameBytes &&
  name.split("/").every((part) => Buffer.byteLength(part) <= maxPartBytes)

/**
 * Whether this may be the full name of a ref, such as `refs/heads/main`: what `git check-ref-format` accepts, of at most 1,024
 * bytes (200 between slashes), without a dash in front, which would be an option.
 */
export const isRefName = (name: string): boolean => name.includes("/") && !name.startsWith("-") && isPlain(name)

/** Whether this may be the name of a branch (`main`): as `git check-ref-format --branch`, without shorthands such as `@{-1}`. */
export const isBranchName = (name: string): boolean => isPlain(name) && !name.startsWith("-") && name !== "HEAD"

/** Whether this may be the name of a tag (`v1.0`). */
export const isTagName = (name: string): boolean => isBranchName(name)

/** Whether a name reads as the id of a commit. */
export const looksLikeCommit = (name: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(name)

/** Whether a branch or tag of this name would be taken for something else: a commit, or a full name. */
export const isMisleading = (name: string): boolean => looksLikeCommit(name) || /^refs\/(?:heads|remotes|tags)\//.test(name)

/** The prefix of refs that are internal to the service: users neither see nor name them. */
export const hiddenRefs = "refs/internal/"

const ownRefs = /^refs\/(?:environments|internal|keep-around|merge-requests|pipelines)\//i

/** Whether only the service itself moves a ref; the log does not tell of such refs. */
export const isOwnRef = (name: string): boolean => ownRefs.test(name)

export const branchRef = (name: string): string => `refs/heads/${name}`
export const tagRef = (name: string): string => `refs/tags/${name}`

const below = (prefix: string, ref: string): string | undefined => (ref.startsWith(prefix) ? ref.slice(prefix.length) : undefined)

/** The branch or tag of a full name; undefined for every other ref. */
export const branchOf = (ref: string): string | undefined => below(branchRef(""), ref)
export const tagOf = (ref: string): string | undefined => below(tagRef(""), ref)
