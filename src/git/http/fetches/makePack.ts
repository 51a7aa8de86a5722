import { once } from "node:events"
import { finished } from "node:stream/promises"
import { Effect } from "effect"
import type { Processes } from "../../../platform/processes/Processes.ts"
import type { WorkClass } from "../../../platform/work/CurrentWork.ts"
import { type TooBusy, tooBusy } from "../../../platform/work/FairQueue.ts"
import { diagnoseGraph } from "../../commitGraph/diagnoseGraph.ts"
import { DiskFull } from "../../process/SpoolFile.ts"
import type { Repository } from "../../Repository.ts"
import { type ProcessEnd, startGit } from "../gitProcess.ts"
import { PacketBoundary } from "../packets.ts"
import { closing } from "./closing.ts"
import type { MakePack } from "./SharedPacks.ts"

export interface PackRequest {
  readonly repository: Repository
  /** Without it, those of a fetch. */
  readonly args?: ReadonlyArray<string>
  /** The default is a transfer. */
  readonly class?: WorkClass
  readonly protocol: string | undefined
  /** The whole body of the request; by default it has none. */
  readonly body?: Buffer
  /** The bytes with which the answer begins. */
  readonly prefix?: Buffer
}

export const uploadPack: ReadonlyArray<string> = ["upload-pack", "--stateless-rpc"]

/** Makes the answer to a fetch, or to the question what there is. It ends with an error that clients show where git fails. */
export const makePack =
  (
    processes: Processes,
    { args = uploadPack, body, class: workClass = "transfer", prefix, protocol, repository }: PackRequest
  ): MakePack =>
  (spool, onStart) =>
    Effect.callback<ProcessEnd, TooBusy>((resume) => {
      const git = startGit({ processes, class: workClass, repository, args, protocol })
      const boundary = new PacketBoundary()
      const sink = spool.sink()
      let hasBegun = false
      let isFull = false
      git.stdout.once("data", () => {
        hasBegun = true
        if (prefix !== undefined) sink.write(prefix)
      })
      git.stdout.on("data", (chunk: Buffer) => boundary.pass(chunk))
      git.stdout.pipe(sink, { end: false })
      // What is written is read from the spool, so nobody has to wait for the first piece to be on its disk.
      git.stdout.once("data", onStart)
      sink.on("error", (error) => {
        isFull = error instanceof DiskFull
        git.stop()
      })
      git.stdin.end(body)
      const conclude = async (end: ProcessEnd): Promise<Effect.Effect<ProcessEnd, TooBusy>> => {
        if (end.shortage !== undefined) return Effect.fail(tooBusy)
        const ended: ProcessEnd = isFull ? { ...end, status: end.status ?? 1, exceeded: "space" } : end
        const rest = closing(ended, hasBegun ? boundary : undefined)
        if (sink.destroyed) return Effect.die(new Error("The pack could not be written"))
        sink.end(rest)
        await finished(sink)
        return Effect.as(ended.status === 0 ? Effect.void : diagnoseGraph(repository, ended.stderr), ended)
      }
      git.end.then(conclude).then(resume, (error) => resume(Effect.die(error)))
      return Effect.promise(async () => {
        git.stop()
        if (!sink.destroyed) await Promise.race([git.end, once(sink, "close")])
        sink.destroy()
      })
    })
