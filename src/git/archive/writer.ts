import { Effect } from "effect"
import { environment } from "../process/environment.ts"
import type { Spool } from "../process/spool.ts"
import { writeOutput } from "../process/writeOutput.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { bzip2 } from "./bzip2.ts"
import { gzipCommand } from "./gzipCommand.ts"
import type { ArchiveFormat } from "./names.ts"

export interface ArchiveRequest {
  /** The full id of the commit: its time is that of the files, and the archive names it. */
  readonly commit: string
  readonly format: ArchiveFormat
  /** The name of the folder that holds everything, as `archiveName` makes it. */
  readonly top: string
  /**
   * The archive holds only this file or folder, whose files keep their full path; an empty path stands for everything. It is not a
   * pattern.
   */
  readonly path?: string
  /** The files and folders that are left out. Gap: whether patterns are meant is not shown; plain names are the least surprising. */
  readonly exclude?: ReadonlyArray<string>
}

/** An archive may take this many milliseconds. */
const timeLimit = 60 * 60_000

/** What git prints: all but bzip2 it makes itself, so that nothing but the result goes through this process. */
const gitFormats = { tar: "tar", zip: "zip", "tar.gz": "tar.gz", "tar.bz2": "tar" } as const

const argumentsOf = ({ commit, exclude = [], format, path = "", top }: ArchiveRequest): ReadonlyArray<string> => [
  "-c",
  `tar.tar.gz.command=${gzipCommand(environment.PATH)}`,
  "archive",
  `--format=${gitFormats[format]}`,
  `--prefix=${top}/`,
  commit,
  "--",
  ...(path === "" ? [] : [`:(top,literal)${path}`]),
  ...exclude.filter((excluded) => excluded !== "").map((excluded) => `:(top,exclude,literal)${excluded}`)
]

/**
 * Writes an archive into a spool, and calls `onStart` when `git` has printed its first bytes: it has found everything by then. Fails when
 * `git` does, such as for a path that is not there. Interrupting ends the process.
 */
export const writeArchive = (
  repository: Repository,
  request: ArchiveRequest,
  spool: Spool,
  onStart: () => void
): Effect.Effect<void, GitFailed> =>
  Effect.suspend(() => {
    const through = request.format === "tar.bz2" ? [bzip2()] : []
    const options = { env: { GIT_LITERAL_PATHSPECS: "0" }, class: "bulk", through, timeLimit } as const
    return writeOutput(repository, argumentsOf(request), options, spool, onStart)
  })
