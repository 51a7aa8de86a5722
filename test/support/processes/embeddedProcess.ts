import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Effect, Schema, type Scope } from "effect"
import type { Mode } from "#src/platform/sql/embedded/embedded.ts"

const Server = Schema.Struct({ url: Schema.String, pid: Schema.Int })
const Refusal = Schema.Struct({ message: Schema.String })
const Line = Schema.fromJsonString(Schema.Union([Server, Refusal]))

/** A process of its own that uses, or was refused, an embedded Postgres. */
export interface EmbeddedProcess {
  readonly pid: number
  /** What it said: where the server is, or why it got none. */
  readonly answer: typeof Server.Type | typeof Refusal.Type
  /** Done when it has ended. */
  readonly ended: Effect.Effect<void>
  /** Sends a signal without waiting. */
  readonly signal: (signal: NodeJS.Signals) => void
  /** Sends a signal and waits for its end. */
  readonly end: (signal: NodeJS.Signals) => Effect.Effect<void>
}

export interface EmbeddedProcessOptions {
  readonly dataDir: string
  readonly mode: Mode
  /** Comes before the command, such as `setpriv`. */
  readonly prefix?: ReadonlyArray<string>
  readonly ids?: { readonly uid?: number; readonly gid?: number }
}

const script = fileURLToPath(new URL("joinEmbedded.ts", import.meta.url))

const awaitEnd = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
}

const end = (child: ChildProcess, signal: NodeJS.Signals): Effect.Effect<void> =>
  Effect.promise(() => {
    const ended = awaitEnd(child)
    child.kill(signal)
    return ended
  })

/** Starts `joinEmbedded.ts` and waits for its answer. It ends with the scope. */
export const embeddedProcess = (options: EmbeddedProcessOptions): Effect.Effect<EmbeddedProcess, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { dataDir, mode, prefix = [], ids = {} } = options
    const [command = "", ...args] = [...prefix, process.execPath, script, dataDir, mode]
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => spawn(command, args, { stdio: ["ignore", "pipe", "inherit"], ...ids })),
      (running) => end(running, "SIGTERM")
    )
    const line = yield* Effect.promise(async () => {
      for await (const text of createInterface(child.stdout)) return text
      throw new Error(`${script} said nothing`)
    })
    const answer = yield* Effect.orDie(Schema.decodeEffect(Line)(line))
    return {
      pid: child.pid ?? 0,
      answer,
      ended: Effect.promise(() => awaitEnd(child)),
      signal: (signal) => child.kill(signal),
      end: (signal) => end(child, signal)
    }
  })

/** The same where a refusal is a failure of the test. */
export const usingProcess = (options: EmbeddedProcessOptions) =>
  Effect.gen(function* () {
    const { answer, ...rest } = yield* embeddedProcess(options)
    if ("message" in answer) return yield* Effect.die(answer.message)
    return { ...rest, server: answer }
  })
