import { Effect } from "effect"
import { notFound } from "../http/answer/errors.ts"
import { pageOf } from "../http/answer/pagination.ts"
import { ok, page } from "../http/answer/Reply.ts"
import { route } from "../http/Endpoint.ts"
import { defined } from "../kernel/defined.ts"
import type { MemberEndpoints } from "./contract.ts"
import type { MemberSource } from "./MemberSource.ts"
import { presentMember } from "./present.ts"
import type { MemberFilter, MemberScope } from "./questions.ts"

interface FilterParameters {
  readonly query?: string | null
  readonly user_ids?: ReadonlyArray<number> | null
  readonly skip_users?: ReadonlyArray<number> | null
}

const filterOf = ({ query, user_ids: userIds, skip_users: withoutUserIds }: FilterParameters): MemberFilter =>
  defined({ search: query || undefined, userIds: userIds ?? undefined, withoutUserIds: withoutUserIds ?? undefined })

/** Shows one member; fails with 404 for a user who is none. */
export const presented = Effect.fnUntraced(function* <R>(
  source: MemberSource<R>,
  scope: MemberScope,
  { id, userId, externalUrl }: { readonly id: number; readonly userId: number | null; readonly externalUrl: string }
) {
  const questions = yield* source.questions
  const row = userId === null ? undefined : yield* questions.find(scope, id, userId)
  return row === undefined ? yield* notFound : presentMember(row, externalUrl)
})

const listRoute = <R>(source: MemberSource<R>, scope: MemberScope, declared: MemberEndpoints["list"]) =>
  route(
    declared,
    Effect.fnUntraced(function* (input) {
      const { id } = yield* source.open(input)
      const { parameters, request } = input
      if ("state" in parameters && parameters.state === "awaiting") return page([], 0)
      const questions = yield* source.questions
      const { rows, total } = yield* questions.list(scope, id, filterOf(parameters), pageOf(parameters))
      return page(
        rows.map((row) => presentMember(row, request.externalUrl)),
        total
      )
    })
  )

const readRoute = <R>(source: MemberSource<R>, scope: MemberScope, declared: MemberEndpoints["read"]) =>
  route(
    declared,
    Effect.fnUntraced(function* (input) {
      const { id } = yield* source.open(input)
      const { parameters, request } = input
      return ok(yield* presented(source, scope, { id, userId: parameters.user_id, externalUrl: request.externalUrl }))
    })
  )

export const readRoutes = <R>(source: MemberSource<R>, { list, listAll, read, readAny }: MemberEndpoints) => [
  listRoute(source, "direct", list),
  listRoute(source, "all", listAll),
  readRoute(source, "direct", read),
  readRoute(source, "all", readAny)
]
