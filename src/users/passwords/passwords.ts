import { randomBytes, scrypt } from "node:crypto"
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
