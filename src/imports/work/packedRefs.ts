import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { run } from "../../git/process/run.ts"
import type { GitFailed, Repository } from "../../git/Repository.ts"
import { packedRefsHead } from "../../git/refs/putRefs.ts"
import { isRefName } from "../../git/refs/refNames.ts"

/** The branches and tags of a repository, with the text of a file that holds just them. */
export interface PackedRefs {
  /** The ids of refs by full names. */
  readonly ids: ReadonlyMap<string, string>
  /** The bytes as Latin-1 characters. */
  readonly text: string
}

/** A line about a ref, and perhaps one that tells what its tag leads to. */
const entry = /^([0-9a-f]{40}) (refs\/(?:heads|tags)\/.+)\n(?:\^[0-9a-f]{40}\n)?/gm

/** The name of a ref; undefined for bytes that are not UTF-8. */
const nameOf = (bytes: string): string | undefined => {
  const name = Buffer.from(bytes, "latin1").toString("utf8")
  return Buffer.from(name).toString("latin1") === bytes ? name : undefined
}

/** Reads the refs of a repository that nobody else uses. Names that the service does not accept are left out. */
export const packedRefs = Effect.fn("imports.packedRefs")(function* (
  repository: Repository
): Effect.fn.Return<PackedRefs, GitFailed> {
  yield* run(repository, ["pack-refs", "--all"])
  const file = yield* Effect.promise(() => readFile(join(repository.path, "packed-refs"), "latin1").catch(() => ""))
  const ids = new Map<string, string>()
  const kept: Array<string> = [packedRefsHead]
  for (const [lines, id = "", bytes = ""] of file.matchAll(entry)) {
    const name = nameOf(bytes)
    if (name === undefined || !isRefName(name)) continue
    ids.set(name, id)
    kept.push(lines)
  }
  return { ids, text: kept.join("") }
})
