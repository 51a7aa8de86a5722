import { Clock, Context, Effect, Layer, Queue } from "effect"
import type { KnownToken } from "../../http/access/Authenticator.ts"
import { isoDate } from "../../http/answer/jsonTimes.ts"
import { handle } from "../../platform/Commands.ts"
import type { EventStore } from "../../platform/eventStore/EventStore.ts"
import { CurrentOrigin, systemOrigin } from "../../platform/Origin.ts"
import { noteActivity } from "../../users/Users.ts"
import { tokenAggregate } from "../aggregate.ts"

/** A token or a user that was seen for the first time on a day. */
interface TokenActivity {
  readonly of: "token" | "user"
  readonly id: number
  readonly userId: number
  readonly day: string
}

/** More sightings than this are never waiting; those beyond are seen again with the next request. */
const maxQueued = 4_096

const record = ({ of, id, userId, day }: TokenActivity): Effect.Effect<void, never, EventStore> => {
  const noted =
    of === "user"
      ? noteActivity(id, day)
      : handle(tokenAggregate, id, { _tag: "NoteUse", day }, { commandId: `token-used/${id}/${day}` }).pipe(
          Effect.orDie,
          Effect.asVoid
        )
  return Effect.provideService(noted, CurrentOrigin, { ...systemOrigin("token-use"), actor: `user:${userId}` })
}

const make = Effect.gen(function* () {
  const queue = yield* Queue.dropping<TokenActivity>(maxQueued)
  const seen = new Set<string>()
  let today = ""

  const keyOf = ({ of, id }: TokenActivity) => `${of}/${id}`
  const enqueue = (activity: TokenActivity, lastDay: string | null) => {
    const key = keyOf(activity)
    if (seen.has(key) || (lastDay !== null && lastDay >= activity.day)) return
    if (Queue.offerUnsafe(queue, activity)) seen.add(key)
  }

  yield* Queue.take(queue).pipe(
    Effect.flatMap((activity) =>
      record(activity).pipe(
        // The next request tries again.
        Effect.tapCause(() => Effect.sync(() => seen.delete(keyOf(activity)))),
        Effect.catchCause((cause) => Effect.logWarning("The use of a token was not recorded", cause))
      )
    ),
    Effect.forever,
    Effect.forkScoped
  )

  return {
    note: ({ tokenId, lastUsedOn, user }: KnownToken): Effect.Effect<void> =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const day = isoDate(now)
        if (day !== today) seen.clear()
        today = day
        enqueue({ of: "token", id: tokenId, userId: user.id, day }, lastUsedOn)
        enqueue({ of: "user", id: user.id, userId: user.id, day }, user.last_activity_on)
      })
  }
})

/** Records on which days tokens and their users are in use: in the background, once a day each, whatever the number of processes. */
export class TokenUse extends Context.Service<
  TokenUse,
  {
    /** Takes note of a request. Never waits and never fails. */
    readonly note: (used: KnownToken) => Effect.Effect<void>
  }
>()("chronoforge/tokens/TokenUse") {
  static readonly layer: Layer.Layer<TokenUse, never, EventStore> = Layer.effect(TokenUse, make)
}
