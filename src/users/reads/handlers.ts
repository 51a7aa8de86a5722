import { Effect } from "effect"
import { forbidden, forbiddenBecause, unauthorized } from "../../http/answer/errors.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { ok, page } from "../../http/answer/Reply.ts"
import { administeredUser, fullUser, userProfile, userReference, wholeProfile } from "../../http/answer/shapes.ts"
import { route } from "../../http/Endpoint.ts"
import type { Decoded } from "../../http/parameters/parameters.ts"
import { defined } from "../../kernel/defined.ts"
import { listUsers, readCurrentUser, readUser } from "../contract.ts"
import { mayAdminister, mayList } from "../permissions.ts"
import { administratorView, requireUser, userNotFound } from "../present.ts"
import { type UserFilter, UserQueries } from "../Queries.ts"

type ListParameters = Decoded<(typeof listUsers)["parameters"]>

/** The order that is asked for; without one those who fit a search best come first, or the newest. */
const orderOf = ({ order_by, search, sort }: ListParameters): UserFilter["order"] => {
  if (search && !order_by && !sort) return { by: "relevance", descending: false }
  return { by: order_by || "id", descending: sort !== "asc" }
}

const either = (yes: boolean | null, no: boolean | null): { readonly value?: boolean } =>
  yes ? { value: true } : no ? { value: false } : {}

/**
 * What a list asks for. Undefined: nothing can match, because the filters exclude each other or all users.
 * Gap: nobody has two-factor authentication.
 */
const filterOf = (parameters: ListParameters, admin: boolean): UserFilter | undefined => {
  if (parameters.exclude_humans || (admin && parameters.two_factor === "enabled")) return undefined
  if ((parameters.active && parameters.exclude_active) || (parameters.external && parameters.exclude_external)) return undefined
  const { username, search, provider, extern_uid } = parameters
  const forAdministrators = {
    admins: parameters.admins || undefined,
    withoutProjects: parameters.without_projects || undefined,
    createdAfter: parameters.created_after ?? undefined,
    createdBefore: parameters.created_before ?? undefined
  }
  return defined({
    withoutForbidden: !admin,
    username: username ?? undefined,
    search: search ? { text: search, privateEmails: admin } : undefined,
    identity: provider && extern_uid ? { provider, externUid: extern_uid } : undefined,
    active: either(parameters.active, parameters.exclude_active).value,
    external: either(parameters.external, parameters.exclude_external).value,
    blocked: parameters.blocked || undefined,
    ...(admin && forAdministrators),
    order: orderOf(parameters)
  })
}

const list = route(
  listUsers,
  Effect.fnUntraced(function* ({ parameters, caller, request }) {
    const admin = mayAdminister(caller)
    if (parameters.provider && parameters.extern_uid && !admin) {
      return yield* caller === undefined ? unauthorized : forbidden
    }
    if (!mayList(caller, parameters.username)) return yield* forbiddenBecause("Not authorized to access /api/v4/users")
    const filter = filterOf(parameters, admin)
    if (filter === undefined) return page([], 0)
    const users = yield* UserQueries
    const { externalUrl } = request
    if (!admin) {
      const { rows, total } = yield* users.listReferences(filter, pageOf(parameters))
      return page(
        rows.map((user) => userReference(user, externalUrl)),
        total
      )
    }
    const { rows, total } = yield* users.list(filter, pageOf(parameters))
    return page(
      rows.map((user) => administeredUser(user, user.creator, externalUrl)),
      total
    )
  })
)

const read = route(
  readUser,
  Effect.fnUntraced(function* ({ parameters, caller, request }) {
    const id = parameters.id ?? (yield* userNotFound)
    if (caller === undefined) return yield* forbiddenBecause("Not authorized!")
    if (!mayAdminister(caller)) {
      const shown = caller.user.id === id ? wholeProfile : userProfile
      return ok(shown(yield* requireUser(id), request.externalUrl))
    }
    const found = yield* UserQueries.use((users) => users.administered(id))
    if (found === undefined) return yield* userNotFound
    // There is no sign-in, so nothing is known of it.
    const signIns = { current_sign_in_ip: null, last_sign_in_ip: null, sign_in_count: 0 }
    const highest_role = yield* UserQueries.use((users) => users.highestRole(id))
    return ok({ ...administeredUser(found, found.creator, request.externalUrl), highest_role, ...signIns })
  })
)

/** Answers from what authentication has read. Only the creator of an administrator, if there is one, needs another look. */
const current = route(readCurrentUser, ({ caller: { user }, request: { externalUrl } }) => {
  if (!user.admin) return Effect.succeed(ok(fullUser(user, externalUrl)))
  if (user.created_by === null) return Effect.succeed(ok(administeredUser(user, null, externalUrl)))
  return Effect.map(administratorView(user.id, externalUrl), ok)
})

export const readRoutes = [current, list, read]
