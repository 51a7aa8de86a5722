import { copied } from "../../kernel/characters.ts"

/** An issue that a text names. */
export interface IssueReference {
  /** The path of its project as it is written, or undefined for the project of the text itself. One without a slash lies beside it. */
  readonly project: string | undefined
  readonly iid: number
}

/** Where the texts belong. */
export interface ReferenceContext {
  /** The URL of this service: addresses of other hosts mean nothing. */
  readonly externalUrl: string
  readonly projectPath: string
}

/** Gap: the most issues that are closed at once, so that no text makes many questions. */
const maxReferences = 1_000

// None of these can go over a text twice: what may be long is followed by nothing that could fail, or bounded.
const keyword =
  /(?<![\p{L}\p{N}_])(?:[Cc]los(?:e[sd]?|ing)|[Ff]ix(?:e[sd]|ing)?|[Rr]esolv(?:e[sd]?|ing)|[Ii]mplement(?:s|ed|ing)?):?[ \t]+/gu
const noun = /(?:issues?[ \t]+)?/y
const separator = /[ \t]*,?[ \t]*(?:and[ \t]+)?/y
const shortReference = /([\w.][\w./-]{0,1023})?#(\d{1,16})(?!\w)/y
const urlPath = /\/[\w./-]{1,1023}/y
const issuePath = /^\/(.+?)\/(?:-\/)?(?:issues|work_items)\/(\d{1,16})(?!\w)/
const urlEnd = /(?:[?#][^\s,]*)?/y

interface Found extends IssueReference {
  readonly end: number
}

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

const skip = (pattern: RegExp, text: string, at: number): number => at + (matchAt(pattern, text, at)?.[0].length ?? 0)

const urlAt = (text: string, at: number, base: string): Found | undefined => {
  if (text.slice(at, at + base.length).toLowerCase() !== base.toLowerCase()) return undefined
  const [path = ""] = matchAt(urlPath, text, at + base.length) ?? []
  const [whole = "", project, iid] = issuePath.exec(path) ?? []
  if (project === undefined) return undefined
  return { project, iid: Number(iid), end: skip(urlEnd, text, at + base.length + whole.length) }
}

const shortAt = (text: string, at: number): Found | undefined => {
  const [whole, project, iid] = matchAt(shortReference, text, at) ?? []
  return whole === undefined ? undefined : { project, iid: Number(iid), end: at + whole.length }
}

/** The references that stand one after the other from there, with `,` or `and` or blanks between them. */
function* listAt(text: string, start: number, base: string): Generator<Found> {
  for (let at = start; ; ) {
    const begin = skip(noun, text, at)
    const found = shortAt(text, begin) ?? urlAt(text, begin, base)
    if (found === undefined) return
    yield found
    at = skip(separator, text, found.end)
    if (at === found.end) return
  }
}

function* inText(text: string, base: string): Generator<Found> {
  const pattern = new RegExp(keyword)
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    for (const found of listAt(text, pattern.lastIndex, base)) {
      yield found
      pattern.lastIndex = found.end
    }
  }
}

/** The most that is read of a reference backwards from its `#`. */
const maxPath = 1_024
const pathCharacter = /[\w./-]/

/** Where the path in front of a `#` begins. */
const pathStart = (text: string, at: number): number => {
  let start = at
  while (start > 0 && at - start < maxPath && pathCharacter.test(text.charAt(start - 1))) start--
  while (start < at && /[-/]/.test(text.charAt(start))) start++
  return start
}

/** All that a text names, whether it is closed or not, but for numbers of characters such as `&#39;`. */
function* mentionedIn(text: string, base: string): Generator<Found> {
  for (let at = text.indexOf("#"); at >= 0; at = text.indexOf("#", at + 1)) {
    const start = pathStart(text, at)
    const found = text.charAt(start - 1) === "&" ? undefined : shortAt(text, start)
    if (found !== undefined) yield found
  }
  const [lower, lowerBase] = [text.toLowerCase(), base.toLowerCase()]
  for (let at = lower.indexOf(lowerBase); at >= 0; at = lower.indexOf(lowerBase, at + 1)) {
    const found = urlAt(text, at, base)
    if (found !== undefined) yield found
  }
}

type Finder = (text: string, base: string) => Generator<Found>

const collected = (
  find: Finder,
  texts: ReadonlyArray<string>,
  { externalUrl, projectPath }: ReferenceContext
): ReadonlyArray<IssueReference> => {
  const base = externalUrl.endsWith("/") ? externalUrl.slice(0, -1) : externalUrl
  const references = new Map<string, IssueReference>()
  for (const text of texts) {
    for (const { iid, project } of find(text, base)) {
      const path = project?.toLowerCase() === projectPath.toLowerCase() ? undefined : project
      const key = `${path?.toLowerCase() ?? ""}#${iid}`
      if (iid < 1 || !Number.isSafeInteger(iid) || references.has(key)) continue
      // What is found of a text is kept without it.
      references.set(key, { project: path && copied(path), iid })
      if (references.size === maxReferences) return [...references.values()]
    }
  }
  return [...references.values()]
}

/**
 * The issues that texts say are closed, such as `Closes #3, group/project#5 and #8`, each once and in their order. In linear time.
 * Gap: keywords count with a small or a capital first letter, and in code too.
 * Source: closes_issues.
 */
export const closingReferences = (texts: ReadonlyArray<string>, context: ReferenceContext): ReadonlyArray<IssueReference> =>
  collected(inText, texts, context)

/** The issues that texts name, each once. In linear time. */
export const mentionedIssues = (texts: ReadonlyArray<string>, context: ReferenceContext): ReadonlyArray<IssueReference> =>
  collected(mentionedIn, texts, context)
