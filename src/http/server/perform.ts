import { Effect, Exit, Result } from "effect"
import { defined } from "../../kernel/defined.ts"
import { inSlices } from "../../kernel/inSlices.ts"
import { isLong } from "../../kernel/json/jsonTexts.ts"
import { CurrentRun } from "../../platform/CurrentRun.ts"
import type { Position } from "../../platform/eventStore/EventStore.ts"
import { currentTraceparent } from "../../platform/logging/tracing.ts"
import { CurrentOrigin, OnAppended, type Origin } from "../../platform/Origin.ts"
import { onBehalfOf } from "../../platform/work/CurrentWork.ts"
import { inRequestPlace } from "../../platform/work/RequestPlaces.ts"
import type { Caller } from "../access/Caller.ts"
import { type Answer, conditional, isText, jsonAnswer, longJsonAnswer, longTextAnswer } from "../answer/answer.ts"
import { invalidParameters, notOffered, payloadTooLarge, unauthorized, type WireError } from "../answer/errors.ts"
import { keysetHeaders, paginationHeaders } from "../answer/pagination.ts"
import { type AnyReply, RawBody } from "../answer/Reply.ts"
import type { RawParameters } from "../parameters/rawParameters.ts"
import { type FileDigest, FileJudge } from "../request/arrivingFile.ts"
import { sudoInLargeBody } from "../request/errors.ts"
import type { Incoming } from "../request/Incoming.ts"
import { maxBodyBytes, maxContentBytes, maxCredentialBytes } from "../request/limits.ts"
import { mergeParameters, parseBody } from "../request/mergeParameters.ts"
import { parseQuery } from "../request/queryString.ts"
import { type BodyMemories, RequestBody } from "../request/RequestBody.ts"
import type { RequestInfo } from "../request/RequestInfo.ts"
import { rereadFile } from "../request/receiveFile.ts"
import { authenticate, gate, lateGate } from "./authenticate.ts"
import { awaitConsistency } from "./consistency.ts"
import { credentialOf, sudoOf } from "./credentials.ts"
import {
  anotherFile,
  claimRequest,
  type IdempotentRequest,
  releaseClaim,
  renewClaim,
  requireSameFile,
  storeAnswer
} from "./idempotency.ts"
import type { RateLimiter } from "./RateLimiter.ts"
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
  readonly idleMillis: number
  readonly rateLimiter: RateLimiter["Service"]
  readonly bodyMemory: BodyMemories
  readonly progress: Progress
}

/**
 * Identifies the caller, and counts the request against the rate limit in any case. One that was counted for its network before, because its body
 * had to be read, is given back to that where it is a user's.
 */
const identify = Effect.fnUntraced(function* <R>(context: RequestContext<R>, raw: RawParameters, isCounted: boolean) {
  const { incoming, isRead, match, progress, rateLimiter } = context
  const { network } = incoming
  const { endpoint } = match.route
  const caller = yield* Effect.result(authenticate({ headers: incoming.headers, raw, isRead, endpoint }))
  const known = Result.isSuccess(caller) ? caller.success : undefined
  progress.caller = known
  const userId = known?.sudoer?.id ?? known?.user.id
  if (isCounted && userId !== undefined) yield* rateLimiter.giveBack(network)
  if (!isCounted || userId !== undefined) yield* rateLimiter.count(network, userId)
  return yield* Effect.fromResult(caller)
})

/** Whom what a request takes is counted for: its user, else its network. */
const callerKey = ({ network }: Incoming, caller: Caller | undefined): string =>
  caller === undefined ? network : `user:${(caller.sudoer ?? caller.user).id}`

const requestInfoOf = <R>({ externalUrl, incoming, path, query, requestId }: RequestContext<R>): RequestInfo => ({
  id: requestId,
  method: incoming.method,
  path,
  query,
  externalUrl,
  headers: incoming.headers,
  body: incoming.body
})

/** A caller who may use the endpoint, and what its guard found. */
interface Admission {
  readonly caller: Caller | undefined
  readonly guarded: unknown
}

