import { constants } from "node:fs"
import { access as accessFile } from "node:fs/promises"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect, type Fiber, type Scope } from "effect"
import { reasonOf } from "../../platform/logging/unavailable.ts"
import { isStoreUnavailable } from "../../platform/storeUnavailable.ts"
import { onBehalfOf } from "../../platform/work/CurrentWork.ts"
import { awaitStart, inRequestPlace } from "../../platform/work/RequestPlaces.ts"
import type { Maintenance } from "../maintenance/Maintenance.ts"
import { isThere } from "../Repository.ts"
import type { RepositoryTasks } from "../RepositoryTasks.ts"
import type { PushLocks } from "../refs/pushLocks.ts"
import type { TreeLimits } from "../trees/TreeLimits.ts"
import { AccessDenied, type AccessRequest, type FetchGrant, type GitAccess, type GitTexts } from "./access.ts"
import { answerText, type Exchange } from "./exchange.ts"
import { advertise, fetch } from "./fetches/fetch.ts"
import { SharedPacks, type SharedPacksOptions } from "./fetches/SharedPacks.ts"
import { hookPaths, type ProcessEnd } from "./gitProcess.ts"
import { defaultLimits, type GitHttpLimits } from "./limits.ts"
import { push } from "./push/push.ts"
import { headerFault } from "./requestBody.ts"
import type { GitTarget } from "./route.ts"

export interface GitHttpOptions<R> {
  readonly access: GitAccess<R>
  /** The limits; absent ones default to `defaultLimits`. */
  readonly limits?: Partial<GitHttpLimits>
  /** Where packs are kept that several ask for; absent where each is made for itself. */
  readonly packs?: SharedPacksOptions
}

/** What is known of a request before it is answered, and logged. */
export interface RequestLogInfo {
  readonly id: string
  /** What counts as one client. */
  readonly network: string
  /** The caller, which is set when it is known. */
  caller: string | undefined
}

export interface GitHttp {
  /** Answers a request for a repository. Headers that were set before are sent along. */
  readonly serve: (target: GitTarget, request: IncomingMessage, response: ServerResponse, logInfo: RequestLogInfo) => void
}

type Running = Extract<GitTarget, { readonly _tag: "Advertise" | "Call" }>

const isRunning = (target: GitTarget): target is Running => target._tag === "Advertise" || target._tag === "Call"

const answerDenied = (exchange: Exchange, { headers, status, text }: AccessDenied): void =>
  answerText(exchange, status, text, headers)

/** Answers requests that need no repository. */
const answerWithoutRepository = (
  exchange: Exchange,
  target: Exclude<GitTarget, Running>,
  { challenge, texts }: Pick<GitAccess<never>, "challenge" | "texts">
): void => {
  const isAnonymous = exchange.request.headers.authorization === undefined
  if (target._tag === "Redirect") answerText(exchange, 301, "Moved.", { location: target.location })
  else if (target._tag === "NoSuchService" && isAnonymous) answerDenied(exchange, challenge)
  else if (target._tag === "NoSuchService") answerText(exchange, 403, texts.service)
  else if (target._tag === "LargeFiles")
    answerText(exchange, 404, JSON.stringify({ message: texts.largeFiles }), {
      "content-type": "application/vnd.git-lfs+json; charset=utf-8"
    })
  else answerText(exchange, 404, target._tag === "Wiki" ? texts.wiki : texts.nothing)
}

const answerBusy = (exchange: Exchange, { busy }: GitTexts): void => answerText(exchange, 503, busy, { "retry-after": "10" })

/** Whether the same request may succeed in a moment. */
const isTransient = (defect: unknown): boolean => isStoreUnavailable(defect) || reasonOf(defect) !== undefined

const ensureExists = ({ repository }: FetchGrant, { missing }: GitTexts) =>
  Effect.flatMap(isThere(repository), (is) => (is ? Effect.void : new AccessDenied({ status: 404, text: missing })))

const note = (target: Running, end: ProcessEnd | undefined) =>
  end === undefined || end.status === 0
    ? Effect.void
    : Effect.annotateLogs(Effect.logWarning(`git ended with ${end.status}: ${end.stderr}`), {
        path: target.path,
        service: target.service
      })

/**
 * Git over HTTP. Hooks that could not be run would be passed over by git, and with them the policy of pushes: that is a defect at
 * start. When the scope ends, fetches and unfinished pushes are ended, and pushes that are complete are waited for.
 */
