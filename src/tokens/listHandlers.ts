import { Clock, Effect } from "effect"
import { unauthorized, WireError } from "../http/answer/errors.ts"
import { isoDate } from "../http/answer/jsonTimes.ts"
import { pageOf } from "../http/answer/pagination.ts"
import { page } from "../http/answer/Reply.ts"
import { route } from "../http/Endpoint.ts"
import type { Decoded } from "../http/parameters/parameters.ts"
import { defined } from "../kernel/defined.ts"
import { Users } from "../users/Users.ts"
import { listTokens } from "./contract.ts"
import { mayManageTokensOf } from "./permissions.ts"
import { personalAccessToken } from "./present.ts"
import { type TokenFilter, type TokenOrder, TokenQueries } from "./Queries.ts"

type ListParameters = Decoded<(typeof listTokens)["parameters"]>

const orders: Readonly<Record<string, TokenOrder>> = {
  id: "id",
  created: "created_at",
  created_at: "created_at",
  expires: "expires_at",
  last_used: "last_used_at",
  name: "name"
}

/** An order that is not known is ignored, as in the reference service. */
const orderOf = (sort: string | null | undefined): TokenFilter["order"] => {
  const [, column = "", direction] = /^(.+)_(asc|desc)$/.exec(sort ?? "") ?? []
  const by = orders[column]
  return by === undefined ? { by: "id", descending: false } : { by, descending: direction === "desc" }
}

const filterOf = (parameters: ListParameters, userId: number | undefined, today: string): TokenFilter =>
  defined({
    userId,
    active: parameters.state ? { is: parameters.state === "active", today } : undefined,
    revoked: parameters.revoked ?? undefined,
    search: parameters.search || undefined,
    createdAfter: parameters.created_after ?? undefined,
    createdBefore: parameters.created_before ?? undefined,
    lastUsedAfter: parameters.last_used_after ?? undefined,
    lastUsedBefore: parameters.last_used_before ?? undefined,
    expiresAfter: parameters.expires_after ?? undefined,
    expiresBefore: parameters.expires_before ?? undefined,
    order: orderOf(parameters.sort)
  })

const noUser = new WireError({ status: 404, body: { message: "404 Not Found" } })

export const list = route(
  listTokens,
  Effect.fnUntraced(function* ({ parameters, caller }) {
    if (parameters.user_id === null) return yield* noUser
    const requestedUser = parameters.user_id
    if (requestedUser !== undefined && !mayManageTokensOf(caller, requestedUser)) return yield* unauthorized
    if (requestedUser !== undefined && (yield* Users.use((users) => users.find(requestedUser))) === undefined)
      return yield* noUser
    const today = isoDate(yield* Clock.currentTimeMillis)
    const filter = filterOf(parameters, caller.user.admin ? requestedUser : caller.user.id, today)
    const { tokens, total } = yield* TokenQueries.use((queries) => queries.list(filter, pageOf(parameters)))
    return page(
      tokens.map((token) => personalAccessToken(token, today)),
      total
    )
  })
)
