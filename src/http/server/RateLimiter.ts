import { Clock, Context, Effect, Layer } from "effect"
import { FixedWindow, secondsLeft, windowEnd } from "../../kernel/FixedWindow.ts"
import { WireError } from "../answer/errors.ts"

export interface RateLimits {
  /** The number of requests per minute and network without a token; 0 for no limit. */
  readonly unauthenticated: number
  /** The number of requests per minute and user; 0 for no limit. */
  readonly authenticated: number
}

/** Counts requests in windows of one minute, per process. */
export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /** Counts a request of this user, else of this network. Fails with 429 when it is one too many. */
    readonly count: (network: string, userId?: number) => Effect.Effect<void, WireError>
    /** Counts one request less of a network, because a user sent it who is counted apart. */
    readonly giveBack: (network: string) => Effect.Effect<void>
  }
>()("chronoforge/http/RateLimiter") {
  static readonly layer = ({ authenticated, unauthenticated }: RateLimits): Layer.Layer<RateLimiter> =>
    Layer.sync(RateLimiter, () => {
      const window = new FixedWindow()
      const addressKey = (network: string) => `address ${network}`
      const check = (network: string, userId: number | undefined, now: number): WireError | undefined => {
        const limit = userId === undefined ? unauthenticated : authenticated
        if (limit <= 0) return undefined
        const observed = window.count(userId === undefined ? addressKey(network) : `user ${userId}`, now)
        const name = userId === undefined ? "throttle_unauthenticated_api" : "throttle_authenticated_api"
        return observed <= limit ? undefined : refusal(name, { limit, observed, now })
      }
      if (authenticated <= 0 && unauthenticated <= 0) return { count: () => Effect.void, giveBack: () => Effect.void }
      return {
        count: (network, userId) => Effect.flatMap(Clock.currentTimeMillis, (now) => check(network, userId, now) ?? Effect.void),
        giveBack: (network) => Effect.map(Clock.currentTimeMillis, (now) => window.giveBack(addressKey(network), now))
      }
    })
}

interface Exceeded {
  readonly limit: number
  readonly observed: number
  readonly now: number
}

const refusal = (name: string, { limit, now, observed }: Exceeded): WireError => {
  const reset = windowEnd(now)
  return new WireError({
    status: 429,
    body: "Retry later\n",
    headers: {
      "content-type": "text/plain",
      "retry-after": String(secondsLeft(now)),
      "ratelimit-name": name,
      "ratelimit-limit": String(limit),
      "ratelimit-observed": String(observed),
      "ratelimit-remaining": "0",
      "ratelimit-reset": String(reset),
      "ratelimit-resettime": new Date(reset * 1000).toUTCString()
    }
  })
}
