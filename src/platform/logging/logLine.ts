import { styleText } from "node:util"
import { redactText, redactUrl } from "./redaction.ts"

export type LogLevelName = "debug" | "info" | "warn" | "error"

/** An answered request. */
export interface LoggedRequest {
  /** The id that `X-Request-Id` carries. */
  readonly id: string
  readonly method: string
  /** The path and query as sent; secret values are hidden here. */
  readonly url: string
  /** The name of the endpoint; undefined when none matched. */
  readonly route: string | undefined
  readonly status: number
  readonly durationMillis: number
  /** The caller, `user:<id>`; undefined without a token. */
  readonly caller: string | undefined
  /** The administrator behind `caller`, under sudo. */
  readonly onBehalfOf?: string
  readonly address?: string
  readonly traceId?: string
}

/** A message that is not about a request. */
export interface LoggedMessage {
  readonly level: LogLevelName
  readonly message: string
  readonly annotations: Readonly<Record<string, unknown>>
  /** Trace of what went wrong. */
  readonly cause: string | undefined
}

/** How lines are written. */
export interface LogFormat {
  readonly request: (request: LoggedRequest, time: Date) => string
  readonly message: (message: LoggedMessage, time: Date) => string
}

/** Faults of the service are errors; refusals are everyday business. */
export const requestLevel = (status: number): LogLevelName => (status >= 500 ? "error" : "info")

const rounded = (millis: number): number => Math.round(millis * 100) / 100

/** Formats one JSON object a line. Its keys are stable, because programs read them. */
export const jsonFormat: LogFormat = {
  request: (request, time) =>
    JSON.stringify({
      time: time.toISOString(),
      level: requestLevel(request.status),
      message: "request",
      request_id: request.id,
      method: request.method,
      url: redactUrl(request.url),
      route: request.route ?? null,
      status: request.status,
      duration_ms: rounded(request.durationMillis),
      caller: request.caller ?? null,
      on_behalf_of: request.onBehalfOf,
      address: request.address,
      trace_id: request.traceId
    }),
  message: ({ level, message, annotations, cause }, time) =>
    redactText(JSON.stringify({ ...annotations, time: time.toISOString(), level, message, cause }))
}

type Style = Parameters<typeof styleText>[0]

const statusStyle = (status: number): Style => {
  if (status >= 500) return "red"
  if (status >= 400) return "yellow"
  return status >= 300 ? "cyan" : "green"
}

const levelStyles: Readonly<Record<LogLevelName, Style>> = { debug: "gray", info: "blue", warn: "yellow", error: "red" }

/** A client must not steer the terminal of whoever reads the log. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, "\u{fffd}")

/** Formats lines for people. */
export const prettyFormat = ({ colours }: { readonly colours: boolean }): LogFormat => {
  const colorize = (style: Style, text: string): string => (colours ? styleText(style, text, { validateStream: false }) : text)
  const clock = (time: Date): string => colorize("gray", time.toISOString().slice(11, 23))
  return {
    request: (request, time) =>
      [
        clock(time),
        colorize("bold", request.method.padEnd(6)),
        printable(redactUrl(request.url)),
        colorize(statusStyle(request.status), String(request.status)),
        `${rounded(request.durationMillis)}ms`,
        `${request.caller ?? "anonymous"}${request.onBehalfOf === undefined ? "" : ` (${request.onBehalfOf})`}`,
        colorize("gray", request.id)
      ].join(" "),
    message: ({ level, message, annotations, cause }, time) => {
      const notes = Object.entries(annotations).map(([key, value]) => colorize("gray", ` ${key}=${plain(value)}`))
      const head = `${clock(time)} ${colorize(levelStyles[level], level.toUpperCase().padEnd(6))} ${message}${notes.join("")}`
      return redactText(cause === undefined ? head : `${head}\n${cause}`)
    }
  }
}

const plain = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))
