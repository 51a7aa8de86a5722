import { randomUUID } from "node:crypto"
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Option, Schema } from "effect"
import type { ProcessLimit } from "../../platform/processes/ProcessLimits.ts"
import type { Repository } from "../Repository.ts"
import type { Tally } from "./totals.ts"

/** A count that came to a limit, with the limits that it had. */
export interface ExceededCount extends ProcessLimit {
  readonly exceeded: "memory" | "time" | "output"
}

/** The counts of commits that were asked for before. Losing it costs time, nothing else. */
export interface ContributorCache {
  readonly get: (repository: Repository, commit: string) => Effect.Effect<ReadonlyArray<Tally> | null>
  readonly put: (repository: Repository, commit: string, tallies: ReadonlyArray<Tally>) => Effect.Effect<void>
  /** The commits with counts, the most recent entries first. */
  readonly commits: (repository: Repository) => Effect.Effect<ReadonlyArray<string>>
  /** The limit to which the last count of the commit came. */
  readonly exceeded: (repository: Repository, commit: string) => Effect.Effect<ExceededCount | null>
  readonly putExceeded: (repository: Repository, commit: string, count: ExceededCount) => Effect.Effect<void>
}

/** Another format has another folder, so that files of an older one are never read. */
export const contributorFolder = "contributors.v1"
/** A repository keeps at most this many files of each kind. */
const maxFiles = 16

const [countEnding, exceededEnding] = [".json", ".exceeded"]

const Row = Schema.Tuple([
  Schema.String,
  Schema.String,
  Schema.Finite,
  Schema.Finite,
  Schema.Finite,
  Schema.Finite,
  Schema.String
])
const Exceeded = Schema.Struct({
  exceeded: Schema.Literals(["memory", "time", "output"]),
  memory: Schema.Finite,
  cpu: Schema.Finite,
  wall: Schema.Finite
})
const decodeExceeded = Schema.decodeUnknownOption(Schema.fromJsonString(Exceeded))
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

const list = async (at: string, ending: string) => {
  const names = (await readdir(at)).filter((name) => name.endsWith(ending))
  // A file may be removed meanwhile.
  const aged = await Promise.all(
    names.map(async (name) => {
      const found = await stat(join(at, name)).catch(() => undefined)
      return found === undefined ? [] : [{ commit: name.slice(0, -ending.length), time: found.mtimeMs }]
    })
  )
  return aged
    .flat()
    .sort((a, b) => b.time - a.time)
    .map(({ commit }) => commit)
}

/** Falls back when a file cannot be read or written: the counts are then made from the history. */
const orElse = <A>(otherwise: A, work: () => Promise<A>): Effect.Effect<A> => Effect.promise(() => work().catch(() => otherwise))

const fileOf = ({ path }: Repository, commit: string, ending: string) => join(path, contributorFolder, `${commit}${ending}`)

const write = (repository: Repository, commit: string, ending: string, text: string) =>
  orElse(undefined, async () => {
    const at = join(repository.path, contributorFolder)
    // Maintenance removes the draft of a killed process.
    const draft = join(at, `tmp_${randomUUID()}`)
    // A repository that was deleted meanwhile does not come back for it.
    await mkdir(at).catch(() => {})
    await writeFile(draft, text)
    await rename(draft, fileOf(repository, commit, ending))
    for (const old of (await list(at, ending)).slice(maxFiles)) await rm(fileOf(repository, old, ending), { force: true })
  })

/** The commits whose last count came to a limit. */
export const exceededCommits = ({ path }: Repository): Effect.Effect<ReadonlyArray<string>> =>
  orElse([], () => list(join(path, contributorFolder), exceededEnding))

/** There is one file for each commit, in a folder of the repository, which is removed with it. A file appears whole or not at all. */
export const contributorFiles: ContributorCache = {
  get: (repository, commit) => orElse(null, async () => decoded(await readFile(fileOf(repository, commit, countEnding), "utf8"))),
  put: (repository, commit, tallies) => write(repository, commit, countEnding, encode(tallies)),
  commits: ({ path }) => orElse([], () => list(join(path, contributorFolder), countEnding)),
  exceeded: (repository, commit) =>
    orElse(null, async () =>
      Option.getOrNull(decodeExceeded(await readFile(fileOf(repository, commit, exceededEnding), "utf8")))
    ),
  putExceeded: (repository, commit, { cpu, exceeded, memory, wall }) =>
    write(repository, commit, exceededEnding, JSON.stringify({ exceeded, memory, cpu, wall }))
}
