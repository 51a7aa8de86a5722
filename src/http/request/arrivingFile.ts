import { createHash } from "node:crypto"
import { Context, Effect } from "effect"
import type { WireError } from "../answer/errors.ts"

/** What tells a file that was sent from others. */
export interface FileDigest {
  /** SHA-256 of its content and its name behind it. */
  readonly digest: Buffer
  /** The length of its content, so that content and name cannot be taken for each other. */
  readonly bytes: number
}

type Judge = (file: FileDigest) => Effect.Effect<void, WireError>

/** Judges the file of a request when it is whole, before anything is done with it. Undefined where any is taken: it costs no digest. */
export const FileJudge = Context.Reference<Judge | undefined>("chronoforge/http/FileJudge", { defaultValue: () => undefined })

const unjudged = { add: () => {}, end: () => Effect.void }

/** A file that comes piece by piece, and at its end is judged by its name as it was sent, if it has one. */
export const arrivingFile = Effect.map(FileJudge, (judge) => {
  if (judge === undefined) return unjudged
  const hash = createHash("sha256")
  let bytes = 0
  return {
    add: (piece: Uint8Array): void => {
      hash.update(piece)
      bytes += piece.length
    },
    end: (name = "") => judge({ digest: hash.update(name).digest(), bytes })
  }
})
