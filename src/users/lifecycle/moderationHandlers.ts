import { Clock, Effect } from "effect"
import type { UserRow } from "../../http/access/Caller.ts"
import { forbiddenBecause, WireError } from "../../http/answer/errors.ts"
import { ok } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { type Input, route } from "../../http/Endpoint.ts"
import { handle } from "../../platform/Commands.ts"
import { userAggregate } from "../aggregate.ts"
import type { Moderation } from "../commands.ts"
import { activateUser, banUser, blockUser, deactivateUser, unbanUser, unblockUser } from "../contract.ts"
import type { StatusForbids } from "../errors.ts"
import { mayBlock } from "../permissions.ts"
import { requireUser, userNotFound } from "../present.ts"
import { unlessLastAdministrator } from "./lastAdministrator.ts"

/** A text without the usual beginning: services of the reference answer some refusals so. */
const plainlyForbidden = (text: string) => new WireError({ status: 403, body: { message: text } })

const statusForbids = (moderation: Moderation["_tag"], { status }: StatusForbids): WireError => {
  switch (moderation) {
    case "Unblock":
      return forbiddenBecause("Deactivated users cannot be unblocked by the API")
    case "Deactivate":
      return plainlyForbidden("Error occurred. A blocked user cannot be deactivated")
    case "Activate":
      return forbiddenBecause("A blocked user must be unblocked to be activated")
    case "Block":
    case "Ban":
    case "Unban":
      return plainlyForbidden(`You cannot ${moderation.toLowerCase()} ${status.toLowerCase()} users.`)
  }
}

/** What an administrator may not suffer if they are the last one. */
const excluding: Partial<Record<Moderation["_tag"], string>> = { Block: "blocked", Ban: "banned", Deactivate: "deactivated" }

/** Sends the order; one that would leave nobody to administer the installation is refused. */
const moderate = (user: UserRow, order: Moderation) => {
  const participle = excluding[order._tag]
  const write = handle(userAggregate, user.id, order)
  if (participle === undefined || !user.admin) return write
  return unlessLastAdministrator(user, forbiddenBecause(`The last administrator cannot be ${participle}`))(write)
}

type ModerationInput = Input<typeof blockUser.parameters, typeof blockUser.access>

/** Answers true for a change; for none null where the reference service looks before it acts, else false. */
const moderated = <const U extends null | false>(
  command: (at: number) => Moderation,
  { restricts, unchanged }: { readonly restricts?: "blocked" | "banned"; readonly unchanged: U }
) =>
  Effect.fnUntraced(function* ({ parameters, caller }: ModerationInput) {
    const id = parameters.id ?? (yield* userNotFound)
    const user = yield* requireUser(id)
    if (restricts !== undefined && !mayBlock(caller, id)) {
      return yield* forbiddenBecause(`The API initiating user cannot be ${restricts} by the API`)
    }
    const order = command(yield* Clock.currentTimeMillis)
    const handled = yield* moderate(user, order).pipe(
      Effect.catchTags({
        UserMissing: () => Effect.fail(userNotFound),
        UserExists: Effect.die,
        StatusForbids: (refusal) => Effect.fail(statusForbids(order._tag, refusal)),
        RecentlyActive: ({ days }) =>
          Effect.fail(
            plainlyForbidden(
              `The user you are trying to deactivate has been active in the past ${days} days and cannot be deactivated`
            )
          )
      })
    )
    yield* awaitReadModels(handled)
    return ok(handled.events.length > 0 ? true : unchanged)
  })

/** Gap: the reference service lets administrators ban themselves; here that is refused like blocking oneself. */
export const moderationRoutes = [
  route(
    blockUser,
    moderated(() => ({ _tag: "Block" }), { restricts: "blocked", unchanged: null })
  ),
  route(
    unblockUser,
    moderated(() => ({ _tag: "Unblock" }), { unchanged: false })
  ),
  route(
    deactivateUser,
    moderated((at) => ({ _tag: "Deactivate", at }), { unchanged: null })
  ),
  route(
    activateUser,
    moderated(() => ({ _tag: "Activate" }), { unchanged: false })
  ),
  route(
    banUser,
    moderated(() => ({ _tag: "Ban" }), { restricts: "banned", unchanged: false })
  ),
  route(
    unbanUser,
    moderated(() => ({ _tag: "Unban" }), { unchanged: false })
  )
]
