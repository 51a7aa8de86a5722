import { memoryLimit } from "../process/environment.ts"
import type { Repository } from "../Repository.ts"
import { DiskWatch } from "./DiskWatch.ts"
import { begin, type Exchange } from "./exchange.ts"
import { type ProcessEnd, startGit } from "./gitProcess.ts"
import type { GitHttpLimits } from "./limits.ts"
import { PushDialogue, type PushQuestion } from "./PushDialogue.ts"
import { PushHead } from "./PushHead.ts"
import { PushReport } from "./PushReport.ts"
import { type BodyRefused, pump } from "./requestBody.ts"
import { watch } from "./watch.ts"

/** A push that is coming in. */
export interface Receiving {
  readonly report: PushReport
  readonly head: PushHead
  /** What it would move; undefined when it ended without asking. */
  readonly question: Promise<PushQuestion | undefined>
  /** Lets these refs move, once. */
  readonly answer: (allowed: ReadonlySet<string>) => void
  /** When the process has ended, and the body was read as far as it is waited for. */
  readonly end: Promise<ProcessEnd & { readonly fault: BodyRefused | undefined; readonly exceeded: "time" | "space" | undefined }>
  /** Ends it. What it has moved stays moved. */
  readonly stop: () => void
}

export const contentType = "application/x-git-receive-pack-result"

/** Mistakes of old programs in the commits of many a history, which are no danger. */
const forgiven = ["badTimezone", "missingSpaceBeforeDate", "zeroPaddedFilemode"].map((name) => `receive.fsck.${name}=ignore`)

/**
 * Receives a push. A client that goes away before it has sent everything ends it, and nothing moves; once everything is there, it is
 * finished whether or not the client stays.
 */
export const receive = (exchange: Exchange, repository: Repository, limits: GitHttpLimits): Receiving => {
  const { response } = exchange
  const head = new PushHead(limits.pushHead)
  const report = new PushReport()
  const git = startGit({
    repository,
    args: ["receive-pack", "--stateless-rpc"],
    config: [`receive.maxInputSize=${limits.pushPack}`, "receive.procReceiveRefs=refs", ...forgiven],
    protocol: undefined,
    env: memoryLimit,
    patience: 3_000
  })
  const disk = new DiskWatch(() => limits.spare(repository.path))
  let fault: BodyRefused | undefined
  let exceeded: "time" | "space" | undefined
  let isComplete = false
  const body = Promise.withResolvers<void>()
  const clock = watch(limits, () => {
    exceeded ??= "time"
    git.stop()
    body.resolve()
  })
  exchange.onHangUp = () => {
    git.stop()
    body.resolve()
  }
  // The rest is still read, so that the client comes to read why.
  const onFull = () => {
    if (isComplete) return
    exceeded ??= "space"
    git.stop()
  }
  pump(exchange, git.stdin, {
    inspect: (chunk) => {
      clock.touch()
      disk.take(chunk.length, onFull)
      return head.inspect(chunk)
    },
    onComplete: () => {
      // From here on it is git that takes its time.
      clock.rest()
      isComplete = true
      exchange.onHangUp = () => {}
      body.resolve()
    },
    onFault: (reason) => {
      fault = reason
      git.stop()
      body.resolve()
    }
  })
  git.stdout.on("data", (chunk: Buffer) => {
    clock.touch()
    const live = report.take(chunk)
    if (live.length === 0) return
    begin(exchange, contentType)
    // It is little, and who reads it slowly must not keep others from moving their refs.
    response.write(live)
  })
  const question = Promise.withResolvers<PushQuestion | undefined>()
  const dialogue = new PushDialogue(git.hooks, question.resolve)
  const end = Promise.all([git.end, body.promise]).then(([ended]) => {
    clock.end()
    question.resolve(undefined)
    return { ...ended, fault, exceeded }
  })
  git.end.then(() => question.resolve(undefined))
  return { report, head, question: question.promise, answer: (allowed) => dialogue.answer(allowed), end, stop: git.stop }
}