export const makeGitHttp = Effect.fnUntraced(function* <R>(
  options: GitHttpOptions<R>
): Effect.fn.Return<GitHttp, never, R | Maintenance | PushLocks | RepositoryTasks | Scope.Scope | TreeLimits> {
  yield* Effect.promise(() => Promise.all(hookPaths.map((path) => accessFile(path, constants.X_OK))))
  const { access } = options
  const { texts } = access
  const limits = { ...defaultLimits, ...options.limits }
  const packs = options.packs && new SharedPacks(options.packs)
  yield* Effect.addFinalizer(() => packs?.close ?? Effect.void)
  const running = new Map<AbortController, Fiber.Fiber<void>>()

  /** Who says nothing of themselves is looked at in the places of those without a token. */
  const granted = <A>(request: AccessRequest, grant: Effect.Effect<A, AccessDenied, R>) =>
    request.authorization === undefined ? inRequestPlace("anonymous", request.network, grant) : grant

  const perform = Effect.fnUntraced(function* (exchange: Exchange, target: Running, request: AccessRequest) {
    if (target._tag === "Advertise") {
      const grantRequest: Effect.Effect<FetchGrant, AccessDenied, R> =
        target.service === "git-upload-pack" ? access.fetch(request) : access.push(request)
      const grant = yield* granted(request, grantRequest)
      yield* ensureExists(grant, texts)
      return yield* onBehalfOf(grant.caller)(advertise(exchange, grant.repository, target.service, limits))
    }
    const fault = headerFault(exchange, `application/x-${target.service}-request`)
    if (fault !== undefined) return yield* fault
    if (target.service === "git-upload-pack") {
      const grant = yield* granted(request, access.fetch(request))
      yield* ensureExists(grant, texts)
      return yield* onBehalfOf(grant.caller)(fetch(exchange, grant.repository, limits, packs))
    }
    const grant = yield* granted(request, access.push(request))
    yield* ensureExists(grant, texts)
    return yield* onBehalfOf(grant.caller)(push(exchange, grant, limits))
  })

  const answer = (exchange: Exchange, target: Running, request: AccessRequest) =>
    Effect.andThen(awaitStart(request.authorization, request.network), perform(exchange, target, request)).pipe(
      Effect.flatMap((end) => note(target, end)),
      Effect.catchTags({
        AccessDenied: (denied) => Effect.sync(() => answerDenied(exchange, denied)),
        BodyRefused: ({ status, text }) =>
          // A client that stands still would keep its connection for ever.
          Effect.sync(() => answerText(exchange, status, text, status === 408 ? { connection: "close" } : {})),
        TooBusy: () => Effect.sync(() => answerBusy(exchange, texts))
      }),
      Effect.catchDefect((defect) =>
        isTransient(defect)
          ? Effect.andThen(
              Effect.logWarning("A git request cannot be served now", defect),
              Effect.sync(() => answerBusy(exchange, texts))
            )
          : Effect.andThen(
              Effect.logError("A git request failed", defect),
              Effect.sync(() => answerText(exchange, 500, texts.broken))
            )
      )
    )

  const context = yield* Effect.context<R | Maintenance | PushLocks | RepositoryTasks | TreeLimits>()
  const fork = Effect.runForkWith(context)
  const awaitAll = Effect.callback<void>((resume) => {
    for (const gone of running.keys()) gone.abort()
    let left = running.size
    if (left === 0) resume(Effect.void)
    for (const fiber of running.values()) fiber.addObserver(() => --left === 0 && resume(Effect.void))
  })
  yield* Effect.addFinalizer(() => awaitAll)

  return {
    serve: (target, request, response, logInfo) => {
      const gone = new AbortController()
      const exchange: Exchange = { request, response, gone: gone.signal }
      if (!isRunning(target)) return answerWithoutRepository(exchange, target, access)
      const { authorization } = request.headers
      response.once("close", () => {
        if (!response.writableFinished) gone.abort()
      })
      const onIdentified = (caller: string) => {
        logInfo.caller = caller
      }
      const { id, network } = logInfo
      const isFirst = target._tag === "Advertise"
      const identity = { id, path: target.path, authorization, network, isFirst, onIdentified }
      const fiber = fork(answer(exchange, target, identity), { signal: gone.signal })
      running.set(gone, fiber)
      fiber.addObserver(() => {
        running.delete(gone)
        if (!response.writableEnded) response.destroy()
      })
    }
  }
})
