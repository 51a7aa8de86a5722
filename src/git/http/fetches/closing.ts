import type { ProcessEnd } from "../gitProcess.ts"
import { errorPacket, type PacketBoundary, sideband } from "../packets.ts"

const failed = "The repository cannot be read."
const endedTexts = {
  time: "The transfer was ended: it took too long.",
  memory: "The transfer was ended: it needs more memory than the service may use.",
  together: "The transfer was ended: all that is being done needs more memory than the service may use.",
  space: "The transfer was ended: the service has too little space left on its disk."
} as const

/**
 * What goes behind the output of a process: an error that the client can show, where the process failed. `passed` is what its output was,
 * undefined where there was none.
 */
export const closing = ({ exceeded, status }: ProcessEnd, passed: PacketBoundary | undefined): Buffer => {
  if (status === 0) return Buffer.alloc(0)
  const text = exceeded === undefined ? failed : endedTexts[exceeded]
  if (passed === undefined) return errorPacket(text)
  return passed.isBetween ? sideband(3, text) : Buffer.alloc(0)
}
