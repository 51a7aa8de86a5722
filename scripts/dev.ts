import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { watch } from "node:fs"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Queue } from "effect"

const command = ["--env-file-if-exists=.env", "src/main.js", "serve"]

/** The service, in a process group of its own: a Ctrl-C of the terminal is for this script, which then tells it once. */
const start = Effect.sync(() => spawn(process.execPath, command, { stdio: ["ignore", "inherit", "inherit"], detached: true }))

const stop = (service: ChildProcess) =>
  Effect.promise(async () => {
    if (service.exitCode !== null || service.signalCode !== null) return
    service.kill("SIGTERM")
    await once(service, "exit")
  })

/**
 * Runs the service and starts it again when a file of it changes, until it is told to stop; then the service finishes first. Node's
 * `--watch` fails when a terminal and npm both send it the signal, and leaves the service alone.
 */
const serveAnew = Effect.gen(function* () {
  const changes = yield* Queue.sliding<"changed">(1)
  for (const folder of ["src", "projections"]) {
    yield* Effect.acquireRelease(
      Effect.sync(() => watch(folder, { recursive: true }, () => Queue.offerUnsafe(changes, "changed"))),
      (watcher) => Effect.sync(() => watcher.close())
    )
  }
  return yield* Effect.forever(
    Effect.acquireUseRelease(start, () => Effect.andThen(Queue.take(changes), Effect.sleep("100 millis")), stop)
  )
}).pipe(Effect.scoped)

NodeRuntime.runMain(serveAnew, { teardown: (_, onExit) => onExit(0) })
