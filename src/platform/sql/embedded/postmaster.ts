import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { platform } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { Data, Effect, Schedule } from "effect"

/** The main process of a running server. */
export interface Postmaster {
  readonly pid: number
  readonly port: number
  readonly state: "starting" | "ready" | "stopping"
}

/** What lies in `postmaster.pid`. */
interface PidFile {
  readonly pid: number
  readonly postmaster: Postmaster | undefined
}

const commandLine = async (pid: number): Promise<string> => {
  if (platform() === "linux") return (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ")
  return (await promisify(execFile)("ps", ["-o", "args=", "-p", String(pid)])).stdout
}

/** Whether the process is a server on this folder, rather than one that got the number of a dead one. */
const serves = (pid: number, folder: string): Promise<boolean> =>
  commandLine(pid).then(
    (line) => line.includes(`-D ${folder} `),
    () => false
  )

const stateOf = (status: string | undefined): Postmaster["state"] =>
  status?.startsWith("ready") ? "ready" : status?.startsWith("stopping") ? "stopping" : "starting"

/** Reads `postmaster.pid`; its `postmaster` is undefined when no such process serves the folder. Undefined without the file. */
export const readPidFile = (folder: string): Effect.Effect<PidFile | undefined> =>
  Effect.promise(async () => {
    const text = await readFile(join(folder, "postmaster.pid"), "utf8").catch(() => "")
    // Lines: pid, data folder, start time, port, socket folder, address, shared memory, status.
    const lines = text.split("\n")
    const pid = Number(lines[0])
    if (!Number.isInteger(pid) || pid <= 0) return undefined
    if (!(await serves(pid, folder))) return { pid, postmaster: undefined }
    return { pid, postmaster: { pid, port: Number(lines[3] ?? 0), state: stateOf(lines[7]) } }
  })

/** The running server of the folder. */
export const findPostmaster = (folder: string): Effect.Effect<Postmaster | undefined> =>
  Effect.map(readPidFile(folder), (file) => file?.postmaster)

/** How often the state of a server that starts or stops is looked at. */
export const pollInterval = "10 millis"

const isGone = (folder: string, pid: number): Effect.Effect<boolean> =>
  Effect.map(readPidFile(folder), (file) => file?.postmaster?.pid !== pid)

/** Waits until the server has ended; false when it has not after 15 seconds. */
const awaitEnd = (folder: string, pid: number): Effect.Effect<boolean> =>
  isGone(folder, pid).pipe(
    Effect.repeat({ until: (gone) => gone, schedule: Schedule.spaced(pollInterval) }),
    Effect.timeoutOrElse({ duration: "15 seconds", orElse: () => Effect.succeed(false) })
  )

/** The process is gone already, or belongs to somebody else. */
class SignalFailed extends Data.TaggedError("SignalFailed")<{ readonly cause: unknown }> {}

const signal = (pid: number, name: NodeJS.Signals): Effect.Effect<void> =>
  Effect.ignore(Effect.try({ try: () => process.kill(pid, name), catch: (cause) => new SignalFailed({ cause }) }))

/**
 * Stops the server with a fast shutdown (sessions end, everything is written), and if that does not work, with an immediate one
 * (the next start recovers from the log). False when it still runs.
 */
export const stopPostmaster = Effect.fn("embedded.stop")(function* (folder: string, pid: number) {
  yield* signal(pid, "SIGINT")
  if (yield* awaitEnd(folder, pid)) return true
  yield* signal(pid, "SIGQUIT")
  return yield* awaitEnd(folder, pid)
})
