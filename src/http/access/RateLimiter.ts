import { Clock, Effect } from "effect"
import { WireError } from "../answer/errors.ts"
import type { Incoming } from "../request/Incoming.ts"

export interface RateLimits {
  /** Requests per minute and address without a token; 0: no limit. */
  readonly unauthenticated: number
  /** Requests per minute and user; 0: no limit. */
  readonly authenticated: number
}

const windowSeconds = 60

/** Counts requests in windows of one minute, per process. */
export class RateLimiter {
  readonly #limits: RateLimits
  #window = 0
  #counts = new Map<string, number>()

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
    const window = Math.floor(now / 1000 / windowSeconds)
    if (window !== this.#window) {
      this.#window = window
      this.#counts = new Map()
    }
    const key = userId === undefined ? `address ${address}` : `user ${userId}`
    const observed = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, observed)
    return observed <= limit ? undefined : this.#refusal(userId === undefined, limit, observed, now)
  }

  #refusal(anonymous: boolean, limit: number, observed: number, now: number): WireError {
    const reset = (this.#window + 1) * windowSeconds
    return new WireError({
      status: 429,
      body: "Retry later\n",
      headers: {
        "content-type": "text/plain",
        "retry-after": String(Math.max(1, reset - Math.floor(now / 1000))),
        "ratelimit-name": anonymous ? "throttle_unauthenticated_api" : "throttle_authenticated_api",
        "ratelimit-limit": String(limit),
        "ratelimit-observed": String(observed),
        "ratelimit-remaining": "0",
        "ratelimit-reset": String(reset),
        "ratelimit-resettime": new Date(reset * 1000).toUTCString()
      }
    })
  }
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
