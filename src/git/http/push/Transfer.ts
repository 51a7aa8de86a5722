import type { Effect } from "effect"
import type { Processes } from "../../../platform/processes/Processes.ts"
import { TakenBytes } from "../../../platform/work/ByteBudget.ts"
import type { TooBusy } from "../../../platform/work/FairQueue.ts"
import { LeastRate } from "../../../platform/work/LeastRate.ts"
import type { Spools } from "../../process/Spools.ts"
import type { PushGrant } from "../access.ts"
import { begin, type Exchange, finish, send } from "../exchange.ts"
import { type GitProcess, startGit } from "../gitProcess.ts"
import type { GitHttpLimits } from "../limits.ts"
import { type BodyRefused, pump, RequestBody } from "../requestBody.ts"
import { startTimer, type TransferTimer } from "../transferTimer.ts"
import { CommandReader } from "./CommandReader.ts"
import { DiskSpaceMonitor } from "./DiskSpaceMonitor.ts"
import { HookDialogue } from "./HookDialogue.ts"
import type { Outcome, PushEvent } from "./machine.ts"
import { Report } from "./Report.ts"
import { maxShortBytes, receivingEnvironment, receivingSettings, tooLargeText } from "./receiving.ts"

const contentType = "application/x-git-receive-pack-result"

/** So many bytes of each push are read ahead without asking for room: that is what most have in front of their objects. */
const freeBytes = 16 * 1024

/** The mistakes of old programs that many histories contain and that are harmless. */
const toleratedFaults = ["badTimezone", "missingSpaceBeforeDate", "zeroPaddedFilemode"].map(
  (name) => `receive.fsck.${name}=ignore`
)

const abortTexts = {
  time: "The push was ended: it took too long.",
  space: "The push was ended: the service has too little space left on its disk.",
  memory: "The push was ended: it needs more memory than the service may use.",
  together: "The push was ended: all that is being done needs more memory than the service may use."
} as const
const failed = "The push could not be received."

/** The text for the client when git reported nothing. */
const failureOf = ({ exceeded, fault }: Outcome, status: number | null): string | undefined => {
  if (fault !== undefined) return fault.text
  if (status === 0) return undefined
  return exceeded === undefined ? failed : abortTexts[exceeded]
}

export interface TransferOptions {
  readonly processes: Processes
  readonly spools: Spools
  readonly grant: Pick<PushGrant<never>, "caller" | "repository">
  readonly limits: GitHttpLimits
  /** Receives the events in order. */
  readonly post: (event: PushEvent) => void
}

interface Started {
  readonly git: GitProcess
  readonly dialogue: HookDialogue
  readonly clock: TransferTimer
  /** Stops reading the body. */
  readonly detach: () => void
}

/** The streams of a push: the body to git, the dialogue with its hooks, and the output of git to the client. It decides nothing. */
export class Transfer {
  readonly #exchange: Exchange
  readonly #options: TransferOptions
  readonly #body: RequestBody
  /** Reads ahead: how many objects there are is known before git starts. */
  readonly #head: CommandReader
  readonly #commands: CommandReader
  readonly #report: Report
  #started: Started | undefined

