/** How many characters two lists begin with in common. */
const commonStart = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): number => {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && one[length] === other[length]) length++
  return length
}

/** The old text with what is gone marked as `{-gone-}`, and the new one with what came marked as `{+new+}`: one part of each. */
export const changedParts = (from: string, to: string): { readonly removed: string; readonly added: string } => {
  const [old, young] = [[...from], [...to]]
  const start = commonStart(old, young)
  const end = commonStart(old.slice(start).toReversed(), young.slice(start).toReversed())
  const marked = (characters: ReadonlyArray<string>, sign: string): string => {
    const changed = characters.slice(start, characters.length - end).join("")
    const mark = changed === "" ? "" : `{${sign}${changed}${sign}}`
    return `${characters.slice(0, start).join("")}${mark}${characters.slice(characters.length - end).join("")}`
  }
  return { removed: marked(old, "-"), added: marked(young, "+") }
}
