import { Clock, Effect } from "effect"
import { FixedWindow, secondsLeft, windowEnd } from "../../kernel/FixedWindow.ts"
import { WireError } from "../answer/errors.ts"
import type { Incoming } from "../request/Incoming.ts"

export interface RateLimits {
  /** The number of requests per minute and address without a token; 0 for no limit. */
  readonly unauthenticated: number
  /** The number of requests per minute and user; 0 for no limit. */
  readonly authenticated: number
}

/** Counts requests in windows of one minute, per process. */
export class RateLimiter {
  readonly #limits: RateLimits
  readonly #window = new FixedWindow()

  constructor(limits: RateLimits) {
    this.#limits = limits
  }

  get isOff(): boolean {
    return this.#limits.authenticated <= 0 && this.#limits.unauthenticated <= 0
  }

  /** Counts a request of this user, else of this address; the refusal when it is one too many. `now` in milliseconds. */
  check(userId: number | undefined, address: string, now: number): WireError | undefined {
    const limit = userId === undefined ? this.#limits.unauthenticated : this.#limits.authenticated
    if (limit <= 0) return undefined
    const key = userId === undefined ? `address ${address}` : `user ${userId}`
    const observed = this.#window.count(key, now)
    const name = userId === undefined ? "throttle_unauthenticated_api" : "throttle_authenticated_api"
    return observed <= limit ? undefined : refusal(name, { limit, observed, now })
  }
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

/** Counts a request against the limit of its user, else of its address. Fails with 429 when it is one too many. */
export const throttle = (
  limiter: RateLimiter,
  { address }: Pick<Incoming, "address">,
  userId?: number
): Effect.Effect<void, WireError> => {
  if (limiter.isOff) return Effect.void
  return Effect.flatMap(Clock.currentTimeMillis, (now) => limiter.check(userId, address, now) ?? Effect.void)
}
