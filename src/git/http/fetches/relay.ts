import { Effect } from "effect"
import { Processes } from "../../../platform/processes/Processes.ts"
import type { WorkClass } from "../../../platform/work/CurrentWork.ts"
import { TooBusy } from "../../../platform/work/FairQueue.ts"
import { diagnoseGraph } from "../../history/diagnoseGraph.ts"
import type { Repository } from "../../Repository.ts"
import { begin, type Exchange, finish } from "../exchange.ts"
import { type GitProcessOptions, type ProcessEnd, startGit } from "../gitProcess.ts"
import { PacketBoundary } from "../packets.ts"
import { type BodyRefused, type PumpOptions, pump, type RequestBody } from "../requestBody.ts"
import { startTimer } from "../transferTimer.ts"
import { closing } from "./closing.ts"

export interface RelayOptions {
  readonly repository: Repository
  readonly args: ReadonlyArray<string>
  readonly class: WorkClass
  readonly protocol: string | undefined
  readonly contentType: string
  /** The bytes with which the answer begins. */
  readonly prefix?: Buffer
  /** What goes to the process; without it, the request has no body. */
  readonly input?: { readonly body: RequestBody; readonly inspect: PumpOptions["inspect"] } | Buffer
  readonly limits: { readonly idleMillis: number; readonly totalMillis: number }
}

/**
 * Answers with what a process of git prints, as fast as the client takes it. When the process fails, and when its time is over,
 * the client gets an error that it can show. Fails with `TooBusy` when none can be started now. Interrupting ends the process.
 */
export const relay = (exchange: Exchange, options: RelayOptions): Effect.Effect<ProcessEnd, BodyRefused | TooBusy> =>
  Effect.flatMap(Processes, (processes) => relayFrom(exchange, { ...options, processes }))

const relayFrom = (exchange: Exchange, options: RelayOptions & Pick<GitProcessOptions, "processes">) =>
  Effect.callback<ProcessEnd, BodyRefused | TooBusy>((resume) => {
    const { response } = exchange
    const git = startGit(options)
    const boundary = new PacketBoundary()
    let isExpired = false
    let isFinished = false
    const isClientAwaited = () => response.writableNeedDrain || git.stdin.writable
    const expire = () => {
      isExpired = true
      git.stop()
      // A client that stopped reading would keep its connection for ever.
      if (response.writableNeedDrain) response.destroy()
    }
    const clock = startTimer(options.limits, expire, isClientAwaited)
    const send = (bytes: Buffer): boolean => {
      begin(exchange, options.contentType)
      return response.write(bytes)
    }
    const wake = () => {
      clock.touch()
      git.stdout.resume()
    }
    if (options.prefix !== undefined) git.stdout.once("data", () => send(options.prefix ?? Buffer.alloc(0)))
    git.stdout.on("data", (chunk: Buffer) => {
      clock.touch()
      boundary.pass(chunk)
      if (!send(chunk)) git.stdout.pause()
    })
    response.on("drain", wake)
    const settle = () => {
      clock.end()
      response.off("drain", wake)
    }
    if (options.input === undefined || Buffer.isBuffer(options.input)) git.stdin.end(options.input)
    else {
      const { body, inspect } = options.input
      pump(body, git.stdin, {
        inspect: (chunk) => {
          clock.touch()
          return inspect(chunk)
        },
        onComplete: () => {},
        onFault: (fault) => {
          // An answer that has begun, such as an error of git, ends with the process.
          if (!response.headersSent) {
            isFinished = true
            settle()
            resume(Effect.fail(fault))
          }
          git.stop()
        }
      })
    }
    git.end.then((end) => {
      settle()
      if (isFinished) return
      if (end.shortage !== undefined) return resume(Effect.fail(new TooBusy()))
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
