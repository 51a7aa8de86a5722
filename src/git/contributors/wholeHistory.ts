import { Effect } from "effect"
import { mebibyte } from "../../kernel/units.ts"
import { Processes } from "../../platform/processes/Processes.ts"
import { cores } from "../../platform/work/cores.ts"
import { roomFor } from "../../platform/work/WorkPlaces.ts"
import { type AuthoredCommit, authoredCommits } from "../history/authoredCommits.ts"
import { run } from "../process/run.ts"
import type { GitFailed, Repository } from "../Repository.ts"

/** Ids come as text: that of three million commits. */
const maxListing = 128 * mebibyte
/** Commits that follow each other have much in common, so a process gets so many of them in a row. */
const dealt = 256
/** What one process needs: 172 MiB were measured for 60,000 commits of git itself, of which 96 are its cache. */
const memoryOfOne = 192 * mebibyte

/** Deals lines of one length to so many piles, in turns, because later commits of a history are dearer than its first. */
export const deal = (lines: Buffer, piles: number): ReadonlyArray<Buffer> => {
  const turn = (lines.indexOf("\n") + 1) * dealt
  const all = Array.from({ length: piles }, (): Array<Buffer> => [])
  for (let from = 0, pile = 0; from < lines.length; from += turn, pile = (pile + 1) % piles)
    all[pile]?.push(lines.subarray(from, from + turn))
  return all.filter((pile) => pile.length > 0).map((pile) => (pile.length === 1 ? (pile[0] ?? lines) : Buffer.concat(pile)))
}

export interface HistoryOptions {
  /** The number of milliseconds after which each of its processes is ended. */
  readonly timeLimit: number
  /** The highest number of processes; the default leaves one processor to others. */
  readonly maxProcesses?: number | undefined
}

/** As many as have a place now, so that none waits for one while others are at it, and as three quarters of the memory hold. */
const processesFor = (repository: Repository, maxProcesses: number) =>
  Effect.map(Effect.all([roomFor(repository.path), Processes]), ([room, { limits }]) =>
    Math.max(1, Math.min(maxProcesses, room, Math.floor((limits.totalMemory * 3) / 4 / memoryOfOne)))
  )

/**
 * Calls back for every commit but merges that this one reaches, in no order to rely on, with the lines that it changed. Several processes
 * read at the same time; where one fails, all end. `onTotal` is told before how many commits there are.
 */
export const wholeHistory = Effect.fnUntraced(function* (
  repository: Repository,
  commit: string,
  { maxProcesses = cores - 1, timeLimit }: HistoryOptions,
  on: { readonly total: (commits: number) => void; readonly commit: (commit: AuthoredCommit) => void }
): Effect.fn.Return<void, GitFailed> {
  const { stdout } = yield* run(repository, ["rev-list", "--no-merges", commit, "--"], { maxOutput: maxListing, timeLimit })
  on.total(stdout.length / (stdout.indexOf("\n") + 1))
  const piles = deal(stdout, yield* processesFor(repository, maxProcesses))
  const read = (ids: Buffer) => authoredCommits(repository, { ids }, { counts: true, timeLimit }, on.commit)
  yield* Effect.forEach(piles, read, { concurrency: "unbounded", discard: true })
})
