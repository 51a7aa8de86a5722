import { Effect } from "effect"
import { forbidden, notFound } from "../http/answer/errors.ts"
import { pageOf } from "../http/answer/pagination.ts"
import { ok, page } from "../http/answer/Reply.ts"
import { route } from "../http/Endpoint.ts"
import { defined } from "../kernel/defined.ts"
import type { MemberEndpoints } from "./contract.ts"
import type { MemberInput, MemberSource } from "./MemberSource.ts"
import { presentMember } from "./present.ts"
import type { MemberFilter, MembersOf } from "./questions.ts"

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
  of: MembersOf,
  { userId, externalUrl }: { readonly userId: number | null; readonly externalUrl: string }
) {
  const questions = yield* source.questions
  const row = userId === null ? undefined : yield* questions.find(of, userId)
  return row === undefined ? yield* notFound : presentMember(row, externalUrl)
})

/** With `all`, inherited members are included. */
type Scope = "direct" | "all"

/** The members that a request asks for; fails with 403 for those who may not read them. */
const readable = Effect.fnUntraced(function* <R>(source: MemberSource<R>, scope: Scope, input: MemberInput) {
  const { id, mayReadMembers } = yield* source.open(input)
  if (!mayReadMembers) return yield* forbidden
  const { admin, external, id: userId } = input.caller.user
  const of: MembersOf = scope === "direct" ? { id } : { id, reader: { userId, isAdministrator: admin, isExternal: external } }
  return of
})

const listRoute = <R>(source: MemberSource<R>, scope: Scope, declared: MemberEndpoints["list"]) =>
  route(
    declared,
    Effect.fnUntraced(function* (input) {
      const of = yield* readable(source, scope, input)
      const { parameters, request } = input
      if ("state" in parameters && parameters.state === "awaiting") return page([], 0)
      const questions = yield* source.questions
      const { rows, total } = yield* questions.list(of, filterOf(parameters), pageOf(parameters))
      return page(
        rows.map((row) => presentMember(row, request.externalUrl)),
        total
      )
    })
  )

const readRoute = <R>(source: MemberSource<R>, scope: Scope, declared: MemberEndpoints["read"]) =>
  route(
    declared,
    Effect.fnUntraced(function* (input) {
      const of = yield* readable(source, scope, input)
      const { parameters, request } = input
      return ok(yield* presented(source, of, { userId: parameters.user_id, externalUrl: request.externalUrl }))
    })
  )

export const readRoutes = <R>(source: MemberSource<R>, { list, listAll, read, readAny }: MemberEndpoints) => [
  listRoute(source, "direct", list),
  listRoute(source, "all", listAll),
  readRoute(source, "direct", read),
  readRoute(source, "all", readAny)
]
