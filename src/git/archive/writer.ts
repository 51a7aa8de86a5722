import { pipeline } from "node:stream"
import { Effect } from "effect"
import { Processes } from "../../platform/processes/Processes.ts"
import { environment } from "../process/environment.ts"
import { DiskFull } from "../process/SpoolFile.ts"
import type { Spool } from "../process/spool.ts"
import { start } from "../process/start.ts"
import { badEnd, type GitFailed, notStarted, type Repository } from "../Repository.ts"
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

const kibibyte = 1024
/** An archive may take this many milliseconds. */
const timeLimit = 60 * 60_000
const maxStderrLength = 8 * kibibyte

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
  Effect.flatMap(Processes, (processes) => writeWith(processes, repository, request, spool, onStart))

const writeWith = (
  processes: Processes,
  repository: Repository,
  request: ArchiveRequest,
  spool: Spool,
  onStart: () => void
): Effect.Effect<void, GitFailed> =>
  Effect.callback((resume) => {
    const args = argumentsOf(request)
    const child = start(processes, repository, args, { env: { GIT_LITERAL_PATHSPECS: "0" }, class: "bulk" })
    const compressor = request.format === "tar.bz2" ? [bzip2()] : []
    let stderr = ""
    let exceeded: GitFailed["exceeded"]
    const timer = setTimeout(() => {
      exceeded = "time"
      child.kill("SIGKILL")
    }, timeLimit)
    const fail = (failure: GitFailed) => {
      clearTimeout(timer)
      child.kill("SIGKILL")
      resume(Effect.fail(failure))
    }
    child.once("error", (error) => fail(notStarted(args, error)))
    child.stderr.on("data", (chunk: Buffer) => {
      if (stderr.length < maxStderrLength) stderr += chunk.toString("utf8")
    })
    child.stdin.on("error", () => {})
    child.stdin.end()
    const written = new Promise<Error | null>((resolve) => {
      child.stdout.once("data", onStart)
      pipeline([child.stdout, ...compressor, spool.sink()], (error) => resolve(error ?? null))
    })
    child.once("close", async (status) => {
      if (status !== 0) return fail(badEnd(args, { status, stderr, exceeded: exceeded ?? child.exceeded() }))
      const error = await written
      if (error instanceof DiskFull) exceeded = "space"
      if (error !== null) return fail(badEnd(args, { status, stderr: error.message, exceeded }))
      clearTimeout(timer)
      resume(Effect.void)
    })
    // A sink that takes no more must not leave `git` waiting.
    written.then((error) => error !== null && child.kill("SIGKILL"))
    return Effect.promise(async () => {
      clearTimeout(timer)
      child.kill("SIGKILL")
      child.stdout.destroy()
      await written
    })
  })
