import { open } from "node:fs/promises"

/** Brings what was made, renamed or removed in a folder to the disk, so that it survives a loss of power. */
export const syncFolder = async (path: string): Promise<void> => {
  await using folder = await open(path, "r")
  await folder.sync()
}
