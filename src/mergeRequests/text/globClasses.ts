type Test = (character: string) => boolean

/** Gap: classes that are longer match nothing, so that one character is never compared with many. */
const maxClass = 64

const named: ReadonlyMap<string, RegExp> = new Map([
  ["alnum", /[A-Za-z0-9]/],
  ["alpha", /[A-Za-z]/],
  ["blank", /[ \t]/],
  ["cntrl", /\p{Cc}/u],
  ["digit", /[0-9]/],
  ["graph", /[!-~]/],
  ["lower", /[a-z]/],
  ["print", /[ -~]/],
  ["punct", /[!-/:-@[-`{-~]/],
  ["space", /\s/],
  ["upper", /[A-Z]/],
  ["xdigit", /[A-Fa-f0-9]/]
])

const codeOf = (character: string): number => character.codePointAt(0) ?? 0
const item = /\[:([a-z]+):\]|(?:\\(.)|([^\]]))(?:-(?:\\(.)|([^\]])))?/suy

const testOf = ([, name, escaped, plain, escapedEnd, plainEnd]: RegExpExecArray): Test => {
  const pattern = named.get(name ?? "")
  if (pattern !== undefined) return (character) => pattern.test(character)
  const first = codeOf(escaped ?? plain ?? "")
  const last = codeOf(escapedEnd ?? plainEnd ?? escaped ?? plain ?? "")
  return (character) => codeOf(character) >= first && codeOf(character) <= last
}

/**
 * A class such as `[a-z_]` or `[!0-9]` that begins there, with where its bracket closes; undefined where none does. A bracket at the start
 * stands for itself.
 */
export const readClass = (pattern: string, start: number): { readonly accepts: Test; readonly end: number } | undefined => {
  const isNegated = /[!^]/.test(pattern.charAt(start + 1))
  let at = start + (isNegated ? 2 : 1)
  const tests: Array<Test> = []
  if (pattern.charAt(at) === "]") {
    tests.push((character) => character === "]")
    at++
  }
  while (at < pattern.length && pattern.charAt(at) !== "]" && at - start <= maxClass) {
    item.lastIndex = at
    const match = item.exec(pattern)
    if (match === null) return undefined
    tests.push(testOf(match))
    at = item.lastIndex
  }
  if (pattern.charAt(at) !== "]") return undefined
  return { accepts: (character) => tests.some((test) => test(character)) !== isNegated, end: at }
}
