import type { Readable } from "node:stream"
import { Effect } from "effect"
import { Processes } from "../../platform/processes/Processes.ts"
import { CurrentWork } from "../../platform/work/CurrentWork.ts"
import { inPlace } from "../../platform/work/WorkPlaces.ts"
import { diagnoseGraph } from "../commitGraph/diagnoseGraph.ts"
import { badEnd, type GitFailed, notStarted, type Repository, withCause } from "../Repository.ts"
import { type StartOptions, start } from "./start.ts"

export interface ConsumeOptions extends Pick<StartOptions, "env"> {
  /** The standard input, which is empty by default. */
  readonly input?: Uint8Array | string
  /** The highest number of milliseconds; the default is 60,000. That of the class of the work holds too. */
  readonly timeLimit?: number
  /** The exit statuses that are answers rather than failures; the default is only 0. */
  readonly statuses?: ReadonlyArray<number>
}

const maxStderrLength = 8 * 1024
/** What a process prints is worked on for about so many milliseconds at a time. */
const sliceMillis = 4

/**
 * Runs `git`, when there is a place for the current work, and hands on what it prints, piece by piece: nothing of it is kept here. Answers
 * the exit status, or null when the process was ended because `onChunk` had "enough". Interrupting ends the process. No place is a
 * defect, answered as 503.
 */
export const consume = (
  repository: Repository,
  args: ReadonlyArray<string>,
  onChunk: (chunk: Buffer) => "enough" | undefined,
  options: ConsumeOptions = {}
): Effect.Effect<number | null, GitFailed> =>
  Effect.flatMap(Effect.all([CurrentWork, Processes]), ([work, processes]) => {
    const running = runProcess(processes, repository, args, onChunk, { ...options, class: work.class })
    return Effect.catchTag(inPlace(repository.path, running), "TooBusy", Effect.die)
  })

/** Takes what a stream has, and lets others have their turn every few milliseconds: many pieces may be there at once. */
const takeInSlices = (stream: Readable, take: (chunk: Buffer) => void): void => {
  let spent = 0
  let isPending = false
  const rest = () => {
    isPending = false
    spent = 0
    stream.resume()
  }
  stream.on("data", (chunk: Buffer) => {
    const before = performance.now()
    take(chunk)
    spent += performance.now() - before
    if (spent > sliceMillis) stream.pause()
    if (isPending) return
    isPending = true
    setImmediate(rest)
  })
}

const runProcess = (
  processes: Processes,
  repository: Repository,
  args: ReadonlyArray<string>,
  onChunk: (chunk: Buffer) => "enough" | undefined,
  options: ConsumeOptions & Pick<StartOptions, "class">
): Effect.Effect<number | null, GitFailed> =>
  Effect.callback((resume) => {
    const { input, statuses = [0], timeLimit = 60_000 } = options
    const child = start(processes, repository, args, { ...options, hasInput: input !== undefined })
    let stderr = ""
    let isStopped = false
    let exceeded: GitFailed["exceeded"]
    const stop = () => {
      isStopped = true
      child.kill("SIGKILL")
    }
    const timer = setTimeout(() => {
      exceeded = "time"
      child.kill("SIGKILL")
    }, timeLimit)
    const fail = (failure: GitFailed) => {
      clearTimeout(timer)
      const logged = failure.exceeded === undefined ? Effect.void : Effect.logWarning(failure.message)
      const diagnosed = Effect.andThen(logged, diagnoseGraph(repository, failure.stderr))
      resume(Effect.flatMap(diagnosed, (damage) => Effect.fail(withCause(failure, damage))))
    }
    const take = (chunk: Buffer) => {
      if (isStopped) return
      try {
        if (onChunk(chunk) === "enough") stop()
      } catch (defect) {
        stop()
        resume(Effect.die(defect))
      }
    }
    takeInSlices(child.stdout, take)
    child.stderr.on("data", (chunk: Buffer) => {
      if (stderr.length < maxStderrLength) stderr += chunk.toString("utf8")
    })
    child.once("error", (error) => fail(notStarted(args, error)))
    child.once("close", (status) => {
      const isAnswer = status !== null && statuses.includes(status)
      exceeded ??= child.exceeded()
      if (!isStopped && (exceeded !== undefined || !isAnswer)) return fail(badEnd(args, { status, stderr, exceeded }))
      clearTimeout(timer)
      resume(Effect.succeed(isStopped ? null : status))
    })
    // The process may end without reading its input.
    child.stdin.on("error", () => {})
    child.stdin.end(input)
    return Effect.sync(() => {
      clearTimeout(timer)
      child.kill("SIGKILL")
    })
  })