/** Admits the caller whom these parameters and the headers name. */
const admit = Effect.fnUntraced(function* <R>(context: RequestContext<R>, raw: RawParameters, isCounted = false) {
  const { endpoint, guard } = context.match.route
  const caller = yield* identify(context, raw, isCounted)
  const refusal = gate(endpoint.access, caller)
  if (refusal !== undefined) return yield* refusal
  const request = requestInfoOf(context)
  const guarding = guard?.({ path: context.match.path, caller, request })
  const guarded = guarding && (yield* onBehalfOf(callerKey(context.incoming, caller))(guarding))
  const admission: Admission = { caller, guarded }
  return admission
})

/** Whether headers and these parameters name a caller, or try to. */
const namesCaller = (headers: Incoming["headers"], raw: RawParameters): boolean => {
  const credential = credentialOf(headers, raw)
  return Result.isFailure(credential) || credential.success !== undefined
}

const parametersOfBody = Effect.fnUntraced(function* <R>(
  { idleMillis, incoming, match }: RequestContext<R>,
  body: RequestBody,
  admission: Admission | undefined
) {
  const { "content-encoding": contentEncoding, "content-type": contentType } = incoming.headers
  const { access, takesContent } = match.route.endpoint
  const isAnonymous = admission?.caller === undefined
  const bytes = yield* body.read({
    caller: callerKey(incoming, admission?.caller),
    isAnonymous,
    idleMillis,
    limit: isAnonymous ? maxCredentialBytes : takesContent === true ? maxContentBytes : maxBodyBytes,
    tooLarge: isAnonymous && access !== "anyone" ? unauthorized : payloadTooLarge
  })
  const parameters = yield* Effect.fromResult(yield* inSlices(parseBody({ body: bytes, contentEncoding, contentType })))
  const isSmall = bytes.length <= maxCredentialBytes
  const namesUser = sudoOf({}, parameters) !== undefined
  if (namesUser && !isSmall) return yield* sudoInLargeBody
  return { parameters, namesCaller: namesUser || (isSmall && namesCaller({}, parameters)) }
})

/**
 * The parameters of a request and its caller. Whom header or query name is admitted before the body is read; a small body may name
 * another. Where they name nobody, the body is read as one of the network, if that may ask for more.
 */
