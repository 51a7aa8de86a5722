import { Effect } from "effect"
import { run } from "../process/run.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { isOwnRef } from "./refNames.ts"

/** A ref that moves, or that a push asks to move. Ids are full; null: there is no such ref. */
export interface RefUpdate {
  /** The full name, such as `refs/heads/main`. */
  readonly ref: string
  readonly before: string | null
  readonly after: string | null
}

/** The ids of refs by full names. */
export type Refs = ReadonlyMap<string, string>

/** With more names than this, all refs are read. */
const maxNames = 200

/** The refs of a repository as they are, without the service's own; only those of `names`, if given. */
export const refsOf = (repository: Repository, names?: ReadonlyArray<string>): Effect.Effect<Refs, GitFailed> => {
  const isShort = names !== undefined && names.length <= maxNames
  const patterns = isShort ? names : []
  if (names?.length === 0) return Effect.succeed(new Map())
  return Effect.map(
    run(repository, ["for-each-ref", "--format=%(objectname) %(refname)", "--", ...patterns], { maxOutput: 256 * 1024 * 1024 }),
    ({ stdout }) => {
      const lines = stdout.toString("utf8").split("\n").slice(0, -1)
      const all = lines.map((line) => [line.slice(line.indexOf(" ") + 1), line.slice(0, line.indexOf(" "))] as const)
      const requested = new Set(names)
      return new Map(all.filter(([ref]) => (names === undefined ? !isOwnRef(ref) : requested.has(ref))))
    }
  )
}

/**
 * What moves refs from where they were recorded to where they are, by name. A push that ended between the repository and the
 * record, such as by a kill of the process, is found this way.
 */
export const refDifference = (recorded: Refs, real: Refs): ReadonlyArray<RefUpdate> =>
  [...new Set([...recorded.keys(), ...real.keys()])]
    .map((ref) => ({ ref, before: recorded.get(ref) ?? null, after: real.get(ref) ?? null }))
    .filter(({ after, before }) => after !== before)
    .sort((one, other) => (one.ref < other.ref ? -1 : 1))
