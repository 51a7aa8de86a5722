import { Clock, Effect } from "effect"
import { AccessDenied, type AccessRequest, type GitAccess } from "../git/http/access.ts"
import { basicCredentials } from "../git/http/basicCredentials.ts"
import { Repositories } from "../git/Repositories.ts"
import { Authenticator, type KnownToken } from "../http/Authenticator.ts"
import type { UserRow } from "../http/Caller.ts"
import { isoDate } from "../http/jsonTimes.ts"
import { uuidV7 } from "../kernel/uuid.ts"
import { CurrentOrigin, type Origin } from "../platform/Origin.ts"
import { can } from "../projects/abilities.ts"
import { askerOf, Projects } from "../projects/Projects.ts"
import { signIn } from "../users/signIn.ts"
import { policyOf } from "./pushPolicy.ts"
import { recordRefs } from "./recordRefs.ts"

const texts = {
  credentials:
    "HTTP Basic: Access denied. If a password was provided for Git authentication, the password was incorrect or you're required to use a token instead of a password. If a token was provided, it was either incorrect, expired, or improperly scoped.",
  missing: "The project you were looking for could not be found or you don't have permission to view it.",
  download: "You are not allowed to download code from this project.",
  push: "You are not allowed to push code to this project."
} as const

const denied = (status: AccessDenied["status"], text: string): AccessDenied => new AccessDenied({ status, text })
const unauthorized = denied(401, texts.credentials)

type Service = "fetch" | "push"

const sufficient: Readonly<Record<Service, ReadonlyArray<string>>> = {
  fetch: ["api", "read_repository", "write_repository"],
  push: ["api", "write_repository"]
}

const isUsable = ({ expiresAt, revoked, scopes }: KnownToken, service: Service, today: string): boolean =>
  !revoked && (expiresAt === null || expiresAt > today) && scopes.some((scope) => sufficient[service].includes(scope))

/** The user behind a token given as the password, whatever user is named with it, or behind a name and a password. */
const identify = Effect.fnUntraced(function* (authorization: string | undefined, service: Service) {
  if (authorization === undefined) return undefined
  const given = basicCredentials(authorization)
  if (given === undefined || given.password === "") return yield* unauthorized
  const authenticator = yield* Authenticator
  const token = yield* authenticator.findToken(given.password)
  const today = isoDate(yield* Clock.currentTimeMillis)
  if (token !== undefined && !isUsable(token, service, today)) return yield* unauthorized
  const user: UserRow | undefined = token?.user ?? (yield* signIn(given.user, given.password))
  if (user === undefined) return yield* unauthorized
  const refusal = authenticator.accountRefusal(user)
  if (refusal !== undefined) return yield* denied(403, refusal)
  if (token !== undefined) yield* authenticator.noteUse(token)
  return user
})

/** The project, if the caller may fetch from it. To those without credentials, what they may not see is as what is not there. */
const open = Effect.fnUntraced(function* ({ address, authorization, path }: AccessRequest, service: Service) {
  const user = yield* identify(authorization, service)
  // A push always needs credentials: git only sends them when it is asked.
  if (user === undefined && service === "push") return yield* unauthorized
  const found = yield* Projects.use((projects) => projects.find(path, user?.id))
  const who = askerOf(user && { user, tokenId: 0, scopes: [] }, found?.role ?? 0)
  const hidden = user === undefined ? unauthorized : denied(404, texts.missing)
  // A path of digits alone would be an id.
  if (found === undefined || !path.includes("/") || !can("read_project", who, found.project)) return yield* hidden
  if (!can("read_code", who, found.project)) return yield* user === undefined ? unauthorized : denied(403, texts.download)
  const repository = (yield* Repositories).of(found.project.id)
  return { caller: user === undefined ? address : `user-${user.id}`, found, repository, user, who }
})

const originOf = (userId: number | undefined): Origin => {
  const requestId = uuidV7()
  return { actor: userId === undefined ? "anonymous" : `user:${userId}`, correlationId: requestId, requestId }
}

const fetch = (request: AccessRequest) => Effect.map(open(request, "fetch"), ({ caller, repository }) => ({ caller, repository }))

const push = Effect.fnUntraced(function* (request: AccessRequest) {
  const { caller, found, repository, user, who } = yield* open(request, "push")
  if (!can("push_code", who, found.project)) return yield* denied(403, texts.push)
  const policy = yield* policyOf(found, who)
  const onRefsUpdated = (pushed: Parameters<typeof recordRefs>[1]) =>
    recordRefs(found.project.id, pushed).pipe(
      Effect.as<ReadonlyArray<string>>([]),
      Effect.provideService(CurrentOrigin, originOf(user?.id))
    )
  return { caller, repository, policy, onRefsUpdated }
})

type Needs = Effect.Services<ReturnType<typeof fetch> | ReturnType<typeof push>> | Effect.Services<ReturnType<typeof recordRefs>>

/** Who may fetch from and push to the repositories of projects over git. */
export const gitAccess: GitAccess<Needs> = { fetch, push }
