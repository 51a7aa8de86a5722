import { Clock, Effect } from "effect"
import { AppConfig } from "../config.ts"
import { AccessDenied, type AccessRequest, type GitAccess, type Push } from "../git/http/access.ts"
import { Repositories } from "../git/Repositories.ts"
import type { RefUpdate } from "../git/refs/pushedRefs.ts"
import { Authenticator, type KnownToken } from "../http/access/Authenticator.ts"
import type { UserRow } from "../http/access/Caller.ts"
import { isoDate } from "../http/answer/jsonTimes.ts"
import { RateLimiter } from "../http/server/RateLimiter.ts"
import { HttpServer } from "../http/server/server.ts"
import { accessLevel } from "../members/levels.ts"
import { CurrentOrigin, type Origin } from "../platform/Origin.ts"
import { can, type FoundProject, type Principal, Projects, principalOf } from "../projects/Projects.ts"
import { SignIns } from "../users/signIns/SignIns.ts"
import { appendRefs } from "./appendRefs.ts"
import { type BasicCredentials, basicCredentials } from "./basicCredentials.ts"
import { Collaborations, PushReactions, withCollaborations } from "./Collaborations.ts"
import { challengeHeaders, gitTexts } from "./gitTexts.ts"
import { nothingAllowed, policyOf } from "./policyOf.ts"
import { judge } from "./pushPolicy.ts"
import { Reconciliation } from "./Reconciliation.ts"

const texts = {
  credentials:
    "HTTP Basic: Access denied. If a password was provided for Git authentication, the password was incorrect or you're required to use a token instead of a password. If a token was provided, it was either incorrect, expired, or improperly scoped.",
  missing: "The project you were looking for could not be found or you don't have permission to view it.",
  download: "You are not allowed to download code from this project.",
  push: "You are not allowed to push code to this project.",
  busy: "Too many passwords are being checked. Try again in a moment, or use a token, which takes no time.",
  wrong: (seconds: number) =>
    `Too many wrong passwords. Try again in ${seconds} seconds, or use a token, for which nobody has to wait.`
} as const

const denied = (status: AccessDenied["status"], text: string): AccessDenied => new AccessDenied({ status, text })
const unauthorized = new AccessDenied({ status: 401, text: texts.credentials, headers: challengeHeaders })

type Service = "fetch" | "push"

const refusal: Readonly<Record<Service, AccessDenied>> = { fetch: denied(403, texts.download), push: denied(403, texts.push) }

const sufficient: Readonly<Record<Service, ReadonlyArray<string>>> = {
  fetch: ["api", "read_repository", "write_repository"],
  push: ["api", "write_repository"]
}

const isUsable = ({ expiresAt, revoked, scopes }: KnownToken, service: Service, today: string): boolean =>
  !revoked && (expiresAt === null || expiresAt > today) && scopes.some((scope) => sufficient[service].includes(scope))

/** Counts a request; one too many is told over git as over the interface. */
const count = (network: string, userId?: number) =>
  Effect.catchTag(
    RateLimiter.use((limiter) => limiter.count(network, userId)),
    "WireError",
    ({ body, headers = {} }) => Effect.fail(new AccessDenied({ status: 429, text: String(body), headers }))
  )

/** Counts a request that is refused against the network that it comes from. */
const refuse = ({ network }: AccessRequest, refusal: AccessDenied) => Effect.andThen(count(network), refusal)

const retryLater = (text: string, seconds: number, status: 429 | 503): AccessDenied =>
  new AccessDenied({ status, text, headers: { "retry-after": String(seconds) } })

/** The user with this password. Of the network it is counted before the password is looked at. */
const byPassword = Effect.fnUntraced(function* (request: AccessRequest, { password, user }: BasicCredentials) {
  const { network } = request
  yield* count(network)
  const found = yield* SignIns.use((signIns) => signIns.signIn({ login: user, password, network })).pipe(
    Effect.catchTags({
      TooBusy: () => Effect.fail(retryLater(texts.busy, 10, 503)),
      TooManyWrongPasswords: ({ seconds }) => Effect.fail(retryLater(texts.wrong(seconds), seconds, 429))
    })
  )
  if (found === undefined) return yield* unauthorized
  yield* RateLimiter.use((limiter) => limiter.giveBack(network))
  return found
})

/** The user of a token that may be used for this; undefined for an unknown token. */
const byToken = Effect.fnUntraced(function* (request: AccessRequest, service: Service, text: string) {
  const token = yield* Authenticator.use((authenticator) => authenticator.findToken(text))
  const mayBeUsed = token === undefined || isUsable(token, service, isoDate(yield* Clock.currentTimeMillis))
  return mayBeUsed ? token : yield* refuse(request, unauthorized)
})

/**
 * The user behind a token given as the password, whatever user is named with it, or behind a name and a password. The request is counted
 * here. The one that git sends without credentials before those is given back when they are right.
 */
