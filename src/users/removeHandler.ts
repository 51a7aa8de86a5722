import { Effect } from "effect"
import { preconditionHolds } from "../http/conditional.ts"
import { route } from "../http/Endpoint.ts"
import { preconditionFailed } from "../http/errors.ts"
import { noContent } from "../http/Reply.ts"
import { visible } from "../http/write.ts"
import { alreadyHandled, handle } from "../platform/Commands.ts"
import { deleteUser } from "./contract.ts"
import { userAggregate } from "./handle.ts"
import { heldNames, releaseUnheld } from "./names.ts"
import { pathId, requireUser, userNotFound } from "./present.ts"

export const remove = route(
  deleteUser,
  Effect.fnUntraced(function* ({ parameters, request }) {
    const id = yield* pathId(parameters.id)
    const earlier = yield* alreadyHandled(userAggregate, id)
    if (earlier !== undefined) {
      yield* visible(earlier)
      return noContent
    }
    const user = yield* requireUser(id)
    if (!preconditionHolds(request.headers["if-unmodified-since"], user.updated_at)) return yield* preconditionFailed
    const handled = yield* handle(userAggregate, id, { _tag: "Delete", hardDelete: parameters.hard_delete === true }).pipe(
      Effect.catchTag("UserMissing", () => Effect.fail(userNotFound)),
      Effect.catchTag(["UserExists", "StandingForbids", "RecentlyActive"], Effect.die)
    )
    yield* releaseUnheld(heldNames(user), id)
    yield* visible(handled)
    return noContent
  })
)
