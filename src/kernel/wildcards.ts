/** Whether a name is one of a pattern's: without regard to what `*` stands for, each other character for itself. */
export const matchesPattern = (pattern: string, name: string): boolean => {
  const [first = "", ...others] = pattern.split("*")
  const last = others.pop()
  if (last === undefined) return name === pattern
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const part of others) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