const identify = Effect.fnUntraced(function* (request: AccessRequest, service: Service) {
  const { authorization, isFirst, network } = request
  if (authorization === undefined) {
    yield* count(network)
    return undefined
  }
  const credentials = basicCredentials(authorization)
  if (credentials === undefined || credentials.password === "") return yield* refuse(request, unauthorized)
  const authenticator = yield* Authenticator
  const token = yield* byToken(request, service, credentials.password)
  if (token === undefined && authenticator.isTokenText(credentials.password)) return yield* refuse(request, unauthorized)
  const user: UserRow = token?.user ?? (yield* byPassword(request, credentials))
  const reason = authenticator.accountRefusal(user)
  if (reason !== undefined) return yield* refuse(request, denied(403, reason))
  request.onIdentified(`user:${user.id}`)
  if (isFirst) yield* RateLimiter.use((limiter) => limiter.giveBack(network))
  yield* count(network, user.id)
  if (token !== undefined) yield* authenticator.noteUse(token)
  return user
})

/** The project, if the caller may fetch from it. To those without credentials, what they may not see is as what is not there. */
const open = Effect.fnUntraced(function* (request: AccessRequest, service: Service) {
  const { network, path } = request
  const user = yield* identify(request, service)
  // A push always needs credentials: git only sends them when it is asked.
  if (user === undefined && service === "push") return yield* unauthorized
  const found = yield* Projects.use((projects) => projects.find(path, user?.id))
  const principal = principalOf(user && { user }, found?.role ?? accessLevel.none)
  const hidden = user === undefined ? unauthorized : denied(404, texts.missing)
  // A path of digits alone would be an id.
  if (found === undefined || !path.includes("/") || !can("read_project", principal, found.project)) return yield* hidden
  if (!can("read_code", principal, found.project)) return yield* user === undefined ? unauthorized : refusal[service]
  const repository = (yield* Repositories).of(found.project.id)
  return { caller: user === undefined ? network : `user:${user.id}`, found, repository, user, principal }
})

const originOf = (userId: number | undefined, requestId: string): Origin => ({
  actor: userId === undefined ? "anonymous" : `user:${userId}`,
  correlationId: requestId,
  requestId
})

const fetch = (request: AccessRequest) => Effect.map(open(request, "fetch"), ({ caller, repository }) => ({ caller, repository }))

/** What the user may push by now. */
const currentPolicy = Effect.fnUntraced(function* (projectId: number, user: UserRow | undefined) {
  const found = yield* Projects.use((projects) => projects.find(String(projectId), user?.id))
  if (found === undefined) return nothingAllowed
  return yield* withCollaborations(yield* policyOf(found, principalOf(user && { user }, found.role)), projectId, user)
})

/** Whether somebody may push to the project, or to any branch of it. */
const mayPush = Effect.fnUntraced(function* ({ project }: FoundProject, user: UserRow | undefined, principal: Principal) {
  if (can("push_code", principal, project)) return true
  return user !== undefined && (yield* Collaborations.use(({ branches }) => branches(project.id, user))).length > 0
})

const urlOfService = Effect.gen(function* () {
  return (yield* AppConfig).externalUrl ?? (yield* HttpServer).url
})

/** What a client that still uses an old path reads behind its push; nothing for others. */
const movedNotice = (url: string, path: string, { isMoved, project }: FoundProject): ReadonlyArray<string> => {
  if (!isMoved) return []
  const now = project.path_with_namespace
  return [
    `Project '${path}' was moved to '${now}'.`,
    "",
    "Please update your Git remote:",
    "",
    `  git remote set-url origin ${url}/${now}.git`
  ]
}

const push = Effect.fnUntraced(function* (request: AccessRequest) {
  const { caller, found, repository, user, principal } = yield* open(request, "push")
  if (!(yield* mayPush(found, user, principal))) return yield* refusal.push
  const projectId = found.project.id
  const onRefsUpdated = Effect.fnUntraced(
    function* (pushed: Push) {
      yield* appendRefs(projectId, pushed)
      const externalUrl = yield* urlOfService
      const obeying = user && PushReactions.use(({ obey }) => obey({ projectId, user, push: pushed, externalUrl }))
      return [...(obeying === undefined ? [] : yield* obeying), ...movedNotice(externalUrl, request.path, found)]
    },
    Effect.provideService(CurrentOrigin, originOf(user?.id, request.id))
  )
  const onUnrecorded = Reconciliation.use((reconciliation) => reconciliation.schedule(projectId))
  return {
    caller,
    repository,
    judge: Effect.map(currentPolicy(projectId, user), (policy) => (update: RefUpdate) => judge(policy, update)),
    onRefsUpdated,
    onUnrecorded
  }
})

type Needs =
  | Effect.Services<ReturnType<typeof fetch> | ReturnType<typeof push> | ReturnType<typeof currentPolicy>>
  | Effect.Services<ReturnType<typeof appendRefs> | typeof urlOfService>
  | Reconciliation
  | PushReactions

/** Access to the repositories of projects over git. */
export const gitAccess: GitAccess<Needs> = { challenge: unauthorized, texts: gitTexts, fetch, push }
