import { Effect } from "effect"
import { handle } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { userAggregate } from "../aggregate.ts"
import { UserQueries } from "../Queries.ts"

/**
 * Gives a namespace of their own to users of logs that are older than namespaces. Answers where the log stands after that;
 * 0 when everybody has one.
 */
export const giveNamespaces = Effect.fnUntraced(function* () {
  const lacking = yield* UserQueries.use((users) => users.withoutNamespace)
  const positions = yield* Effect.forEach(
    lacking,
    Effect.fnUntraced(function* (id) {
      const command = { _tag: "GiveNamespace", namespaceId: yield* nextId("namespace") } as const
      return yield* handle(userAggregate, id, command, { commandId: `give-namespace/${id}` }).pipe(
        Effect.map(({ position }) => position),
        // The user was deleted meanwhile.
        Effect.catchTag("UserMissing", () => Effect.succeed(0)),
        Effect.orDie
      )
    })
  )
  return Math.max(0, ...positions)
}, spanned("users.giveNamespaces"))
