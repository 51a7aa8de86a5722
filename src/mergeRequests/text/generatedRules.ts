/** What one line of `.gitattributes` says of generated files. */
export interface Rule {
  readonly pattern: string
  /** Undefined where it takes back what lines before it say. */
  readonly isGenerated: boolean | undefined
}

/** Git itself reads no longer lines. */
const maxLine = 2_048
/** Gap: the most lines that count, the last ones. */
const maxRules = 500

const escapes: Readonly<Record<string, string>> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" }

/** Bytes in octal digits are UTF-8, of which a character may take several. */
const unquoted = (text: string): string =>
  text.replace(/((?:\\[0-7]{3})+)|\\(.)/g, (_, octal: string | undefined, character: string) => {
    if (octal === undefined) return escapes[character] ?? character
    const bytes = octal.slice(1).split("\\")
    return new TextDecoder().decode(Uint8Array.from(bytes, (digits) => Number.parseInt(digits, 8)))
  })

/** The pattern, in quotes or not, and what follows it. */
const split = (line: string): readonly [pattern: string, attributes: string] => {
  const [whole = "", quoted] = /^"((?:[^"\\]|\\.)*)"/.exec(line) ?? []
  if (quoted !== undefined) return [unquoted(quoted), line.slice(whole.length)]
  const end = line.search(/[ \t]/)
  return end < 0 ? [line, ""] : [line.slice(0, end), line.slice(end)]
}

/** What the attribute is set to by a line: the last word about it counts. */
const stateIn = (attributes: string): { readonly isGenerated: boolean | undefined } | undefined => {
  const word = attributes
    .split(/[ \t\r]+/)
    .findLast((word) => word.replace(/^[-!]/, "").split("=", 1)[0] === "linguist-generated")
  if (word === undefined) return undefined
  if (word.startsWith("!")) return { isGenerated: undefined }
  return { isGenerated: !word.startsWith("-") && !word.endsWith("=false") }
}

/** The rule of a line that speaks of generated files; undefined for others. Comments, macros and negated patterns, which git refuses, are passed over. */
const ruleIn = (line: string): Rule | undefined => {
  if (line.length > maxLine || !line.includes("linguist-generated")) return undefined
  const [pattern, attributes] = split(line.trim())
  const state = stateIn(attributes)
  return state === undefined || /^(?:[#!]|\[attr\])/.test(pattern) ? undefined : { pattern, ...state }
}

/** Lines that are read between two pauses. */
const linesAtOnce = 100

/** The rules for generated files, the last one first, for it wins. */
export function* generatedRules(text: string): Generator<void, ReadonlyArray<Rule>, void> {
  const rules: Array<Rule> = []
  let lines = 0
  for (let end = text.length; end > 0 && rules.length < maxRules; lines++) {
    const start = text.lastIndexOf("\n", end - 1) + 1
    const rule = ruleIn(text.slice(start, end))
    if (rule !== undefined) rules.push(rule)
    end = start - 1
    if (lines % linesAtOnce === 0) yield
  }
  return rules
}
