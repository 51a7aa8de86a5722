import { Cause, Context, Effect, Layer, Logger, type LogLevel, References } from "effect"
import { AppConfig } from "../../config.ts"
import { type LogSink, type LogTarget, makeLogSink } from "./LogSink.ts"
import { jsonFormat, type LogFormat, type LoggedRequest, type LogLevelName, prettyFormat, requestLevel } from "./logLine.ts"

/** Writes one line for each request, which costs a few microseconds. */
export class RequestLog extends Context.Service<RequestLog, { readonly logRequest: (request: LoggedRequest) => void }>()(
  "chronoforge/platform/RequestLog"
) {}

const ranks: Readonly<Record<LogLevelName, number>> = { debug: 0, info: 1, warn: 2, error: 3 }
const minimumLevels = { debug: "Debug", info: "Info", warn: "Warn", error: "Error" } as const

const levelName = (level: LogLevel.LogLevel): LogLevelName => {
  if (level === "Fatal" || level === "Error") return "error"
  if (level === "Warn") return "warn"
  return level === "Info" ? "info" : "debug"
}

const textOf = (part: unknown): string => {
  if (typeof part === "string") return part
  return part instanceof Error ? part.message : (JSON.stringify(part) ?? String(part))
}

const sinkLogger = (sink: LogSink, format: LogFormat): Logger.Logger<unknown, void> =>
  Logger.make(({ cause, date, fiber, logLevel, message }) => {
    const parts = Array.isArray(message) ? message : [message]
    sink.write(
      format.message(
        {
          level: levelName(logLevel),
          message: parts.map(textOf).join(" "),
          annotations: fiber.getRef(References.CurrentLogAnnotations),
          cause: cause.reasons.length === 0 ? undefined : Cause.pretty(cause)
        },
        date
      )
    )
  })

const formatFor = (setting: "auto" | "pretty" | "json", target: LogTarget): LogFormat => {
  const onTerminal = target.isTTY === true
  const isPretty = setting === "pretty" || (setting === "auto" && onTerminal)
  return isPretty ? prettyFormat({ colours: onTerminal && !process.env.NO_COLOR }) : jsonFormat
}

/**
 * The log of the process by `LOG_FORMAT` and `LOG_LEVEL`: replaces Effect's loggers and provides `RequestLog`.
 * Commands whose answer goes to standard output give `process.stderr`.
 */
export const logging = (target: LogTarget = process.stdout): Layer.Layer<RequestLog, never, AppConfig> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { logFormat, logLevel } = yield* AppConfig
      const format = formatFor(logFormat, target)
      const sink = yield* makeLogSink(target)
      const logRequest = (request: LoggedRequest): void => {
        if (ranks[requestLevel(request.status)] >= ranks[logLevel]) sink.write(format.request(request, new Date()))
      }
      return Layer.mergeAll(
        Layer.succeed(RequestLog)({ logRequest }),
        Logger.layer([sinkLogger(sink, format)]),
        Layer.succeed(References.MinimumLogLevel, minimumLevels[logLevel])
      )
    })
  )
