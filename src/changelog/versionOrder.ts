/** A run of digits, without the zeros in front of them, or `-` and letters; all else only separates. */
const part = /0*([0-9]+)|-[a-zA-Z]*|[a-zA-Z]+/g

/**
 * A text whose order by code units is that of versions of at most 65,535 characters; equal for those that differ at most in what
 * separates their parts. Part by part, a number beats a text; of two that are alike so far the longer wins if a number follows, and
 * loses if a text follows: `1.0.0-rc1 < 1.0.0 < 1.0.0+1`.
 */
export const versionKey = (version: string): string => {
  let key = ""
  for (const [text, digits] of version.matchAll(part)) {
    // Letters come after these marks, so that a text is lower than what it is the beginning of.
    key += digits === undefined ? `0${text}` : `2${String.fromCharCode(digits.length)}${digits}`
  }
  return `${key}1`
}

/** The highest of the keys that are lower than `version`; of equal ones the last. */
export const nextLower = (versions: Iterable<string>, version: string): string | undefined => {
  const bound = versionKey(version)
  let highest: { readonly version: string; readonly key: string } | undefined
  for (const candidate of versions) {
    const key = versionKey(candidate)
    if (key < bound && (highest === undefined || key >= highest.key)) highest = { version: candidate, key }
  }
  return highest?.version
}
