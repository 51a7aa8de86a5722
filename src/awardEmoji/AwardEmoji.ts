import { Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import { requireUnmodified } from "../http/answer/conditional.ts"
import { notFound, thingNotFound, unauthorized } from "../http/answer/errors.ts"
import { isoMillis } from "../http/answer/jsonTimes.ts"
import { pageOf } from "../http/answer/pagination.ts"
import { noContent, ok, page } from "../http/answer/Reply.ts"
import { userReference } from "../http/answer/shapes.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import { handle } from "../platform/Commands.ts"
import { nextId } from "../platform/Ids.ts"
import { changes } from "../platform/repeats.ts"
import { awardAggregate } from "./aggregate.ts"
import type { Awardable } from "./ids.ts"
import { AwardQueries, type AwardRow } from "./Queries.ts"
import type { AwardEmoji } from "./shapes.ts"

/** Something that the caller may see. */
export interface Found {
  readonly awardable: Awardable
  /** Whether the caller may award it. */
  readonly mayAward: boolean
}

type Request = Pick<RequestInfo, "externalUrl" | "headers">

const present = (row: AwardRow, { id, type }: Awardable, { externalUrl }: Request): typeof AwardEmoji.Type => ({
  id: row.id,
  name: row.name,
  user: row.user && userReference(row.user, externalUrl),
  created_at: isoMillis(row.created_at),
  updated_at: isoMillis(row.created_at),
  awardable_id: id,
  awardable_type: type,
  url: null
})

/** What is told where something is not shown to the caller, or may not be awarded by them. */
export const awardsNotFound = thingNotFound("Award Emoji")

/** A page of what something was awarded. */
export const listAwards = Effect.fnUntraced(function* (
  { awardable }: Found,
  parameters: Parameters<typeof pageOf>[0],
  request: Request
) {
  const { extent, rows } = yield* AwardQueries.use((awards) => awards.list(awardable, pageOf(parameters)))
  return page(
    rows.map((row) => present(row, awardable, request)),
    extent
  )
})

const find = Effect.fnUntraced(function* (awardable: Awardable, id: number | null | undefined) {
  const row = id === null || id === undefined ? undefined : yield* AwardQueries.use((awards) => awards.find(awardable, id))
  return row ?? (yield* notFound)
})

export const readAward = Effect.fnUntraced(function* ({ awardable }: Found, id: number | null, request: Request) {
  return ok(present(yield* find(awardable, id), awardable, request))
})

interface Giving {
  readonly name: string | null
  readonly caller: Caller
  readonly request: Request
}

/** Awards an emoji, once for each user and name. */
export const giveAward = Effect.fnUntraced(function* ({ awardable, mayAward }: Found, { caller, name, request }: Giving) {
  const make = Effect.gen(function* () {
    if (!mayAward) return yield* awardsNotFound
    const id = yield* nextId("award_emoji")
    return yield* handle(awardAggregate, awardable, { _tag: "Award", id, by: caller.user.id, name: name ?? "" })
  })
  const handled = yield* Effect.catchTags(changes(awardAggregate, awardable, make), {
    AwardRefused: ({ reason }) => Effect.fail(thingNotFound(`Award Emoji Name ${reason}`)),
    AwardMissing: Effect.die
  })
  yield* awaitReadModels(handled)
  return ok(present(yield* find(awardable, handled.events[0]?.id), awardable, request))
})

interface Revoking {
  readonly id: number | null
  readonly caller: Caller
  readonly request: Request
}

/** Takes an emoji back that the caller gave; administrators take any. */
export const revokeAward = Effect.fnUntraced(function* ({ awardable, mayAward }: Found, { caller, id, request }: Revoking) {
  const make = Effect.gen(function* () {
    if (!mayAward) return yield* awardsNotFound
    const row = yield* find(awardable, id)
    if (row.user_id !== caller.user.id && !caller.user.admin) return yield* unauthorized
    yield* requireUnmodified(row.created_at, request)
    return yield* handle(awardAggregate, awardable, { _tag: "TakeBack", id: row.id })
  })
  const handled = Effect.catchTags(changes(awardAggregate, awardable, make), {
    AwardRefused: Effect.die,
    AwardMissing: () => Effect.fail(notFound)
  })
  yield* awaitReadModels(yield* handled)
  return noContent
})

export { awardEndpoints } from "./contract.ts"
