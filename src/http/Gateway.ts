import { Cause, Effect, Exit, Fiber, Option, Result } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { uuidV7 } from "../kernel/uuid.ts"
import { RequestLog } from "../platform/logging.ts"
import { annotateAnswer, withRequestSpan } from "../platform/tracing.ts"
import { type Answer, errorAnswer, toResponse } from "./answer.ts"
import type { Caller } from "./Caller.ts"
import { corsHeaders, isPreflight, preflightHeaders } from "./cors.ts"
import { defectError } from "./defects.ts"
import type { Route } from "./Endpoint.ts"
import { unknownRoute, WireError } from "./errors.ts"
import { makeRequestRecorder } from "./metrics.ts"
import { type Progress, perform } from "./perform.ts"
import { type RateLimiter, throttle } from "./RateLimiter.ts"
import { makeRouter, type Router } from "./Router.ts"

/** For log and metrics: nobody waited for the answer. */
const clientWentAway = 499

export interface GatewayOptions {
  /** `https://host`, without a trailing slash. */
  readonly externalUrl: string
  readonly rateLimiter: RateLimiter
}

const oldVersion = new WireError({ status: 410, body: { error: "API V3 is no longer supported. Use API V4 instead." } })

/** The id that the client gave, without what could break a log line, else a new one. */
const requestIdOf = (given: string | undefined): string => given?.replace(/[^\w@-]/g, "").slice(0, 255) || uuidV7()

/** What is said of a request that no endpoint takes: its methods to `OPTIONS`, else that there is nothing. */
const unrouted = (router: Router<unknown>, method: string, path: string): Effect.Effect<Answer, WireError> => {
  const known = method === "OPTIONS" ? router.methods(path) : []
  if (known.length > 0) return Effect.succeed({ status: 204, headers: { allow: known.join(", ") }, body: "" })
  return Effect.fail(/^\/api\/v3(\/|$)/.test(path) ? oldVersion : unknownRoute)
}

/** What is answered; nothing, by interruption, when the client went away. */
const answerOf = (exit: Exit.Exit<Answer, WireError>): Effect.Effect<Answer> => {
  if (Exit.isSuccess(exit)) return Effect.succeed(exit.value)
  const refusal = Cause.findFail(exit.cause)
  if (Result.isSuccess(refusal)) return Effect.succeed(errorAnswer(refusal.success.error))
  if (Cause.hasInterruptsOnly(exit.cause)) return Effect.interrupt
  const error = defectError(exit.cause)
  return Effect.as(error.status === 500 ? Effect.logError("A request failed", exit.cause) : Effect.void, errorAnswer(error))
}

/** Writes run to their end even if the client goes away: half a write would be worse than one nobody waits for. */
const throughToTheEnd = <A, E, R>(isRead: boolean, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  isRead ? effect : Effect.flatMap(Effect.forkDetach(effect), Fiber.join)

/**
 * Everything under `/api`: finds the route, performs it, turns every outcome into an answer with the headers that all answers
 * have, writes the log line and counts.
 */
export const makeGateway = <R>(routes: ReadonlyArray<Route<R>>, options: GatewayOptions) =>
  Effect.gen(function* () {
    const router: Router<R> = makeRouter(routes, "/api/v4")
    const record = yield* makeRequestRecorder
    const { logRequest } = yield* RequestLog

    return Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const startedAt = performance.now()
      const { headers, method, url } = request
      const [path = "/", query = ""] = splitUrl(url)
      const requestId = requestIdOf(headers["x-request-id"])
      const match = method === "OPTIONS" ? undefined : router.find(method, path)
      const route = match?.route.endpoint.name
      const progress: Progress = { caller: undefined, position: undefined }
      const isRead = method === "GET" || method === "HEAD"

      const finish = (status: number) => {
        const durationMillis = performance.now() - startedAt
        const address = Option.getOrElse(request.remoteAddress, () => "unknown")
        record({ method, route, status, durationMillis })
        logRequest({ id: requestId, method, url, route, status, durationMillis, address, ...callerOf(progress.caller) })
      }
      const performing =
        match === undefined
          ? Effect.andThen(throttle(options.rateLimiter, request), unrouted(router, method, path))
          : perform({ request, requestId, path, query, match, progress, isRead, ...options })
      const answering = isPreflight(method, headers)
        ? Effect.succeed<Answer>({ status: 200, headers: preflightHeaders(headers), body: "" })
        : Effect.exit(performing).pipe(
            Effect.flatMap(answerOf),
            Effect.tap((answer) => annotateAnswer(answer.status)),
            withRequestSpan({ id: requestId, method, route, path, headers })
          )
      const answer = yield* throughToTheEnd(
        isRead,
        Effect.onExit(answering, (exit) => Effect.sync(() => finish(Exit.isSuccess(exit) ? exit.value.status : clientWentAway)))
      )
      const cors = corsHeaders(headers, options.externalUrl)
      const response: HttpServerResponse.HttpServerResponse = toResponse(answer, {
        requestId,
        startedAt,
        position: progress.position,
        cors
      })
      return response
    })
  })

const splitUrl = (url: string): readonly [path: string, query: string] => {
  const mark = url.indexOf("?")
  return mark < 0 ? [url, ""] : [url.slice(0, mark), url.slice(mark + 1)]
}

const callerOf = (caller: Caller | undefined) => ({
  caller: caller === undefined ? undefined : `user:${caller.user.id}`,
  ...(caller?.sudoer === undefined ? {} : { onBehalfOf: `user:${caller.sudoer.id}` })
})
