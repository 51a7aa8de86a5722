import { stripEnds } from "../../kernel/stripEnds.ts"
import { closesSentence, type MessageFacts } from "./messageFacts.ts"

/** How many commits are told of: the newest ones. */
const maxCommits = 100
/** The longest message of a commit, in characters, that is told in whole. */
const maxCommitMessage = 100 * 2 ** 10
/** The most characters of a message: a description of the longest kind, and as much again. */
const maxMessage = 2 * 2 ** 20

/** Gap: of a commit with a message that is too long the title is told. */
const commitItem = (message: string): string => {
  const text = message.trim()
  return `* ${text.length > maxCommitMessage ? (text.split("\n", 1)[0] ?? "").slice(0, maxCommitMessage) : text}`
}

const recent = ({ commits }: MessageFacts) => commits.slice(0, maxCommits)
const ownCommits = (facts: MessageFacts) => recent(facts).filter(({ isMerge }) => !isMerge)

const trailers = (name: string, people: ReadonlyArray<{ readonly name: string; readonly email: string }>): string =>
  people.map((person) => `${name}: ${person.name} <${person.email}>`).join("\n")

const coAuthors = (facts: MessageFacts): string => {
  const names = new Map(recent(facts).map(({ authorEmail, authorName }) => [authorEmail, authorName] as const))
  names.delete(facts.author.email)
  return trailers(
    "Co-authored-by",
    [...names].map(([email, name]) => ({ name, email }))
  )
}

const values: ReadonlyMap<string, (facts: MessageFacts) => string> = new Map([
  ["title", ({ title }) => title],
  ["description", ({ description }) => description ?? ""],
  ["source_branch", ({ sourceBranch }) => sourceBranch],
  ["target_branch", ({ targetBranch }) => targetBranch],
  ["issues", ({ issues }) => closesSentence(issues)],
  ["reference", ({ reference }) => reference],
  ["url", ({ url }) => url],
  ["first_commit", ({ commits }) => commits.at(-1)?.message.trim() ?? ""],
  [
    "first_multiline_commit",
    (facts) =>
      ownCommits(facts)
        .map(({ message }) => message.trim())
        .findLast((message) => message.includes("\n")) ?? facts.title
  ],
  [
    "all_commits",
    (facts) =>
      ownCommits(facts)
        .map(({ message }) => commitItem(message))
        .join("\n\n")
  ],
  ["reviewed_by", ({ reviewers }) => trailers("Reviewed-by", reviewers)],
  ["approved_by", ({ approvers }) => trailers("Approved-by", approvers)],
  ["merged_by", ({ merger }) => `${merger.name} <${merger.email}>`],
  ["co_authored_by", coAuthors]
])

const withoutReturns = (text: string): string => text.replaceAll("\r\n", "\n")

/** What each placeholder stands for; undefined for a name that is none. Each is computed once. */
const valuesOf = (facts: MessageFacts): ((name: string) => string | undefined) => {
  const known = new Map<string, string>()
  return (name) => {
    const value = known.get(name) ?? values.get(name)?.(facts)
    if (value === undefined) return undefined
    const text = withoutReturns(value)
    known.set(name, text)
    return text
  }
}

const isBlank = (text: string): boolean => text.trim() === ""
const placeholder = /%\{([a-z_]+)\}/g
const lonePlaceholder = /^\s*%\{([a-z_]+)\}\s*$/

/** The lines that remain: an empty placeholder that has a line of its own goes, with the blank lines before it. */
const remaining = (template: string, lookUp: (name: string) => string | undefined): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const line of template.split("\n")) {
    const value = lookUp(lonePlaceholder.exec(line)?.[1] ?? "")
    if (value === undefined || !isBlank(value)) lines.push(line)
    else while (lines.length > 0 && isBlank(lines.at(-1) ?? "")) lines.pop()
  }
  return lines
}

/**
 * The message that a template makes, without line ends around it. What a value contains is not read as a template; unknown placeholders
 * stay. Gap: a value for which a message of two MiB has no more room is left out.
 */
export const renderTemplate = (template: string, facts: MessageFacts): string => {
  const lookUp = valuesOf(facts)
  const text = remaining(withoutReturns(template), lookUp).join("\n")
  let room = maxMessage - text.length
  const message = text.replace(placeholder, (written: string, name: string) => {
    const value = lookUp(name) ?? written
    const fits = value.length <= room
    if (fits) room -= value.length
    return fits ? value : ""
  })
  return stripEnds(message, (character) => character === "\n")
}
