/** The text without the characters at both ends that `isLoose` says of. In linear time, which `/x+$/` is not. */
export const stripEnds = (text: string, isLoose: (character: string) => boolean): string => {
  let [start, end] = [0, text.length]
  while (start < end && isLoose(text.charAt(start))) start++
  while (end > start && isLoose(text.charAt(end - 1))) end--
  return text.slice(start, end)
}
