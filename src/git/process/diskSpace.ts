import { statfs } from "node:fs/promises"

const gibibyte = 1024 ** 3

/**
 * Bytes that may still be written to the disk of a folder, so that what others of it need stays: a gibibyte, or a twentieth of a small
 * one. `share`: how much of that is to stay; pushes come before what can be made again.
 */
export const spareBytes = async (folder: string, share = 1): Promise<number> => {
  const { bavail, blocks, bsize } = await statfs(folder)
  return bavail * bsize - share * Math.min(gibibyte, (blocks * bsize) / 20)
}
