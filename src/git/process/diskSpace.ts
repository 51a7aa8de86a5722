import { statfs } from "node:fs/promises"
import { gibibyte } from "../../kernel/units.ts"

/**
 * The number of bytes that may still be written to the disk of a folder. A reserve stays free: a gibibyte, or a twentieth of a small
 * disk, multiplied by `share`, which is lower for pushes than for what can be made again.
 */
export const spareBytes = async (folder: string, share = 1): Promise<number> => {
  const { bavail, blocks, bsize } = await statfs(folder)
  return bavail * bsize - share * Math.min(gibibyte, (blocks * bsize) / 20)
}
