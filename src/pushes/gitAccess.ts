import { Clock, Effect } from "effect"
import { AppConfig } from "../config.ts"
import { AccessDenied, type AccessRequest, type GitAccess, type Push } from "../git/http/access.ts"
import { Repositories } from "../git/Repositories.ts"
import type { RefUpdate } from "../git/refs/pushedRefs.ts"
import { Authenticator, type KnownToken } from "../http/access/Authenticator.ts"
import type { UserRow } from "../http/access/Caller.ts"
import { isoDate } from "../http/answer/jsonTimes.ts"
import { HttpServer } from "../http/server/server.ts"
import { accessLevel } from "../members/levels.ts"
import { CurrentOrigin, type Origin } from "../platform/Origin.ts"
import { FairQueue } from "../platform/work/FairQueue.ts"
import { can, type FoundProject, Projects, principalOf } from "../projects/Projects.ts"
import { signIn } from "../users/Users.ts"
import { appendRefs } from "./appendRefs.ts"
import { type BasicCredentials, basicCredentials } from "./basicCredentials.ts"
import { nothingAllowed, policyOf } from "./policyOf.ts"
import { judge } from "./pushPolicy.ts"
import { Reconciliation } from "./Reconciliation.ts"

const texts = {
  credentials:
    "HTTP Basic: Access denied. If a password was provided for Git authentication, the password was incorrect or you're required to use a token instead of a password. If a token was provided, it was either incorrect, expired, or improperly scoped.",
  missing: "The project you were looking for could not be found or you don't have permission to view it.",
  download: "You are not allowed to download code from this project.",
  push: "You are not allowed to push code to this project.",
  busy: "Too many passwords are being checked. Try again in a moment, or use a token, which takes no time."
} as const

const denied = (status: AccessDenied["status"], text: string): AccessDenied => new AccessDenied({ status, text })
const unauthorized = denied(401, texts.credentials)

type Service = "fetch" | "push"

const refusal: Readonly<Record<Service, AccessDenied>> = { fetch: denied(403, texts.download), push: denied(403, texts.push) }

const sufficient: Readonly<Record<Service, ReadonlyArray<string>>> = {
  fetch: ["api", "read_repository", "write_repository"],
  push: ["api", "write_repository"]
}

const isUsable = ({ expiresAt, revoked, scopes }: KnownToken, service: Service, today: string): boolean =>
  !revoked && (expiresAt === null || expiresAt > today) && scopes.some((scope) => sufficient[service].includes(scope))

/** Checking a password takes a tenth of a second of a processor. Clients take turns, so that nobody's wrong ones hold up the others. */
const passwordQueue = new FairQueue({ concurrency: 2, maxQueued: 100, maxQueuedPerCaller: 25, timeoutMillis: 10_000 })

const queueSignIn = (address: string, { password, user }: BasicCredentials) =>
  Effect.catchTag(passwordQueue.run({ caller: address, subject: user }, signIn(user, password)), "TooBusy", () =>
    Effect.fail(denied(503, texts.busy))
  )

/** The user behind a token given as the password, whatever user is named with it, or behind a name and a password. */
const identify = Effect.fnUntraced(function* ({ address, authorization }: AccessRequest, service: Service) {
  if (authorization === undefined) return undefined
  const credentials = basicCredentials(authorization)
  if (credentials === undefined || credentials.password === "") return yield* unauthorized
  const authenticator = yield* Authenticator
  const token = yield* authenticator.findToken(credentials.password)
  const today = isoDate(yield* Clock.currentTimeMillis)
  if (token !== undefined && !isUsable(token, service, today)) return yield* unauthorized
  const user: UserRow | undefined = token?.user ?? (yield* queueSignIn(address, credentials))
  if (user === undefined) return yield* unauthorized
  const reason = authenticator.accountRefusal(user)
  if (reason !== undefined) return yield* denied(403, reason)
  if (token !== undefined) yield* authenticator.noteUse(token)
  return user
})

/** The project, if the caller may fetch from it. To those without credentials, what they may not see is as what is not there. */
const open = Effect.fnUntraced(function* (request: AccessRequest, service: Service) {
  const { address, path } = request
  const user = yield* identify(request, service)
  if (user !== undefined) request.onIdentified(`user:${user.id}`)
  // A push always needs credentials: git only sends them when it is asked.
  if (user === undefined && service === "push") return yield* unauthorized
  const found = yield* Projects.use((projects) => projects.find(path, user?.id))
  const principal = principalOf(user && { user }, found?.role ?? accessLevel.none)
  const hidden = user === undefined ? unauthorized : denied(404, texts.missing)
  // A path of digits alone would be an id.
  if (found === undefined || !path.includes("/") || !can("read_project", principal, found.project)) return yield* hidden
  if (!can("read_code", principal, found.project)) return yield* user === undefined ? unauthorized : refusal[service]
  const repository = (yield* Repositories).of(found.project.id)
  return { caller: user === undefined ? address : `user:${user.id}`, found, repository, user, principal }
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
  return found === undefined ? nothingAllowed : yield* policyOf(found, principalOf(user && { user }, found.role))
})

/** What a client that still uses an old path reads behind its push; nothing for others. */
const movedNotice = Effect.fnUntraced(function* (path: string, { isMoved, project }: FoundProject) {
  if (!isMoved) return []
  const now = project.path_with_namespace
  const url = (yield* AppConfig).externalUrl ?? (yield* HttpServer).url
  return [
    `Project '${path}' was moved to '${now}'.`,
    "",
    "Please update your Git remote:",
    "",
    `  git remote set-url origin ${url}/${now}.git`
  ]
})

const push = Effect.fnUntraced(function* (request: AccessRequest) {
  const { caller, found, repository, user, principal } = yield* open(request, "push")
  if (!can("push_code", principal, found.project)) return yield* refusal.push
  const projectId = found.project.id
  const onRefsUpdated = (pushed: Push) =>
    Effect.andThen(
      Effect.provideService(appendRefs(projectId, pushed), CurrentOrigin, originOf(user?.id, request.id)),
      movedNotice(request.path, found)
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
  | Effect.Services<ReturnType<typeof appendRefs> | ReturnType<typeof movedNotice>>
  | Reconciliation

/** Access to the repositories of projects over git. */
export const gitAccess: GitAccess<Needs> = { challenge: unauthorized, fetch, push }
