import { mkdir } from "node:fs/promises"
import { dirname } from "node:path"
import { Predicate } from "effect"

/** `mkdir` of the system. */
type Make = (path: string, options: { readonly recursive?: boolean; readonly mode: number }) => Promise<unknown>

/** Whether an error of the system has one of these codes, such as `ENOENT`. */
export const hasCode = (error: unknown, ...codes: ReadonlyArray<string>): boolean =>
  Predicate.hasProperty(error, "code") && codes.some((code) => error.code === code)

/** Makes one folder after the other, those above first, so that what keeps one from being made is told. */
const makeEach = async (path: string, mode: number, make: Make): Promise<void> => {
  if (dirname(path) !== path) await makeEach(dirname(path), mode, make)
  try {
    await make(path, { mode })
  } catch (error) {
    if (!hasCode(error, "EEXIST", "EISDIR")) throw error
  }
}

/**
 * Makes a folder with all above it, as far as they are missing. Of a disk that can only be read, or whose quota is used up, Node says that the
 * folder is not there (ENOENT) where it makes several; here the error is that of the system.
 */
export const makeFolder = async (path: string, mode = 0o777, make: Make = mkdir): Promise<void> => {
  try {
    await make(path, { recursive: true, mode })
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error
    await makeEach(path, mode, make)
  }
}
