export interface Trailer {
  readonly key: string
  /** The value; folded lines are joined by a space. */
  readonly value: string
}

const generated = ["Signed-off-by: ", "(cherry picked from commit "]
const scissors = "# ------------------------ >8 ------------------------\n"
/** Matches `Key: value`; group 1 is the key with trailing spaces. */
const keyed = /^([A-Za-z0-9-]+[ \t]*):([\s\S]*)$/
const isSpace = (character: string | undefined): boolean => character !== undefined && " \t\n\r".includes(character)
const isBlank = (line: string): boolean => /^[ \t\r]*(\n|$)/.test(line)
/** Trims without a regular expression, which would take quadratic time on long white space. */
const trim = (text: string): string => {
  let [start, end] = [0, text.length]
  while (isSpace(text[start])) start++
  while (end > start && isSpace(text[end - 1])) end--
  return text.slice(start, end)
}

/** Splits a text into lines with their ends. */
const linesOf = (text: string): ReadonlyArray<string> => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** Lines of a message without the comments, blank lines and list of conflicts at its end. */
const withoutTail = (message: string): ReadonlyArray<string> => {
  const cut = message.startsWith(scissors) ? 0 : message.indexOf(`\n${scissors}`) + 1
  const lines = linesOf(message.startsWith(scissors) || cut > 0 ? message.slice(0, cut) : message)
  let tail: number | undefined
  let isInConflicts = false
  lines.forEach((line, index) => {
    const isConflicts = line === "Conflicts:\n"
    if (line.startsWith("#") || line.startsWith("\n") || isConflicts) {
      if (isConflicts) isInConflicts = true
      tail ??= index
    } else if (!(isInConflicts && line.startsWith("\t"))) {
      tail = undefined
      isInConflicts = false
    }
  })
  return lines.slice(0, tail)
}

const isKeyed = (line: string): boolean => keyed.test(line)

/**
 * The index of the first trailer: behind the last blank line, when the lines from there are all trailers, or a quarter of them and one
 * that `git` itself wrote. The first paragraph never has any.
 */
const startOfTrailers = (lines: ReadonlyArray<string>): number => {
  const blank = lines.findIndex((line) => !line.startsWith("#") && isBlank(line))
  const endOfTitle = blank === -1 ? lines.length : blank
  let isOnlySpaces = true
  let isGenerated = false
  let trailers = 0
  let others = 0
  let continuations = 0
  for (let at = lines.length - 1; at >= endOfTitle; at--) {
    const line = lines[at] ?? ""
    if (line.startsWith("#")) {
      others += continuations
      continuations = 0
      continue
    }
    if (isBlank(line)) {
      if (isOnlySpaces) continue
      others += continuations
      const isBlock = (isGenerated && trailers * 3 >= others) || (trailers > 0 && others === 0)
      return isBlock ? at + 1 : lines.length
    }
    isOnlySpaces = false
    const isOwn = generated.some((prefix) => line.startsWith(prefix))
    if (isOwn) isGenerated = true
    if (isOwn || isKeyed(line)) {
      trailers++
      continuations = 0
    } else if (isSpace(line[0])) continuations++
    else {
      others += 1 + continuations
      continuations = 0
    }
  }
  return lines.length
}

/** Joins continuation lines to their trailer. */
const unfold = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const joined: Array<string> = []
  let isOpen = false
  for (const line of lines) {
    if (isOpen && isSpace(line[0])) {
      joined.push(`${joined.pop() ?? ""}${line}`)
      continue
    }
    joined.push(line)
    isOpen = isKeyed(line)
  }
  return joined
}

/**
 * The trailers of a commit message in their order, as `git interpret-trailers --parse --no-divider` finds them, which is what
 * `git log` shows.
 */
export const trailersOf = (message: string): ReadonlyArray<Trailer> => {
  const lines = withoutTail(message)
  return unfold(lines.slice(startOfTrailers(lines))).flatMap((line) => {
    const [, key, value = ""] = line.startsWith("#") ? [] : (keyed.exec(line) ?? [])
    return key === undefined ? [] : [{ key: trim(key), value: trim(value.replace(/\n[ \t\n\r]*/g, " ")) }]
  })
}
