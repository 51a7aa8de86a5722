import type { Processes } from "../../platform/processes/Processes.ts"
import { isObjectId, zeroId } from "../objectId.ts"
import { badEnd, type GitFailed, notStarted, type Repository } from "../Repository.ts"
import { type Answer, answerReader, type Question } from "./catFileAnswers.ts"
import { start } from "./start.ts"

/** A question to a process. `resume` is called once, with the answer or why there is none. */
export interface CatFileRequest {
  readonly question: Question
  /** The revision has no control characters. */
  readonly revision: string
  readonly resume: (outcome: Answer | GitFailed) => void
  /** The number of processes that died over this request. */
  crashes: number
}

/** How a process ended. */
export interface CatFileEnd {
  /** The unanswered requests, in their order. */
  readonly unanswered: ReadonlyArray<CatFileRequest>
  /** Whether it ever answered; false where the repository cannot be read at all. */
  readonly wasReady: boolean
  /** The failure; its status is 0 when the process retired. */
  readonly failure: GitFailed
}

/** A `git cat-file` process that answers any number of questions, in order. */
export interface CatFile {
  readonly ask: (request: CatFileRequest) => void
  /** Takes no more requests and ends once it has answered all. */
  readonly retire: () => void
  readonly kill: () => void
}

const args = ["cat-file", "--batch-command", "--buffer"]

/**
 * Starts a process. It retires after `idleMillis` without a question, and is killed when an answer lets wait that long or makes no
 * sense. `onEnd` is called once.
 */
export const openCatFile = (
  processes: Processes,
  repository: Repository,
  idleMillis: number,
  onEnd: (end: CatFileEnd) => void
): CatFile => {
  const child = start(processes, repository, args, { class: "interactive", isLasting: true })
  /** This request, which every repository answers alike, shows whether the process answers at all. Nobody asks it again. */
  const first: CatFileRequest = { question: "info", revision: zeroId, resume: () => {}, crashes: 0 }
  const queue: Array<CatFileRequest> = []
  let unwritten = ""
  let stderr = ""
  let exceeded: GitFailed["exceeded"]
  let wasReady = false
  let isFinished = false

  const finish = (failure: GitFailed) => {
    if (isFinished) return
    isFinished = true
    clearTimeout(timer)
    onEnd({ unanswered: queue.filter((request) => request !== first), wasReady, failure })
  }
  const kill = () => {
    child.kill("SIGKILL")
  }
  const write = () => {
    if (unwritten === "" || child.stdin.writableEnded) return
    child.stdin.write(`${unwritten}flush\n`)
    unwritten = ""
  }
  const retire = () => {
    write()
    child.stdin.end()
  }
  const timer = setTimeout(() => {
    if (queue.length === 0) return retire()
    exceeded = "time"
    kill()
  }, idleMillis).unref()
  const ask = (request: CatFileRequest) => {
    if (queue.length === 0) timer.refresh()
    queue.push(request)
    // Requests of the same turn of the event loop are written together.
    if (unwritten === "") queueMicrotask(write)
    unwritten += `${request.question} ${request.revision}\n`
  }
  const read = answerReader(
    () => queue[0]?.question,
    (answer) => {
      const [request] = queue
      if (request === undefined) return false
      if (answer !== undefined && isObjectId(request.revision) && answer.id !== request.revision) return false
      wasReady = true
      queue.shift()
      request.resume(answer)
      return true
    }
  )

  child.stdout.on("data", (chunk: Buffer) => {
    timer.refresh()
    if (!read(chunk)) {
      child.stdout.removeAllListeners("data").resume()
      kill()
    }
  })
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(-2000)
  })
  child.stdin.on("error", () => {})
  child.once("error", (error) => finish(notStarted(args, error)))
  child.once("close", (status) => finish(badEnd(args, { status, stderr, exceeded: exceeded ?? child.exceeded() })))
  ask(first)
  return { ask, retire, kill }
}
