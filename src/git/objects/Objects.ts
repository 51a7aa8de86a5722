import { once } from "node:events"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Context, Effect, Layer, Semaphore, Stream } from "effect"
import { Processes } from "../../platform/processes/Processes.ts"
import { CurrentWork, inClass } from "../../platform/work/CurrentWork.ts"
import { takePlace } from "../../platform/work/WorkPlaces.ts"
import { diagnoseGraph } from "../history/diagnoseGraph.ts"
import type { Answer, GitObject, ObjectInfo, Question } from "../process/catFileAnswers.ts"
import { makeCatFilePool, type PoolOptions } from "../process/catFilePool.ts"
import { start } from "../process/start.ts"
import { badEnd, GitFailed, notStarted, type Repository, withCause } from "../Repository.ts"

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
      const started = Effect.andThen(Effect.orDie(takePlace(repository.path)), startBlob(repository, id))
      return Stream.unwrap(Effect.map(inClass("transfer")(started), streamOutput))
    },
    release: (repository) => Effect.sync(() => pool.release(repository))
  }
}

const failed = (repository: Repository, failure: GitFailed) =>
  Effect.flatMap(diagnoseGraph(repository, failure.stderr), (damage) => Effect.fail(withCause(failure, damage)))

const tooLarge = ({ id, size }: ObjectInfo) =>
  new GitFailed({ command: `cat-file ${id}`, status: null, stderr: `has ${size} bytes`, exceeded: "output" })

const startBlob = (repository: Repository, id: string) =>
  Effect.acquireRelease(
    Effect.map(Processes, (processes) => {
      const args = ["cat-file", "--end-of-options", "blob", id]
      const child = start(processes, repository, args, { class: "transfer" })
      child.stdin.on("error", () => {}).end()
      child.stderr.resume()
      const end = once(child, "close").then(
        ([status]) => (status === 0 ? undefined : badEnd(args, { status, stderr: "", exceeded: child.exceeded() })),
        (error) => notStarted(args, error)
      )
      return { child, end }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

type Started = Effect.Success<ReturnType<typeof startBlob>>

const streamOutput = ({ child, end }: Started): Stream.Stream<Uint8Array, GitFailed> => {
  const ended = Effect.flatMap(
    Effect.promise(() => end),
    (failure) => (failure === undefined ? Effect.void : Effect.fail(failure))
  )
  const onError = (cause: unknown) => new GitFailed({ command: "cat-file", status: null, stderr: String(cause), cause })
  return NodeStream.fromReadable<Uint8Array, GitFailed>({ evaluate: () => child.stdout, onError }).pipe(
    Stream.concat(Stream.fromEffectDrain(ended))
  )
}
