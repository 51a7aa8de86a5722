/** Edits between two words: letters added, dropped or replaced. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const above = row
    row = [index + 1]
    for (const [column, candidate] of [...other].entries()) {
      const replaced = (above[column] ?? 0) + (letter === candidate ? 0 : 1)
      row.push(Math.min(replaced, (above[column + 1] ?? 0) + 1, (row[column] ?? 0) + 1))
    }
  }
  return row[other.length] ?? 0
}

/** At most three of the names, the closest first; none that is farther off than half the word. */
export const similarNames = (word: string, names: Iterable<string>): ReadonlyArray<string> =>
  [...names]
    .map((name) => ({ name, edits: distance(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ edits }) => edits <= word.length / 2)
    .toSorted((one, other) => one.edits - other.edits || (one.name < other.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name)

/** `, did you mean a, b or c?`; empty without names. */
export const didYouMean = (names: ReadonlyArray<string>): string => {
  const [last, ...before] = names.toReversed()
  if (last === undefined) return ""
  return `, did you mean ${before.length === 0 ? last : `${before.toReversed().join(", ")} or ${last}`}?`
}