  constructor(exchange: Exchange, options: TransferOptions) {
    this.#exchange = exchange
    this.#options = options
    this.#report = new Report(options.grant.repository.path)
    const head = new CommandReader(options.limits.maxPushHeadBytes)
    this.#head = head
    const isShort = Number(exchange.request.headers["content-length"]) <= maxShortBytes
    this.#body = new RequestBody(exchange, {
      isEnough: (chunk) => head.inspect(chunk) !== undefined || (head.isComplete && !isShort),
      memory: new TakenBytes(options.spools.bodyMemory, options.grant.caller, freeBytes)
    })
    this.#commands = new CommandReader(options.limits.maxPushHeadBytes)
  }

  /** Waits until the refs that are to move, and the number of objects, are known or broken, and for all of a short push: then git is needed. */
  awaitCommands(): Effect.Effect<void, BodyRefused | TooBusy> {
    return this.#body.awaitHead(this.#options.limits)
  }

  /** Starts git and gives it the body. */
  start(): void {
    const { grant, limits, post, processes } = this.#options
    const pack = this.#body.peekAll()?.subarray(this.#head.packStart)
    const git = startGit({
      processes,
      repository: grant.repository,
      args: ["receive-pack", "--stateless-rpc"],
      config: [
        `receive.maxInputSize=${limits.maxPushPackBytes}`,
        "receive.procReceiveRefs=refs",
        ...receivingSettings(pack),
        ...toleratedFaults
      ],
      protocol: undefined,
      env: receivingEnvironment(this.#head.objects),
      class: "transfer",
      terminateDelayMillis: 3_000
    })
    // Others wait for the place, so a client that trickles is let go; while git takes nothing, it is not the client that is waited for.
    const rate = new LeastRate(limits.leastPushRate)
    const expire = () => post({ _tag: "TimeExceeded" })
    const clock = startTimer({ ...limits, rate }, expire, () => !git.stdin.writableNeedDrain)
    const dialogue = new HookDialogue(git.hooks, (question) => post({ _tag: "PermissionRequested", question }))
    this.#listen(git, clock)
    const detach = this.#pump(git, clock)
    this.#started = { git, dialogue, clock, detach }
  }

  #listen(git: GitProcess, clock: TransferTimer): void {
    const { response } = this.#exchange
    git.stdout.on("data", (chunk: Buffer) => {
      clock.touch(0)
      const live = this.#report.take(chunk)
      if (live.length === 0) return
      // The output is small, and a slow reader must not delay the refs of others.
      send(this.#exchange, contentType, live)
    })
    git.end.then((end) => {
      const reported = this.#report.hasReport ? this.#report.moved() : undefined
      this.#options.post({ _tag: "GitEnded", end: { ...end, reported, isAnswered: response.headersSent } })
    })
  }

  #pump(git: GitProcess, clock: TransferTimer): () => void {
    const { grant, limits, post } = this.#options
    const disk = new DiskSpaceMonitor(() => limits.spare(grant.repository.path))
    const commands = this.#commands
    this.#body.goOn()
    return pump(this.#body, git.stdin, {
      inspect: (chunk) => {
        clock.touch(chunk.length)
        disk.add(chunk.length, () => post({ _tag: "SpaceExceeded" }))
        if (commands.isRead) return
        const fault = commands.inspect(chunk)
        if (commands.isRead) post({ _tag: "CommandsRead", isAtomic: commands.isAtomic })
        return fault
      },
      onComplete: () => {
        // From here on, only the total time counts, because git is at work.
        clock.ignoreIdle()
        post({ _tag: "BodyEnded" })
      },
      onFault: (fault) => post({ _tag: "BodyRefused", fault })
    })
  }

  /** Stops giving the body to git; the rest is read and discarded. */
  closeInput(): void {
    this.#started?.git.stdin.destroy()
  }

  /** Lets these refs move, once. */
  answer(allowed: ReadonlySet<string>): void {
    this.#started?.dialogue.answer(allowed)
  }

  /** Ends git. Refs that it has moved stay moved. */
  stop(): void {
    this.#started?.git.stop()
  }

  /** Sends the outcome to the client; `status` is that of git. */
  report(outcome: Outcome, status: number | null): void {
    const { lines, refusals } = outcome
    const exceeded = outcome.exceeded ?? this.#report.exceeded
    begin(this.#exchange, contentType)
    const bytes = this.#report.finish({
      refusals,
      // The report of git only says that its input ended.
      lines: [
        ...lines,
        ...(exceeded === undefined ? [] : [abortTexts[exceeded]]),
        ...(this.#report.isTooLarge ? [tooLargeText] : [])
      ],
      failure: failureOf(outcome, status),
      hasBands: this.#commands.hasBands
    })
    this.close()
    finish(this.#exchange, bytes)
  }

  /** Neither reads nor watches any more. */
  close(): void {
    if (this.#started === undefined) this.#body.detach()
    this.#started?.detach()
    this.#started?.clock.end()
  }
}
