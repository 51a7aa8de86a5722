import { Effect } from "effect"

/** Takes lines and writes those of one turn of the event loop at once. */
export interface LogSink {
  readonly write: (line: string) => void
  readonly flush: () => void
}

/** The target of lines: `process.stdout`, `process.stderr`, or a file's stream. */
export interface LogTarget {
  readonly isTTY?: boolean
  readonly write: (text: string) => unknown
  readonly on: (event: "error", listener: (error: NodeJS.ErrnoException) => void) => unknown
}

/** A sink that is emptied when its scope closes and when the process exits. A reader that went away (`| head`) ends the log, not the service. */
export const makeLogSink = (target: LogTarget) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      let lines = ""
      let isBroken = false
      // What a full disk does not take is lost; it may take what comes later.
      target.on("error", ({ code }) => {
        if (code === "EPIPE") isBroken = true
      })
      const flush = () => {
        const text = lines
        lines = ""
        if (text !== "" && !isBroken) target.write(text)
      }
      const write = (line: string) => {
        if (lines === "") setImmediate(flush)
        lines += `${line}\n`
      }
      process.on("exit", flush)
      const sink: LogSink = { write, flush }
      return sink
    }),
    ({ flush }) =>
      Effect.sync(() => {
        flush()
        process.off("exit", flush)
      })
  )
