import { randomUUID } from "node:crypto"
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Option, Schema } from "effect"
import type { Repository } from "../Repository.ts"
import type { Tally } from "./totals.ts"

/** The counts of commits that were asked for before. Losing it costs time, nothing else. */
export interface ContributorCache {
  readonly get: (repository: Repository, commit: string) => Effect.Effect<ReadonlyArray<Tally> | null>
  readonly put: (repository: Repository, commit: string, tallies: ReadonlyArray<Tally>) => Effect.Effect<void>
  /** The commits with counts, the most recent entries first. */
  readonly commits: (repository: Repository) => Effect.Effect<ReadonlyArray<string>>
}

/** Another format has another folder, so that files of an older one are never read. */
export const contributorFolder = "contributors.v1"
/** A repository keeps at most this many files. */
const maxFiles = 16

const Row = Schema.Tuple([
  Schema.String,
  Schema.String,
  Schema.Finite,
  Schema.Finite,
  Schema.Finite,
  Schema.Finite,
  Schema.String
])
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Row)))
/** The time of a missing name, because JSON has no negative infinity. */
const noTime = -1e15

const encode = (tallies: ReadonlyArray<Tally>) =>
  JSON.stringify(
    tallies.map(({ additions, commits, deletions, email, name, namedAt, namedBy }) => {
      const row: typeof Row.Type = [email, name, commits, additions, deletions, Math.max(namedAt, noTime), namedBy]
      return row
    })
  )

const decoded = (text: string): ReadonlyArray<Tally> | null =>
  Option.getOrNull(
    Option.map(decode(text), (rows) =>
      rows.map(([email, name, commits, additions, deletions, namedAt, namedBy]) => ({
        email,
        name,
        commits,
        additions,
        deletions,
        namedAt,
        namedBy
      }))
    )
  )

const list = async (at: string) => {
  const names = (await readdir(at)).filter((name) => name.endsWith(".json"))
  // A file may be removed meanwhile.
  const aged = await Promise.all(
    names.map(async (name) => {
      const found = await stat(join(at, name)).catch(() => undefined)
      return found === undefined ? [] : [{ commit: name.slice(0, -".json".length), time: found.mtimeMs }]
    })
  )
  return aged
    .flat()
    .sort((a, b) => b.time - a.time)
    .map(({ commit }) => commit)
}

/** Falls back when a file cannot be read or written: the counts are then made from the history. */
const orElse = <A>(otherwise: A, work: () => Promise<A>): Effect.Effect<A> => Effect.promise(() => work().catch(() => otherwise))

/** There is one file for each commit, in a folder of the repository, which is removed with it. A file appears whole or not at all. */
export const contributorFiles: ContributorCache = {
  get: ({ path }, commit) =>
    orElse(null, async () => decoded(await readFile(join(path, contributorFolder, `${commit}.json`), "utf8"))),
  put: ({ path }, commit, tallies) =>
    orElse(undefined, async () => {
      const at = join(path, contributorFolder)
      // Maintenance removes the draft of a killed process.
      const draft = join(at, `tmp_${randomUUID()}`)
      await mkdir(at, { recursive: true })
      await writeFile(draft, encode(tallies))
      await rename(draft, join(at, `${commit}.json`))
      for (const old of (await list(at)).slice(maxFiles)) await rm(join(at, `${old}.json`), { force: true })
    }),
  commits: ({ path }) => orElse([], () => list(join(path, contributorFolder)))
}
