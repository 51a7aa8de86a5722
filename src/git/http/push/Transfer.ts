import { memoryLimit } from "../../process/environment.ts"
import type { Repository } from "../../Repository.ts"
import { begin, type Exchange, finish } from "../exchange.ts"
import { type GitProcess, startGit } from "../gitProcess.ts"
import type { GitHttpLimits } from "../limits.ts"
import { pump } from "../requestBody.ts"
import { type Watch, watch } from "../watch.ts"
import { CommandReader } from "./CommandReader.ts"
import { DiskWatch } from "./DiskWatch.ts"
import { HookDialogue } from "./HookDialogue.ts"
import type { Outcome, PushEvent } from "./machine.ts"
import { Report } from "./Report.ts"

const contentType = "application/x-git-receive-pack-result"

/** The mistakes of old programs that many histories contain and that are harmless. */
const forgiven = ["badTimezone", "missingSpaceBeforeDate", "zeroPaddedFilemode"].map((name) => `receive.fsck.${name}=ignore`)

const ended = {
  time: "The push was ended: it took too long.",
  space: "The push was ended: the service has too little space left on its disk."
} as const
const failed = "The push could not be received."

/** What is told when git told nothing. */
const failureOf = ({ exceeded, fault }: Outcome, status: number | null): string | undefined => {
  if (fault !== undefined) return fault.text
  if (status === 0) return undefined
  return exceeded === undefined ? failed : ended[exceeded]
}

export interface TransferOptions {
  readonly repository: Repository
  readonly limits: GitHttpLimits
  /** Is told what happens, in order. */
  readonly post: (event: PushEvent) => void
}

interface Started {
  readonly git: GitProcess
  readonly dialogue: HookDialogue
  readonly clock: Watch
  /** Reads no more of the body. */
  readonly detach: () => void
}

/** The streams of a push: the body to git, the conversation with its hooks, and what git says to the client. Decides nothing. */
export class Transfer {
  readonly #exchange: Exchange
  readonly #options: TransferOptions
  readonly #commands: CommandReader
  readonly #report = new Report()
  #started: Started | undefined

  constructor(exchange: Exchange, options: TransferOptions) {
    this.#exchange = exchange
    this.#options = options
    this.#commands = new CommandReader(options.limits.pushHead)
  }

  /** Starts git and gives it the body. */
  start(): void {
    const { limits, post, repository } = this.#options
    const git = startGit({
      repository,
      args: ["receive-pack", "--stateless-rpc"],
      config: [`receive.maxInputSize=${limits.pushPack}`, "receive.procReceiveRefs=refs", ...forgiven],
      protocol: undefined,
      env: memoryLimit,
      patience: 3_000
    })
    const clock = watch(limits, () => post({ _tag: "TimeExceeded" }))
    const dialogue = new HookDialogue(git.hooks, (question) => post({ _tag: "PermissionRequested", question }))
    this.#listen(git, clock)
    const detach = this.#pump(git, clock)
    this.#started = { git, dialogue, clock, detach }
  }

  #listen(git: GitProcess, clock: Watch): void {
    const { response } = this.#exchange
    git.stdout.on("data", (chunk: Buffer) => {
      clock.touch()
      const live = this.#report.take(chunk)
      if (live.length === 0) return
      begin(this.#exchange, contentType)
      // It is little, and who reads it slowly must not keep others from moving their refs.
      response.write(live)
    })
    git.end.then((end) => {
      const reported = this.#report.isThere ? this.#report.moved() : undefined
      this.#options.post({ _tag: "GitEnded", end: { ...end, reported, isAnswered: response.headersSent } })
    })
  }

  #pump(git: GitProcess, clock: Watch): () => void {
    const { limits, post, repository } = this.#options
    const disk = new DiskWatch(() => limits.spare(repository.path))
    const commands = this.#commands
    return pump(this.#exchange, git.stdin, {
      inspect: (chunk) => {
        clock.touch()
        disk.take(chunk.length, () => post({ _tag: "SpaceExceeded" }))
        if (commands.isRead) return
        const fault = commands.inspect(chunk)
        if (commands.isRead) post({ _tag: "CommandsRead", isAtomic: commands.isAtomic })
        return fault
      },
      onComplete: () => {
        // From here on it is git that takes its time.
        clock.rest()
        post({ _tag: "BodyEnded" })
      },
      onFault: (fault) => post({ _tag: "BodyRefused", fault })
    })
  }

  /** git gets no more of the body; the rest is read and thrown away. */
  closeInput(): void {
    this.#started?.git.stdin.destroy()
  }

  /** Lets these refs move, once. */
  answer(allowed: ReadonlySet<string>): void {
    this.#started?.dialogue.answer(allowed)
  }

  /** Ends git. What it has moved stays moved. */
  stop(): void {
    this.#started?.git.stop()
  }

  /** Tells the client how it went; `status` is that of git. */
  report(outcome: Outcome, status: number | null): void {
    const { exceeded, lines, refusals } = outcome
    begin(this.#exchange, contentType)
    const bytes = this.#report.finish({
      refusals,
      // What git says of it is that its input ended.
      lines: exceeded === undefined ? lines : [...lines, ended[exceeded]],
      failure: failureOf(outcome, status),
      hasBands: this.#commands.hasBands
    })
    this.close()
    finish(this.#exchange, bytes)
  }

  /** Neither reads nor watches any more. */
  close(): void {
    this.#started?.detach()
    this.#started?.clock.end()
  }
}
