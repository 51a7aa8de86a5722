/** A run of digits without leading zeros, or `-` and letters. */
interface Part {
  readonly isNumber: boolean
  readonly text: string
}

/** Cuts a version into its parts; what is neither digit, letter nor `-` only separates. */
export const versionParts = (version: string): ReadonlyArray<Part> =>
  Array.from(version.matchAll(/([0-9]+)|-[a-zA-Z]*|[a-zA-Z]+/g), ([text, digits]) =>
    digits === undefined ? { isNumber: false, text } : { isNumber: true, text: withoutZeros(digits) }
  )

const withoutZeros = (digits: string): string => {
  let start = 0
  while (start < digits.length - 1 && digits.charAt(start) === "0") start += 1
  return digits.slice(start)
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const byPart = (a: Part, b: Part): number => {
  if (a.isNumber !== b.isNumber) return a.isNumber ? 1 : -1
  return a.isNumber && a.text.length !== b.text.length ? a.text.length - b.text.length : byText(a.text, b.text)
}

/**
 * Negative if `a` is lower, 0 if they differ at most in what separates their parts. Part by part, a number beats a text;
 * of two that are alike so far the longer wins if a number follows, and loses if a text follows: `1.0.0-rc1 < 1.0.0 < 1.0.0+1`.
 */
export const compareVersions = (a: string, b: string): number => compareParts(versionParts(a), versionParts(b))

const compareParts = (a: ReadonlyArray<Part>, b: ReadonlyArray<Part>): number => {
  for (const [index, part] of a.entries()) {
    const other = b[index]
    if (other === undefined) return part.isNumber ? 1 : -1
    const order = byPart(part, other)
    if (order !== 0) return order
  }
  const next = b[a.length]
  return next === undefined ? 0 : next.isNumber ? -1 : 1
}

/** The highest of the keys that are lower than `version`; of equal ones the last. */
export const nextLower = (versions: Iterable<string>, version: string): string | undefined => {
  const bound = versionParts(version)
  let highest: { readonly version: string; readonly parts: ReadonlyArray<Part> } | undefined
  for (const candidate of versions) {
    const parts = versionParts(candidate)
    if (compareParts(parts, bound) >= 0) continue
    if (highest === undefined || compareParts(parts, highest.parts) >= 0) highest = { version: candidate, parts }
  }
  return highest?.version
}
