import { maxPatternLength, maxRepeatedLength } from "../limits.ts"

/** The steps that compiling a regular expression takes at most; undefined for one that is too large. */
export const compileCost = (source: string): number | undefined => {
  if (source.length > maxPatternLength) return undefined
  const repeated = repeatedLength(source)
  return repeated > maxRepeatedLength ? undefined : 450 + source.length * stepsOfCharacter(source) + 4 * repeated
}

/** Classes of Unicode have many ranges, and of those beyond ASCII each character is looked up where its case does not matter. */
const stepsOfCharacter = (source: string): number => {
  if (/\(\?[a-zA-Z]*i/.test(source) && (/\\[xpP]/.test(source) || hasMoreThanAscii(source))) return 2_000
  return /\\[pP]/.test(source) ? 200 : 15
}

const hasMoreThanAscii = (source: string): boolean => /[\u0080-\uffff]/.test(source)

const repetition = /\{(\d+)(?:,(\d*))?\}/y
const atom = /\\[xpP]\{\w*\}|\\.|./sy

/** About the length of an expression with everything that is repeated a number of times written out. */
const repeatedLength = (source: string): number => {
  const outer: Array<number> = []
  let length = 0
  let last = 0
  for (let position = 0; position < source.length; ) {
    const [repeated, low, high] = matchAt(repetition, source, position)
    const piece = repeated ?? pieceAt(source, position)
    position += piece.length
    if (repeated !== undefined) {
      const times = Math.max(Number(low), Number(high ?? 0), 1)
      length += last * (times - 1)
      last *= times
    } else if (piece === "(") {
      outer.push(length)
      length = 0
    } else {
      last = piece === ")" ? length + 1 : 1
      length = piece === ")" ? (outer.pop() ?? 0) + last : length + 1
    }
  }
  return outer.reduce((sum, one) => sum + one, length)
}

const matchAt = (form: RegExp, source: string, position: number): ReadonlyArray<string | undefined> => {
  form.lastIndex = position
  return form.exec(source) ?? []
}

/** A character, with the backslash before it, or a set. */
const pieceAt = (source: string, position: number): string =>
  source[position] === "[" ? source.slice(position, endOfSet(source, position)) : (matchAt(atom, source, position)[0] ?? "")

/** The position after a set; that of the end for one without closing bracket, which is wrong in any case. */
const endOfSet = (source: string, start: number): number => {
  let position = start + (source[start + 1] === "^" ? 3 : 2)
  while (position < source.length && source[position] !== "]") {
    const isClass = source.startsWith("[:", position)
    const end = isClass ? source.indexOf(":]", position) : -1
    position = end < 0 ? position + (source[position] === "\\" ? 2 : 1) : end + 2
  }
  return Math.min(position + 1, source.length)
}
