const whiteSpaces = " \t\n\v\f\r"

/** Whether the character at `index` is ASCII white space; false past the end. */
export const isWhiteSpaceAt = (text: string, index: number): boolean =>
  index < text.length && whiteSpaces.includes(text.charAt(index))

/** The first index from `index` on that is no white space. */
export const afterWhiteSpace = (text: string, index: number): number => {
  let at = index
  while (isWhiteSpaceAt(text, at)) at += 1
  return at
}

/** The text without trailing ASCII white space. */
export const withoutTrailingSpace = (text: string): string => {
  let end = text.length
  while (end > 0 && isWhiteSpaceAt(text, end - 1)) end -= 1
  return text.slice(0, end)
}

/** The text without leading and trailing ASCII white space. */
export const stripped = (text: string): string => withoutTrailingSpace(text.slice(afterWhiteSpace(text, 0)))
