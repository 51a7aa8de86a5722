import { Effect, Exit, Result } from "effect"
import { defined } from "../../kernel/defined.ts"
import type { Position } from "../../platform/eventStore/EventStore.ts"
import { currentTraceparent } from "../../platform/logging/tracing.ts"
import { CurrentOrigin, OnAppended, type Origin } from "../../platform/Origin.ts"
import { CurrentRun } from "../../platform/repeats/CurrentRun.ts"
import { authenticate, gate } from "../access/authenticate.ts"
import type { Caller } from "../access/Caller.ts"
import { type RateLimiter, throttle } from "../access/RateLimiter.ts"
import { type Answer, conditional, isText, jsonAnswer } from "../answer/answer.ts"
import { forbidden, invalidParameters, type WireError } from "../answer/errors.ts"
import { keysetHeaders, paginationHeaders } from "../answer/pagination.ts"
import { type AnyReply, RawBody } from "../answer/Reply.ts"
import type { Incoming } from "../request/Incoming.ts"
import { mergeParameters } from "../request/mergeParameters.ts"
import type { RequestInfo } from "../request/RequestInfo.ts"
import type { RawParameters } from "../request/rawParameters.ts"
import { readBody } from "../request/readBody.ts"
import { awaitConsistency } from "./consistency.ts"
import { claimRequest, type IdempotentRequest, releaseClaim, renewClaim, storeAnswer } from "./idempotency.ts"
import type { Match } from "./Router.ts"

/** What becomes known while a request is performed, for the log and the headers of the answer. */
export interface Progress {
  caller: Caller | undefined
  /** The position of the last event that the request wrote. */
  position: Position | undefined
}

export interface RequestContext<R> {
  readonly incoming: Incoming
  readonly requestId: string
  /** The path as sent, percent-encoded. */
  readonly path: string
  /** The query as sent, without the question mark. */
  readonly query: string
  readonly match: Match<R>
  readonly isRead: boolean
  readonly externalUrl: string
  readonly rateLimiter: RateLimiter
  readonly progress: Progress
}

/** The parameters that were sent, from wherever they may be. */
const receive = <R>({ incoming, match, query }: RequestContext<R>, body: Uint8Array) => {
  const { "content-encoding": contentEncoding, "content-type": contentType } = incoming.headers
  return Effect.fromResult(mergeParameters({ path: match.path, query, contentType, contentEncoding, body }))
}

/** Identifies the caller, and counts the request against the rate limit in any case. */
const identify = Effect.fnUntraced(function* <R>(context: RequestContext<R>, raw: RawParameters) {
  const { incoming, isRead, match, progress, rateLimiter } = context
  const { endpoint } = match.route
  const caller = yield* Effect.result(authenticate({ headers: incoming.headers, raw, isRead, endpoint }))
  const known = Result.isSuccess(caller) ? caller.success : undefined
  progress.caller = known
  yield* throttle(rateLimiter, incoming, known?.sudoer?.id ?? known?.user.id)
  return yield* Effect.fromResult(caller)
})

const originOf = <R>(
  { incoming, requestId }: RequestContext<R>,
  caller: Caller | undefined,
  traceparent: string | undefined
): Origin =>
  defined({
    actor: caller === undefined ? "anonymous" : `user:${caller.user.id}`,
    onBehalfOf: caller?.sudoer && `user:${caller.sudoer.id}`,
    correlationId: requestId,
    requestId,
    idempotencyKey: incoming.headers["idempotency-key"],
    traceparent
  })

const answerOfReply = <R>(context: RequestContext<R>, reply: AnyReply, parameters: RawParameters): Answer => {
  const { endpoint, table } = context.match.route
  const { externalUrl, path, progress } = context
  const list = { request: { externalUrl, path }, table, parameters }
  const pages = {
    ...(reply.extent && paginationHeaders({ ...list, ...reply.extent })),
    ...(reply.next && keysetHeaders({ ...list, next: reply.next }))
  }
  // The header is part of the answer, so that a repeat of the request gets it too.
  const written = defined({ "x-chronoforge-position": progress.position?.toString() })
  const status = reply.status ?? endpoint.success.status
  const headers = { ...written, ...pages, ...reply.headers }
  const { body } = reply
  if (!(body instanceof RawBody)) return jsonAnswer(status, body, headers)
  return { status, headers: { "content-type": body.contentType, ...headers }, body: body.content }
}

/** Answers a repeated request as the first time; performs it otherwise, so that a repeat after a crash adds nothing. */
export const idempotent = Effect.fnUntraced(function* <E, R>(
  request: IdempotentRequest,
  handled: Effect.Effect<readonly [Answer, AnyReply], E | WireError, R>
) {
  const earlier = yield* claimRequest(request)
  if (earlier._tag === "Answered")
    return { status: earlier.status, headers: earlier.headers, body: earlier.body } satisfies Answer
  const [answer] = yield* Effect.provideService(Effect.raceFirst(handled, renewClaim(request)), CurrentRun, earlier.run).pipe(
    Effect.onExit((exit) => {
      if (!Exit.isSuccess(exit)) return releaseClaim(request)
      const [made, { secretOf: secret }] = exit.value
      return isText(made) ? storeAnswer(request, made, secret) : releaseClaim(request)
    })
  )
  return answer
})

/**
 * Performs a request that has a route: parameters, consistency, caller, gate, validation, handler, in the order in which their errors win.
 * Fails with the error that the client is to see.
 */
export const perform = Effect.fnUntraced(function* <R>(context: RequestContext<R>) {
  const { incoming, isRead, match, path, rateLimiter } = context
  const { headers, method } = incoming
  const raw = yield* readBody(incoming).pipe(
    Effect.flatMap((body) => receive(context, body)),
    // What cannot be read has no user to count it against.
    Effect.tapError(() => throttle(rateLimiter, incoming))
  )
  // Before the token is looked up: token and user may be what the caller has just written elsewhere.
  yield* awaitConsistency(headers["if-consistent-with"])
  const caller = yield* identify(context, raw)
  const { endpoint, decode, guard, run } = match.route
  const refusal = gate(endpoint.access, caller)
  if (refusal !== undefined) return yield* refusal
  const info: RequestInfo = {
    id: context.requestId,
    method,
    path,
    query: context.query,
    externalUrl: context.externalUrl,
    headers
  }
  const guarded = guard === undefined ? undefined : yield* guard({ path: match.path, caller, request: info })
  const decoded = decode(raw)
  if (Result.isFailure(decoded)) return yield* invalidParameters(decoded.failure)
  if (endpoint.access === "administratorLast" && caller?.user.admin !== true) return yield* forbidden

  const parameters = decoded.success
  const { progress } = context
  const handled = run({ parameters, caller, request: info, guarded }).pipe(
    Effect.map((reply) => [answerOfReply(context, reply, parameters), reply] as const),
    Effect.provideService(CurrentOrigin, originOf(context, caller, isRead ? undefined : yield* currentTraceparent)),
    Effect.provideService(OnAppended, (position) => {
      progress.position = Math.max(position, progress.position ?? 0)
    })
  )
  if (isRead) return conditional((yield* handled)[0], headers["if-none-match"])
  const key = headers["idempotency-key"]
  if (key === undefined || caller === undefined) return (yield* handled)[0]
  const subject = endpoint.path.includes("/self") ? { tokenId: caller.tokenId } : {}
  const idempotentRequest = { caller: caller.user.id, key, method, path, parameters: raw, ...subject }
  return yield* idempotent(idempotentRequest, handled)
})
