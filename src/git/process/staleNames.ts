import { readdir } from "node:fs/promises"
import { uuidV7 } from "../../kernel/uuid.ts"

/**
 * The names in a folder that begin with a text and go on with a UUID of version 7, which tells a time before that of so many milliseconds
 * since 1970. None where there is no folder.
 */
export const staleNames = async (folder: string, prefix: string, beforeMillis: number): Promise<ReadonlyArray<string>> => {
  const oldest = `${prefix}${uuidV7(beforeMillis)}`
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.startsWith(prefix) && name < oldest)
}
