import { Effect } from "effect"
import { requireUnmodified } from "../../http/answer/conditional.ts"
import { conflict } from "../../http/answer/errors.ts"
import { noContent } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { type Input, route } from "../../http/Endpoint.ts"
import { withOwnerLock } from "../../http/withOwnerLock.ts"
import { handle } from "../../platform/Commands.ts"
import { changes } from "../../platform/repeats.ts"
import { userAggregate } from "../aggregate.ts"
import { deleteUser } from "../contract.ts"
import { heldNames, releaseUnheld } from "../names.ts"
import { OwnedGroups } from "../OwnedGroups.ts"
import { PersonalProjects } from "../PersonalProjects.ts"
import { requireUser, userNotFound } from "../present.ts"
import { UserQueries } from "../Queries.ts"
import { requireOtherAdministrator } from "./lastAdministrator.ts"

/** Otherwise nobody but administrators could manage these groups. */
const soleOwner = conflict("User cannot be removed while is the sole-owner of a group")

const lastAdministrator = conflict("User cannot be removed while is the last administrator")

const removed = Effect.fnUntraced(function* (id: number, { parameters, request }: Input<typeof deleteUser.parameters, "user">) {
  const user = yield* requireUser(id)
  yield* requireUnmodified(user.updated_at, request)
  const hardDelete = parameters.hard_delete === true
  yield* requireOtherAdministrator(user, lastAdministrator)
  const owned = yield* UserQueries.use((users) => users.solelyOwned(id))
  if (!hardDelete && owned.length > 0) return yield* soleOwner
  yield* OwnedGroups.use((groups) => groups.remove(owned))
  const { namespace_id: namespaceId } = user
  const emptied = namespaceId === null ? 0 : yield* PersonalProjects.use(({ removeAll }) => removeAll(namespaceId))
  const handled = yield* handle(userAggregate, id, { _tag: "Delete", hardDelete }).pipe(
    Effect.catchTag("UserMissing", () => Effect.fail(userNotFound)),
    Effect.catchTag(["UserExists", "StatusForbids", "RecentlyActive"], Effect.die)
  )
  yield* releaseUnheld(heldNames(user), id)
  return { ...handled, position: Math.max(handled.position, emptied) }
})

export const remove = route(
  deleteUser,
  Effect.fnUntraced(function* (input) {
    const id = input.parameters.id ?? (yield* userNotFound)
    yield* awaitReadModels(yield* changes(userAggregate, id, withOwnerLock(removed(id, input))))
    return noContent
  })
)
