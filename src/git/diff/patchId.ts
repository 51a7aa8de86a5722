import { Effect } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import { run } from "../process/run.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { format, prefixes, renames, settings } from "./diff.ts"
import { stablePatchId } from "./stablePatchId.ts"

/** Patches of more bytes get no id: all of them have to be in memory, and nobody compares such changes. */
export const maxPatchIdBytes = 32 * 1024 * 1024

/** Longer patches are left to git, so that nobody waits for them here. */
const maxOwnBytes = 64 * 1024

/** The end of the list in front of the patches; no name is empty. */
const listEnd = Buffer.from("\0\0")

/** Keeps what `diff` prints, up to the limit. */
export class PatchText {
  #chunks: Array<Buffer> = []
  #size = 0

  push(chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size <= maxPatchIdBytes) this.#chunks.push(chunk)
    else this.#chunks = []
  }

  /** The patches without the list in front; undefined when they were too large. */
  end(): Buffer | undefined {
    if (this.#size > maxPatchIdBytes) return
    const all = Buffer.concat(this.#chunks, this.#size)
    const end = all.indexOf(listEnd)
    return end === -1 ? Buffer.alloc(0) : all.subarray(end + listEnd.length)
  }
}

/** The id of patches as `diff` prints them, the same for the same change wherever it is made; null where nothing is changed. */
export const patchIdOf = Effect.fnUntraced(function* (
  repository: Repository,
  text: Buffer
): Effect.fn.Return<string | null, GitFailed> {
  if (text.length <= maxOwnBytes) return stablePatchId(text)
  const { stdout } = yield* run(repository, ["patch-id", "--stable"], { input: text })
  return /^[0-9a-f]{40}\b/.exec(stdout.toString("latin1", 0, 64))?.[0] ?? null
}, spanned("git.patchId"))

/** All patches between two commits; undefined when they are too large. For a list that was cut, so that they were not all read. */
export const patchText = (repository: Repository, from: string, to: string): Effect.Effect<Buffer | undefined, GitFailed> => {
  const text = new PatchText()
  const args = [...settings, "diff-tree", ...renames, ...format, ...prefixes, from, to, "--"]
  return run(repository, args, { maxOutput: maxPatchIdBytes }).pipe(
    Effect.map(({ stdout }) => {
      text.push(stdout)
      return text.end()
    }),
    Effect.catchTag("GitFailed", (failure) => (failure.exceeded === "output" ? Effect.undefined : Effect.fail(failure)))
  )
}
