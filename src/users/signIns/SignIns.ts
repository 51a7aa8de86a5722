import { hash } from "node:crypto"
import { Clock, Context, Data, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import type { UserRow } from "../../http/access/Caller.ts"
import { load } from "../../platform/Commands.ts"
import type { EventStore } from "../../platform/eventStore/EventStore.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { FairQueue, type FairQueueOptions, type TooBusy } from "../../platform/work/FairQueue.ts"
import { userAggregate } from "../aggregate.ts"
import { isPassword } from "../passwords/digest.ts"
import { Users } from "../Users.ts"
import { beginMetrics, countLockout, countSignIn } from "./metrics.ts"
import { WrongTries } from "./WrongTries.ts"

/** There were too many wrong passwords; the next one is looked at in so many seconds. */
export class TooManyWrongPasswords extends Data.TaggedError("TooManyWrongPasswords")<{ readonly seconds: number }> {}

export interface Attempt {
  /** A user name or e-mail address, as sent. */
  readonly login: string
  readonly password: string
  /** What counts as one client: an address, or a network of IPv6. */
  readonly network: string
}

export interface LockoutOptions {
  /** After so many wrong passwords in a row an account is locked, for strangers; 0 for never. */
  readonly maxAttempts: number
  readonly unlockMinutes: number
}

const minuteMillis = 60_000

/** No delay for the first wrong tries, then one second, and twice as long after each further one, up to so many seconds. */
const growing =
  (free: number, maxSeconds: number) =>
  (count: number): number =>
    count < free ? 0 : Math.min(maxSeconds, 2 ** (count - free)) * 1000

/** So many accounts are known with an address from which they signed in. */
const maxKnown = 20_000

/**
 * Checking takes a tenth of a second of a processor, in one of the four threads that read files too. Callers take turns, one at a time, and
 * only the queue of each is limited; they wait as long as others do. Of the places one is always left for those who signed in before from
 * the same address, and one for others.
 */
const places: FairQueueOptions = {
  concurrency: 3,
  perCaller: 1,
  perSubject: 2,
  maxQueued: Number.POSITIVE_INFINITY,
  maxQueuedPerCaller: 25,
  timeoutMillis: 30_000
}

/** No user has this id. With it, a name that nobody has costs the same reads. */
const nobody = 0

/** The user with this password; undefined where there is none. Takes as long in both cases. */
const verify = Effect.fnUntraced(function* ({ login, password }: Attempt) {
  const user = yield* Users.use((users) => users.findByLogin(login))
  const { state } = yield* load(userAggregate, user?.id ?? nobody)
  const digest = "account" in state ? state.account.passwordDigest : null
  return (yield* isPassword(password, digest)) ? user : undefined
})

const makeSignIns = ({ maxAttempts, unlockMinutes }: LockoutOptions) => {
  const byPair = new WrongTries({ delayMillis: growing(3, 300), memoryMillis: 10 * minuteMillis })
  const byNetwork = new WrongTries({ delayMillis: growing(10, 60), memoryMillis: 10 * minuteMillis })
  const byAccount = new WrongTries({
    delayMillis: (count) => (maxAttempts > 0 && count % maxAttempts === 0 ? unlockMinutes * minuteMillis : 0),
    memoryMillis: Number.POSITIVE_INFINITY
  })
  const known = new LRUCache<string, true>({ max: maxKnown })
  const queue = new FairQueue(places)

  return Effect.fnUntraced(function* (attempt: Attempt) {
    const { login, network } = attempt
    // Of what was sent, so that nothing tells which names there are. A digest, so that long ones take no memory.
    const account = hash("sha256", login.toLowerCase(), "base64")
    const pair = `${account} ${network}`
    const isKnown = known.get(pair) === true

    const refuseIfTooSoon = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const ofLock = isKnown ? 0 : byAccount.waitMillis(account, now)
      const ofNetwork = isKnown ? 0 : byNetwork.waitMillis(network, now)
      const millis = Math.max(byPair.waitMillis(pair, now), ofNetwork, ofLock)
      if (millis === 0) return Effect.void
      const refusal = new TooManyWrongPasswords({ seconds: Math.ceil(millis / 1000) })
      return Effect.andThen(countSignIn(ofLock > 0 ? "locked" : "delayed"), Effect.fail(refusal))
    })

    const note = (isRight: boolean) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (isRight) {
          byPair.forget(pair)
          byAccount.forget(account)
          known.set(pair, true)
          return countSignIn("right")
        }
        byPair.add(pair, now)
        byNetwork.add(network, now)
        const isLocked = byAccount.add(account, now) > 0
        return Effect.andThen(countSignIn("wrong"), isLocked ? countLockout : Effect.void)
      })

    // A client that goes away neither gets the place back before its password is checked, nor tries for nothing.
    const check = Effect.uninterruptible(Effect.tap(verify(attempt), (user) => note(user !== undefined)))
    yield* refuseIfTooSoon
    const turn = isKnown ? { caller: account, subject: "known" } : { caller: network, subject: "strangers" }
    return yield* Effect.tapError(queue.run(turn, Effect.andThen(refuseIfTooSoon, check)), ({ _tag }) =>
      _tag === "TooBusy" ? countSignIn("busy") : Effect.void
    )
  }, spanned("users.signIn"))
}

/** Users with their passwords, of which wrong ones make the next wait. */
export class SignIns extends Context.Service<
  SignIns,
  {
    /**
     * The user with this password and this user name or e-mail address; undefined where there is none. Whether the account may be used is
     * not asked. A refused try is not checked, and does not count.
     */
    readonly signIn: (attempt: Attempt) => Effect.Effect<UserRow | undefined, TooBusy | TooManyWrongPasswords>
  }
>()("chronoforge/users/SignIns") {
  static readonly layer = (options: LockoutOptions): Layer.Layer<SignIns, never, EventStore | Users> =>
    Layer.effect(
      SignIns,
      Effect.map(Effect.andThen(beginMetrics, Effect.context<EventStore | Users>()), (context) => {
        const signIn = makeSignIns(options)
        return { signIn: (attempt) => Effect.provideContext(signIn(attempt), context) }
      })
    )
}
