type IsLoose = (character: string) => boolean

/** The text without the characters at its end that `isLoose` says of. In linear time, which `/x+$/` is not. */
export const stripEnd = (text: string, isLoose: IsLoose): string => {
  let end = text.length
  while (end > 0 && isLoose(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** The same at both ends. */
export const stripEnds = (text: string, isLoose: IsLoose): string => {
  const rest = stripEnd(text, isLoose)
  let start = 0
  while (start < rest.length && isLoose(rest.charAt(start))) start++
  return rest.slice(start)
}