const receive = Effect.fnUntraced(function* <R>(context: RequestContext<R>, body: RequestBody) {
  const { incoming, match, rateLimiter } = context
  // What cannot be read has no user to count it against.
  const count = () => rateLimiter.count(incoming.network)
  const query = yield* Effect.tapError(Effect.fromResult(parseQuery(context.query)), count)
  const known = mergeParameters({ path: match.path, query, body: {} })
  // Before the token is looked up: token and user may be what the caller has just written elsewhere.
  yield* awaitConsistency(incoming.headers["if-consistent-with"])
  const isUnread = body.isEmpty || match.route.endpoint.takesFile !== undefined
  const first = isUnread || namesCaller(incoming.headers, known) ? yield* admit(context, known) : undefined
  if (first !== undefined && isUnread) return { ...first, raw: known }
  if (first === undefined) yield* count()
  const sent = yield* parametersOfBody(context, body, first)
  const raw = mergeParameters({ path: match.path, query, body: sent.parameters })
  if (first !== undefined && !sent.namesCaller) return { ...first, raw }
  return { ...(yield* admit(context, raw, first === undefined)), raw }
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

const answerOfReply = <R>(context: RequestContext<R>, reply: AnyReply, parameters: RawParameters): Effect.Effect<Answer> => {
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
  if (body instanceof RawBody)
    return Effect.succeed({ status, headers: { "content-type": body.contentType, ...headers }, body: body.content })
  if (!isLong(body)) return Effect.succeed(jsonAnswer(status, body, headers))
  const isRemembered = !context.isRead && context.incoming.headers["idempotency-key"] !== undefined
  return (isRemembered ? longTextAnswer : longJsonAnswer)(status, body, headers)
}

/** What is read again of a request: a file of at most so many bytes. */
type Reread = (bytes: number) => Effect.Effect<void, WireError>

/** Reads the file of a repeated request, and refuses another one than it had before. */
const comparing = (earlier: FileDigest | undefined, reread: Reread): Effect.Effect<void, WireError> => {
  if (earlier === undefined) return Effect.void
  const read = Effect.provideService(reread(earlier.bytes), FileJudge, requireSameFile(earlier))
  return Effect.mapError(read, (error) => (error === payloadTooLarge ? anotherFile : error))
}

/** Answers a repeated request as the first time; performs it otherwise, so that a repeat after a crash adds nothing. */
export const idempotent = Effect.fnUntraced(function* <E, R>(
  request: IdempotentRequest,
  handled: Effect.Effect<readonly [Answer, AnyReply], E | WireError, R>,
  reread: Reread
) {
  const earlier = yield* claimRequest(request)
  if (earlier._tag === "Answered") return yield* Effect.as(comparing(earlier.file, reread), earlier.answer)
  let isReceived = false
  const judge = (file: FileDigest) => {
    isReceived = true
    return earlier.rememberFile(file)
  }
  // What an earlier run did is not done again, so that the file is not received.
  const unread = Effect.suspend(() => (isReceived ? Effect.void : comparing(earlier.file, reread)))
  const running = Effect.tap(handled, unread).pipe(
    Effect.provideService(CurrentRun, earlier.run),
    Effect.provideService(FileJudge, judge)
  )
  const [answer] = yield* Effect.raceFirst(running, renewClaim(request)).pipe(
    Effect.onExit((exit) => {
      if (!Exit.isSuccess(exit)) return releaseClaim(request)
      const [made, { secretOf: secret }] = exit.value
      return isText(made) ? storeAnswer(request, made, secret) : releaseClaim(request)
    })
  )
  return answer
})

/**
 * Performs a request that has a route: query, consistency, caller, gate, guard, body, validation, handler, in the order in which their
 * errors win. Fails with the error that the client is to see.
 */
export const perform = <R>(context: RequestContext<R>) => {
  const body = new RequestBody(context.incoming, context.bodyMemory)
  const performing = performWith(context, body)
  return body.isEmpty
    ? performing
    : Effect.ensuring(
        performing,
        Effect.sync(() => body.release())
      )
}

const performWith = Effect.fnUntraced(function* <R>(context: RequestContext<R>, body: RequestBody) {
  const { incoming, isRead, match, path } = context
  const { headers, method } = incoming
  const { endpoint, decode, isOffered, run } = match.route
  if (isOffered !== undefined && !(yield* isOffered)) {
    yield* context.rateLimiter.count(incoming.network)
    return yield* notOffered
  }
  const { caller, guarded, raw } = yield* receive(context, body)
  const decoded = decode(raw)
  if (Result.isFailure(decoded)) return yield* invalidParameters(decoded.failure)
  const refusal = lateGate(endpoint.access, caller)
  if (refusal !== undefined) return yield* refusal

  const parameters = decoded.success
  const { progress } = context
  const handled = run({ parameters, caller, request: requestInfoOf(context), guarded }).pipe(
    Effect.flatMap((reply) => Effect.map(answerOfReply(context, reply, parameters), (answer) => [answer, reply] as const)),
    onBehalfOf(callerKey(incoming, caller)),
    Effect.provideService(CurrentOrigin, originOf(context, caller, isRead ? undefined : yield* currentTraceparent)),
    Effect.provideService(OnAppended, (position) => {
      progress.position = Math.max(position, progress.position ?? 0)
    })
  )
  const inTurnAs = (kind: "anonymous" | "user" | "writes") =>
    Effect.catchTag(inRequestPlace(kind, callerKey(incoming, caller), handled), "TooBusy", Effect.die)
  if (isRead) {
    const [answer] = yield* inTurnAs(caller === undefined ? "anonymous" : "user")
    return conditional(answer, headers["if-none-match"])
  }
  if (caller === undefined) return (yield* handled)[0]
  const key = headers["idempotency-key"]
  const written = inTurnAs("writes")
  if (key === undefined) return (yield* written)[0]
  const subject = defined({ tokenId: endpoint.path.includes("/self") ? caller.tokenId : undefined })
  const idempotentRequest = { caller: caller.user.id, key, method, path, parameters: raw, ...subject }
  const reread = (limit: number) => rereadFile(incoming, endpoint.takesFile ?? true, { limit, idleMillis: context.idleMillis })
  // Who is told to come again has written nothing, and the key is free for it.
  return yield* idempotent(idempotentRequest, written, reread)
})
