import { Effect, Layer } from "effect"
import { PushReactions } from "../../pushes/Pushes.ts"
import { obeyMergeRequestOptions } from "./obey.ts"
import { mergeRequestOptionsOf } from "./options.ts"

/** How long a push waits for what its options ask for. */
const maxDuration = "10 seconds"

type Needs = Effect.Services<ReturnType<typeof obeyMergeRequestOptions>>

/** Pushes that open and change merge requests. */
export const layerPushReactions: Layer.Layer<PushReactions, never, Needs> = Layer.effect(
  PushReactions,
  Effect.map(Effect.context<Needs>(), (context) => ({
    obey: (pushed) => {
      const options = mergeRequestOptionsOf(pushed.push.options)
      if (options === undefined) return Effect.succeed([])
      return obeyMergeRequestOptions(pushed, options).pipe(
        Effect.timeout(maxDuration),
        Effect.catchCause((cause) =>
          Effect.as(Effect.logError("The options of a push were not obeyed", cause), [
            "Error encountered with push options: An unknown error occurred"
          ])
        ),
        Effect.provideContext(context)
      )
    }
  }))
)
