import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { Effect } from "effect"

const cost = { N: 2 ** 15, r: 8, p: 1 }
const hashBytes = 32
const saltBytes = 16
/** scrypt needs 128 · N · r bytes, and a little more. */
const memory = 256 * cost.N * cost.r

/**
 * The scrypt digest of a password under a new salt, as `$scrypt$n=32768,r=8,p=1$<salt>$<hash>` with both parts in Base64.
 * The text holds all that is needed to check a password, so the cost can be raised later.
 */
export const digestPassword = (password: string): Effect.Effect<string> =>
  Effect.callback<string>((resume) => {
    const salt = randomBytes(saltBytes)
    scrypt(password, salt, hashBytes, { ...cost, maxmem: memory }, (error, hash) => {
      if (error !== null) return resume(Effect.die(error))
      const parameters = `n=${cost.N},r=${cost.r},p=${cost.p}`
      resume(Effect.succeed(`$scrypt$${parameters}$${salt.toString("base64")}$${hash.toString("base64")}`))
    })
  })

const form = /^\$scrypt\$n=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/

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

/** The digest that is checked when there is no user, so that the time does not tell whether there is one. */
const dummyDigest = `$scrypt$n=32768,r=8,p=1$${Buffer.alloc(16).toString("base64")}$${Buffer.alloc(32).toString("base64")}`

/**
 * Whether a password is the one of a digest that `digestPassword` made; never for null. Takes a tenth of a second, on purpose.
 */
export const isPassword = (password: string, digest: string | null): Effect.Effect<boolean> =>
  Effect.map(matches(password, digest ?? dummyDigest), (isRight) => isRight && digest !== null)
