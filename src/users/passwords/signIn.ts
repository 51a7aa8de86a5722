import { scrypt, timingSafeEqual } from "node:crypto"
import { Effect, Semaphore } from "effect"
import { load } from "../../platform/Commands.ts"
import { userAggregate } from "../aggregate.ts"
import { Users } from "../Users.ts"

const form = /^\$scrypt\$n=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/

/** Whether a password is the one of a digest that `digestPassword` made. Takes a tenth of a second, on purpose. */
const matches = (password: string, digest: string): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    const [, n, r, p, salt = "", hash = ""] = form.exec(digest) ?? []
    const [cost, expected] = [{ N: Number(n), r: Number(r), p: Number(p) }, Buffer.from(hash, "base64")]
    if (n === undefined) return resume(Effect.succeed(false))
    const maxmem = 256 * cost.N * cost.r
    scrypt(password, Buffer.from(salt, "base64"), expected.length, { ...cost, maxmem }, (error, actual) =>
      resume(error === null ? Effect.succeed(timingSafeEqual(actual, expected)) : Effect.die(error))
    )
  })

/** Checks at a time: more would take the processors from everybody else. */
const turns = Semaphore.makeUnsafe(2)

/** Without a digest to compare with, the same time is taken, so that it does not tell whether there is such a user. */
const nobody = `$scrypt$n=32768,r=8,p=1$${Buffer.alloc(16).toString("base64")}$${Buffer.alloc(32).toString("base64")}`

/**
 * The user with this password and this user name or e-mail address; undefined where there is none. Whether the account may be
 * used is not asked.
 */
export const signIn = Effect.fn("users.signIn")(function* (login: string, password: string) {
  const user = yield* Users.use((users) => users.findByLogin(login))
  const state = user === undefined ? undefined : (yield* load(userAggregate, user.id)).state
  const digest = state !== undefined && "account" in state ? state.account.passwordDigest : null
  const isRight = yield* turns.withPermit(matches(password, digest ?? nobody))
  return isRight && digest !== null ? user : undefined
})
