type IsStripped = (character: string) => boolean

/** The text without the characters at its end that `isStripped` says of. In linear time, which `/x+$/` is not. */
export const stripEnd = (text: string, isStripped: IsStripped): string => {
  let end = text.length
  while (end > 0 && isStripped(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** Strips characters at both ends in the same way. */
export const stripEnds = (text: string, isStripped: IsStripped): string => {
  const rest = stripEnd(text, isStripped)
  let start = 0
  while (start < rest.length && isStripped(rest.charAt(start))) start++
  return rest.slice(start)
}
