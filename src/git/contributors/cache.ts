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
  /** Commits with counts, those that were put last first. */
  readonly commits: (repository: Repository) => Effect.Effect<ReadonlyArray<string>>
}

/** Another format takes another name, so that files of an older one are never read. */
export const contributorFolder = "contributors.v1"
/** Files that a repository keeps at most. */
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
/** Not in JSON: the time of a name that nobody gave. */
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
  // One may be taken away meanwhile.
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

/** Nothing to be had, or nothing to be kept: the counts are then made from the history. */
const orElse = <A>(otherwise: A, work: () => Promise<A>): Effect.Effect<A> => Effect.promise(() => work().catch(() => otherwise))

/** One file for each commit, in a folder of the repository: it goes away with it. A file is there whole or not at all. */
export const contributorFiles: ContributorCache = {
  get: ({ path }, commit) =>
    orElse(null, async () => decoded(await readFile(join(path, contributorFolder, `${commit}.json`), "utf8"))),
  put: ({ path }, commit, tallies) =>
    orElse(undefined, async () => {
      const at = join(path, contributorFolder)
      // Of a killed process, maintenance removes it.
      const draft = join(at, `tmp_${randomUUID()}`)
      await mkdir(at, { recursive: true })
      await writeFile(draft, encode(tallies))
      await rename(draft, join(at, `${commit}.json`))
      for (const old of (await list(at)).slice(maxFiles)) await rm(join(at, `${old}.json`), { force: true })
    }),
  commits: ({ path }) => orElse([], () => list(join(path, contributorFolder)))
}
