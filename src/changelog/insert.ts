import { afterWhiteSpace, isWhiteSpaceAt, withoutTrailingSpace } from "./template/whiteSpace.ts"
import { leadingVersion, withoutPrefix } from "./version.ts"
import { nextLower } from "./versionOrder.ts"

/** The index of every line that starts with `##`. */
const headingStarts = function* (file: string): Generator<number> {
  for (let at = 0; at < file.length; ) {
    if (file.startsWith("##", at)) yield at
    const end = file.indexOf("\n", at)
    if (end === -1) return
    at = end + 1
  }
}

/** The index of the header of each version, the last one if there are several. A header is `##`, white space, version without `v`. */
export const versionHeaders = (file: string): ReadonlyMap<string, number> => {
  const headers = new Map<string, number>()
  for (const start of headingStarts(file)) {
    const at = afterWhiteSpace(file, start + 2)
    const line = file.indexOf("\n", start)
    const end = line === -1 ? file.length : line
    const version = at > start + 2 && at < end ? leadingVersion(file.slice(at, end)) : undefined
    if (version !== undefined) headers.set(version, start)
  }
  return headers
}

/** Whether there is a header of the version: `##`, perhaps white space, the version, then white space or the end of the file. */
export const hasVersion = (file: string, version: string): boolean => {
  const text = withoutPrefix(version)
  for (const start of headingStarts(file)) {
    const at = afterWhiteSpace(file, start + 2)
    const end = at + text.length
    if (file.startsWith(text, at) && (end === file.length || isWhiteSpaceAt(file, end))) return true
  }
  return false
}

/**
 * The file with the section of the version in it: before the header of the next lower version, else at the end. At the end a
 * blank line goes before it only if the file has a header. Nothing of the old text changes.
 */
export const insertSection = (file: string, version: string, section: string): string => {
  const headers = versionHeaders(file)
  const index = headers.get(nextLower(headers.keys(), withoutPrefix(version)) ?? "")
  if (index !== undefined) return file.slice(0, index) + section + file.slice(index)
  return `${file}${headers.size > 0 ? "\n" : ""}${withoutTrailingSpace(section)}\n`
}
