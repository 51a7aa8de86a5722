import { Cause, Effect, Exit, References, Result } from "effect"
import { defined } from "../../kernel/defined.ts"
import { uuidV7 } from "../../kernel/uuid.ts"
import { RequestLog } from "../../platform/logging/logging.ts"
import { logShortage } from "../../platform/logging/shortage.ts"
import { annotateAnswer, withRequestSpan } from "../../platform/logging/tracing.ts"
import { ByteBudget } from "../../platform/work/ByteBudget.ts"
import { awaitStart } from "../../platform/work/RequestPlaces.ts"
import type { Caller } from "../access/Caller.ts"
import { corsHeaders, isPreflight, preflightHeaders } from "../access/cors.ts"
import { type Answer, errorAnswer, type StandardHeaders } from "../answer/answer.ts"
import { defectError } from "../answer/defects.ts"
import { unknownRoute, WireError } from "../answer/errors.ts"
import type { Route } from "../Endpoint.ts"
import { makeRequestRecorder } from "../operations/metrics.ts"
import type { Incoming } from "../request/Incoming.ts"
import { bodyMemoryLimits } from "../request/limits.ts"
import { type Progress, perform } from "./perform.ts"
import { RateLimiter } from "./RateLimiter.ts"
import { makeRouter, type Router } from "./Router.ts"

/** The status in log and metrics when the client closed the connection before the answer. */
export const clientClosedRequest = 499

export interface GatewayOptions {
  /** The URL `https://host`, without a trailing slash. */
  readonly externalUrl: string
  /** A client that sends nothing of its body for so many milliseconds is let go. */
  readonly idleMillis: number
}

/** What is sent back. */
export interface Outgoing {
  readonly answer: Answer
  readonly standard: StandardHeaders
}

const versionGone = new WireError({ status: 410, body: { error: "API V3 is no longer supported. Use API V4 instead." } })

/** The id that the client gave, without what could break a log line, else a new one. */
const requestIdOf = (header: string | undefined): string => header?.replace(/[^\w@-]/g, "").slice(0, 255) || uuidV7()

/** Answers a request without an endpoint: the allowed methods for `OPTIONS`, else 404. */
const answerUnrouted = (router: Router<unknown>, method: string, path: string): Effect.Effect<Answer, WireError> => {
  const allowed = method === "OPTIONS" ? router.methods(path) : []
  if (allowed.length > 0) return Effect.succeed({ status: 204, headers: { allow: allowed.join(", ") }, body: "" })
  return Effect.fail(/^\/api\/v3(\/|$)/.test(path) ? versionGone : unknownRoute)
}

/** The answer of an exit; undefined when the client closed the connection. */
const answerOf = (exit: Exit.Exit<Answer, WireError>): Answer | undefined => {
  if (Exit.isSuccess(exit)) return exit.value
  const refusal = Cause.findFail(exit.cause)
  if (Result.isSuccess(refusal)) return errorAnswer(refusal.success.error)
  return Cause.hasInterruptsOnly(exit.cause) ? undefined : errorAnswer(defectError(exit.cause))
}

/** Logs defects, unless the client gets their reason; what the service is short of is told once for all clients. */
const logDefect = <R>(performing: Effect.Effect<Answer, WireError, R>): Effect.Effect<Answer, WireError, R> =>
  Effect.tapCause(performing, (cause) =>
    answerOf(Exit.failCause(cause))?.status === 500
      ? Effect.logError("A request failed", cause)
      : Effect.forEach(cause.reasons, (reason) => (reason._tag === "Die" ? logShortage(reason.defect) : Effect.void))
  )

const splitUrl = (url: string): readonly [path: string, query: string] => {
  const mark = url.indexOf("?")
  return mark < 0 ? [url, ""] : [url.slice(0, mark), url.slice(mark + 1)]
}

const callerOf = (caller: Caller | undefined) => ({
  caller: caller === undefined ? undefined : `user:${caller.user.id}`,
  ...defined({ onBehalfOf: caller?.sudoer && `user:${caller.sudoer.id}` })
})

/**
 * Everything under `/api`: finds the route, performs it, turns every outcome into an answer with the headers that all answers
 * have, writes the log line and counts. Writes must be performed to their end even if the client goes away: half a write would be
 * worse than one nobody waits for.
 */
export const makeGateway = <R>(routes: ReadonlyArray<Route<R>>, options: GatewayOptions) =>
  Effect.gen(function* () {
    const router: Router<R> = makeRouter(routes, "/api/v4")
    const { anonymous, large, small } = bodyMemoryLimits
    const bodyMemory = { anonymous: new ByteBudget(anonymous), small: new ByteBudget(small), large: new ByteBudget(large) }
    const rateLimiter = yield* RateLimiter
    const record = yield* makeRequestRecorder
    const { logRequest } = yield* RequestLog
    const isTraced = yield* References.TracerEnabled

    /** `perform` makes the answer, and `finish` takes its exit; it answers undefined when the client closed the connection. */
    return (incoming: Incoming) => {
      const startedAt = performance.now()
      const { address, headers, method, network, url } = incoming
      const [path, query] = splitUrl(url)
      const requestId = requestIdOf(headers["x-request-id"])
      const match = method === "OPTIONS" ? undefined : router.find(method, path)
      const route = match?.route.endpoint.name
      const progress: Progress = { caller: undefined, position: undefined }
      const isRead = method === "GET" || method === "HEAD"

      const routed =
        match === undefined
          ? Effect.andThen(rateLimiter.count(network), answerUnrouted(router, method, path))
          : logDefect(perform({ incoming, requestId, path, query, match, progress, isRead, bodyMemory, rateLimiter, ...options }))
      const performing = Effect.andThen(
        Effect.catchTag(awaitStart(headers["private-token"] || headers.authorization, network), "TooBusy", Effect.die),
        isPreflight(method, headers)
          ? Effect.succeed<Answer>({ status: 200, headers: preflightHeaders(headers), body: "" })
          : routed
      )
      const traced = isTraced
        ? Effect.onExit(performing, (exit) => annotateAnswer(answerOf(exit)?.status ?? clientClosedRequest)).pipe(
            withRequestSpan({ id: requestId, method, route, path, headers })
          )
        : performing

      const finish = (exit: Exit.Exit<Answer, WireError>): Outgoing | undefined => {
        const answer = answerOf(exit)
        const status = answer?.status ?? clientClosedRequest
        const durationMillis = performance.now() - startedAt
        record({ method, route, status, durationMillis })
        logRequest({ id: requestId, method, url, route, status, durationMillis, address, ...callerOf(progress.caller) })
        if (answer === undefined) return undefined
        const cors = corsHeaders(headers, options.externalUrl)
        return { answer, standard: { requestId, startedAt, position: progress.position, cors } }
      }
      return { perform: traced, isRead, finish }
    }
  })
