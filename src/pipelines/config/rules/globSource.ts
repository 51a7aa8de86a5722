/** Braces within one another. */
const maxBraces = 20

interface Translation {
  readonly glob: string
  /** The opening braces that have a closing one; others stand for themselves. */
  readonly closed: ReadonlySet<number>
  position: number
  braces: number
  isWrong: boolean
}

/**
 * A pattern of paths as a regular expression of RE2: `*` and `?` do not stand for a slash, `**` followed by one stands for any folders,
 * `[a-z]`, `[!a-z]`, `{a,b}` and `\` have their usual meaning. Undefined for a pattern that fits nothing.
 */
export const globSource = (glob: string): string | undefined => {
  const translation: Translation = { glob, closed: closedBraces(glob), position: 0, braces: 0, isWrong: false }
  const source = sequence(translation)
  return translation.isWrong ? undefined : `\\A(?s:${source})\\z`
}

const closedBraces = (glob: string): ReadonlySet<number> => {
  const open: Array<number> = []
  const closed = new Set<number>()
  for (const { 0: matched, index } of glob.matchAll(/\\.|[{}]/gs)) {
    if (matched === "{") open.push(index)
    if (matched !== "}") continue
    const opening = open.pop()
    if (opening !== undefined) closed.add(opening)
  }
  return closed
}

/** Up to the end, or to a comma or closing brace of the braces around it. */
const sequence = (translation: Translation): string => {
  const parts: Array<string> = []
  while (translation.position < translation.glob.length && !translation.isWrong) {
    if (translation.braces > 0 && /[,}]/.test(current(translation))) break
    parts.push(piece(translation))
  }
  return parts.join("")
}

const current = ({ glob, position }: Translation): string => glob.charAt(position)

const piece = (translation: Translation): string => {
  const character = current(translation)
  if (character === "*") return stars(translation)
  if (character === "[") return set(translation)
  if (character === "{" && translation.closed.has(translation.position)) return alternatives(translation)
  translation.position++
  if (character === "?") return "[^/]"
  if (character !== "\\" || translation.position === translation.glob.length) return quoted(character)
  translation.position++
  return quoted(translation.glob.charAt(translation.position - 1))
}

const quoted = (character: string): string => character.replace(/[\\^$.|?*+()[\]{}-]/, "\\$&")

const quotedInSet = (character: string): string => (/[!-/:-@[-`{-~]/.test(character) ? `\\${character}` : character)

const stars = (translation: Translation): string => {
  const { glob, position } = translation
  // After a brace, what is before may end with a slash.
  const isAtStart = position === 0 || /[/{,}]/.test(glob.charAt(position - 1))
  if (isAtStart && glob.startsWith("**/", position)) {
    translation.position += 3
    return "(?:[^/]+/)*"
  }
  while (current(translation) === "*") translation.position++
  return "[^/]*"
}

/** One without its closing bracket fits nothing. */
const set = (translation: Translation): string => {
  const { glob, position } = translation
  const [matched, negation, members = ""] = /\[([!^]?)((?:[^\]\\]|\\.)*)\]/sy.exec(glob.slice(position)) ?? []
  if (matched === undefined) {
    translation.isWrong = true
    return ""
  }
  translation.position += matched.length
  const body = members.replace(/\\(.)|([\^[])/gs, (_, escaped, special) => quotedInSet(escaped ?? special))
  if (body === "") return negation ? "[^/]" : "[^\\x00-\\x{10FFFF}]"
  return negation ? `[^/${body}]` : `[${body}]`
}

const alternatives = (translation: Translation): string => {
  translation.braces++
  translation.isWrong ||= translation.braces > maxBraces
  const parts: Array<string> = []
  do {
    translation.position++
    parts.push(sequence(translation))
  } while (current(translation) === ",")
  translation.braces--
  // A set may have the closing brace in it.
  translation.isWrong ||= current(translation) !== "}"
  translation.position++
  return `(?:${parts.join("|")})`
}
