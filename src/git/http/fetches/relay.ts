import { pipeline, type Readable } from "node:stream"
import { Effect } from "effect"
import { Processes } from "../../../platform/processes/Processes.ts"
import type { WorkClass } from "../../../platform/work/CurrentWork.ts"
import { type TooBusy, tooBusy } from "../../../platform/work/FairQueue.ts"
import { LeastRate } from "../../../platform/work/LeastRate.ts"
import { diagnoseGraph } from "../../commitGraph/diagnoseGraph.ts"
import type { Repository } from "../../Repository.ts"
import { begin, type Exchange, finish, send } from "../exchange.ts"
import { type GitProcessOptions, type ProcessEnd, startGit } from "../gitProcess.ts"
import type { GitHttpLimits } from "../limits.ts"
import { PacketBoundary } from "../packets.ts"
import { startTimer } from "../transferTimer.ts"
import { closing } from "./closing.ts"

export interface RelayOptions {
  readonly repository: Repository
  readonly args: ReadonlyArray<string>
  readonly class: WorkClass
  readonly protocol: string | undefined
  readonly contentType: string
  /** What goes to the process. */
  readonly input: Buffer | Readable
  readonly limits: Pick<GitHttpLimits, "idleMillis" | "leastFetchRate" | "totalMillis">
}

/**
 * Answers with what a process of git prints, as fast as the client takes it, which must not be too slow. When the process fails, and when its time is over,
 * the client gets an error that it can show. Fails with `TooBusy` when none can be started now. Interrupting ends the process.
 */
export const relay = (exchange: Exchange, options: RelayOptions): Effect.Effect<ProcessEnd, TooBusy> =>
  Effect.flatMap(Processes, (processes) => relayFrom(exchange, { ...options, processes }))

const relayFrom = (exchange: Exchange, options: RelayOptions & Pick<GitProcessOptions, "processes">) =>
  Effect.callback<ProcessEnd, TooBusy>((resume) => {
    const { response } = exchange
    const git = startGit(options)
    const boundary = new PacketBoundary()
    let isExpired = false
    let isFinished = false
    const expire = () => {
      isExpired = true
      git.stop()
      // A client that stopped reading would keep its connection for ever.
      if (response.writableNeedDrain) response.destroy()
    }
    const rate = new LeastRate(options.limits.leastFetchRate)
    const clock = startTimer({ ...options.limits, rate }, expire, () => response.writableNeedDrain)
    const wake = () => {
      clock.touch(0)
      git.stdout.resume()
    }
    git.stdout.on("data", (chunk: Buffer) => {
      clock.touch(chunk.length)
      boundary.pass(chunk)
      if (!send(exchange, options.contentType, chunk)) git.stdout.pause()
    })
    response.on("drain", wake)
    const settle = () => {
      clock.end()
      response.off("drain", wake)
    }
    if (Buffer.isBuffer(options.input)) git.stdin.end(options.input)
    // The process may end without reading all of it.
    else pipeline(options.input, git.stdin, () => {})
    git.end.then((end) => {
      settle()
      if (isFinished) return
      if (end.shortage !== undefined) return resume(Effect.fail(tooBusy))
      const isWhole = end.status === 0
      const rest = closing(isExpired ? { ...end, exceeded: "time" } : end, response.headersSent ? boundary : undefined)
      begin(exchange, options.contentType)
      finish(exchange, rest)
      resume(Effect.as(isWhole ? Effect.void : diagnoseGraph(options.repository, end.stderr), end))
    })
    return Effect.sync(() => {
      isFinished = true
      settle()
      git.stop()
    })
  })
