import * as NodeStream from "@effect/platform-node/NodeStream"
import { Context, Effect, Layer, Semaphore, Stream } from "effect"
import { Processes } from "../../platform/processes/Processes.ts"
import { CurrentWork, inClass } from "../../platform/work/CurrentWork.ts"
import { diagnoseGraph } from "../commitGraph/diagnoseGraph.ts"
import type { Answer, GitObject, ObjectInfo, Question } from "../process/catFileAnswers.ts"
import { makeCatFilePool, type PoolOptions } from "../process/catFilePool.ts"
import { spooled } from "../process/spooled.ts"
import { writeOutput } from "../process/writeOutput.ts"
import { GitFailed, type Repository, withCause } from "../Repository.ts"

/**
 * The objects of repositories, read through long-lived processes. Revisions are those of `git`; text from users goes through
 * `revisions.ts` first. The result is undefined when there is no such object, or an abbreviated id fits several.
 */
export class Objects extends Context.Service<
  Objects,
  {
    readonly info: (repository: Repository, revision: string) => Effect.Effect<ObjectInfo | undefined, GitFailed>
    /**
     * Reads an object with its content. Fails with `exceeded: "output"` when that has more bytes than `limit`, which defaults to 32
     * MiB.
     */
    readonly read: (repository: Repository, revision: string, limit?: number) => Effect.Effect<GitObject | undefined, GitFailed>
    /** The content of a blob of any size by its full id, through a process of its own. Fails when there is none. */
    readonly stream: (repository: Repository, id: string) => Stream.Stream<Uint8Array, GitFailed>
    /** Ends the process of a repository, such as one that is removed. */
    readonly release: (repository: Repository) => Effect.Effect<void>
  }
>()("chronoforge/git/Objects") {
  static readonly layerWith = (options: PoolOptions): Layer.Layer<Objects> =>
    Layer.effect(
      Objects,
      Effect.map(
        Effect.acquireRelease(
          Effect.map(Processes, (processes) => makeCatFilePool(processes, options)),
          (pool) => Effect.sync(pool.close)
        ),
        (pool) => make(pool)
      )
    )
  static readonly layer: Layer.Layer<Objects> = Objects.layerWith({ maxProcesses: 24, idleMillis: 60_000 })
}

/**
 * In the background only so many processes are opened at a time: starting one holds the event loop for some milliseconds, and a thousand
 * schedules may be due in the same minute, each of another repository.
 */
const maxOpenings = 2
const defaultLimit = 32 * 1024 * 1024
// biome-ignore lint/suspicious/noControlCharactersInRegex: a line of the protocol must stay one line
const oneLine = /^[^\x00-\x1f\x7f]{1,4096}$/

const make = (pool: ReturnType<typeof makeCatFilePool>): Objects["Service"] => {
  const openings = Semaphore.makeUnsafe(maxOpenings)
  const askNow = (question: Question, repository: Repository, revision: string): Effect.Effect<Answer, GitFailed> =>
    Effect.callback((resume) =>
      pool.ask(repository, {
        question,
        revision,
        crashes: 0,
        resume: (outcome) => resume(outcome instanceof GitFailed ? failed(repository, outcome) : Effect.succeed(outcome))
      })
    )
  const ask = (question: Question, repository: Repository, revision: string): Effect.Effect<Answer, GitFailed> => {
    if (!oneLine.test(revision)) return Effect.undefined
    const asked = askNow(question, repository, revision)
    return Effect.flatMap(CurrentWork, (work) =>
      work.class === "background" && !pool.has(repository) ? openings.withPermit(asked) : asked
    )
  }

  const info = (repository: Repository, revision: string) => ask("info", repository, revision)
  const read = Effect.fnUntraced(function* (repository: Repository, revision: string, limit = defaultLimit) {
    const found = yield* info(repository, revision)
    if (found === undefined) return
    if (found.size > limit) return yield* tooLarge(found)
    // The object is read by id, because the name may stand for another one by now.
    const { content, ...rest } = (yield* ask("contents", repository, found.id)) ?? found
    return content === undefined ? undefined : { ...rest, content }
  })
  return {
    info,
    read,
    stream: (repository, id) => {
      const opened = Effect.catchTag(openBlob(repository, id), "TooBusy", Effect.die)
      return Stream.unwrap(Effect.map(inClass("transfer")(opened), streamOutput))
    },
    release: (repository) => Effect.sync(() => pool.release(repository))
  }
}

const failed = (repository: Repository, failure: GitFailed) =>
  Effect.flatMap(diagnoseGraph(repository, failure.stderr), (damage) => Effect.fail(withCause(failure, damage)))

const tooLarge = ({ id, size }: ObjectInfo) =>
  new GitFailed({ command: `cat-file ${id}`, status: null, stderr: `has ${size} bytes`, exceeded: "output" })

/** A blob may take this many milliseconds. */
const timeLimit = 6 * 60 * 60_000

/** Git prints the blob at its own pace; who reads it slowly keeps neither a process nor a place. */
const openBlob = (repository: Repository, id: string) =>
  Effect.acquireRelease(
    spooled(repository.path, (spool, onStart) => {
      const args = ["cat-file", "--end-of-options", "blob", id]
      return writeOutput(repository, args, { class: "transfer", timeLimit }, spool, onStart)
    }),
    ({ content }) => Effect.sync(() => content.destroy())
  )

type Opened = Effect.Success<ReturnType<typeof openBlob>>

const streamOutput = ({ content, end }: Opened): Stream.Stream<Uint8Array, GitFailed> => {
  const onError = (cause: unknown) => new GitFailed({ command: "cat-file", status: null, stderr: String(cause), cause })
  return NodeStream.fromReadable<Uint8Array, GitFailed>({ evaluate: () => content, onError }).pipe(
    Stream.concat(Stream.fromEffectDrain(Effect.catchTag(end, "TooBusy", Effect.die)))
  )
}
