/** What a plain scalar of YAML 1.1 means where the reference reads it. Times, dates and numbers of base 60 stay texts. */
export const plainValue = (text: string): null | boolean | number | string => {
  const word = text.toLowerCase()
  if (words.has(word)) return words.get(word) ?? null
  // Only these begin a number.
  if (!/^[-+.0-9]/.test(text)) return symbolOf(text)
  return integerOf(text) ?? floatOf(text) ?? text
}

const words: ReadonlyMap<string, null | boolean> = new Map([
  ["", null],
  ["~", null],
  ["null", null],
  ...["yes", "true", "on"].map((word) => [word, true] as const),
  ...["no", "false", "off"].map((word) => [word, false] as const)
])

/** Symbols are texts. */
const symbolOf = (text: string): string => (text.length > 1 && text.startsWith(":") ? text.slice(1) : text)

const integers: ReadonlyArray<readonly [RegExp, number]> = [
  [/^[-+]?0b[01_,]+$/, 2],
  [/^[-+]?0[0-7_,]+$/, 8],
  [/^[-+]?0x[0-9a-fA-F_,]+$/, 16],
  [/^[-+]?(?:0|[1-9](?:[0-9]|[,_][0-9])*)$/, 10]
]

/** Those that a number cannot hold stay texts. */
const integerOf = (text: string): number | string | undefined => {
  const base = integers.find(([form]) => form.test(text))?.[1]
  if (base === undefined) return undefined
  const digits = text.replace(/[_,]/g, "").replace(/^[-+]?(?:0[bx])?/, "")
  const value = Number.parseInt(digits, base)
  if (!Number.isSafeInteger(value)) return text
  return text.startsWith("-") && value !== 0 ? -value : value
}

/** Whole ones are texts as the reference prints them, since a number here would lose what is after the point. */
const floatOf = (text: string): number | string | undefined => {
  if (!/^[-+]?(?:[0-9][0-9_,]*)?\.[0-9]*(?:[eE][-+][0-9]+)?$/.test(text)) return undefined
  const value = Number(text.replace(/[_,]/g, ""))
  if (!Number.isInteger(value)) return Number.isFinite(value) ? value : text
  return Number.isSafeInteger(value) ? `${value}.0` : text
}
