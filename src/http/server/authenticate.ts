import { Clock, Effect } from "effect"
import { Authenticator, type KnownToken } from "../access/Authenticator.ts"
import type { Caller } from "../access/Caller.ts"
import {
  forbidden,
  forbiddenBecause,
  insufficientScope,
  thingNotFound,
  tokenError,
  unauthorized,
  type WireError
} from "../answer/errors.ts"
import { isoDate } from "../answer/jsonTimes.ts"
import type { Access, Endpoint } from "../Endpoint.ts"
import type { RawParameters } from "../parameters/rawParameters.ts"
import { credentialOf, sudoOf } from "./credentials.ts"

export interface Credentials {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly raw: RawParameters
  /** GET and HEAD, which scopes for reading suffice for. */
  readonly isRead: boolean
  readonly endpoint: Pick<Endpoint, "readScopes" | "anyScope" | "detectsReuse">
}

const expired = tokenError("invalid_token", "Token is expired. You can either do re-authorization or token refresh.")
const revoked = tokenError("invalid_token", "Token was revoked. You have to re-authorize from the user.")

const tokenRefusal = (token: KnownToken, { endpoint, isRead }: Credentials, today: string): WireError | undefined => {
  if (token.expiresAt !== null && token.expiresAt <= today) return expired
  if (token.revoked) return revoked
  if (endpoint.anyScope === true) return undefined
  const reading = [...(endpoint.readScopes ?? []), "api", "read_api"]
  const sufficient = isRead ? reading : ["api"]
  return token.scopes.some((scope) => sufficient.includes(scope)) ? undefined : insufficientScope(reading)
}

/** Nobody is called what the database takes for no text. */
const isName = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

const assume = Effect.fnUntraced(function* (caller: Caller, requested: string) {
  if (!caller.user.admin) return yield* forbiddenBecause("Must be admin to use sudo")
  if (!caller.scopes.includes("sudo")) return yield* insufficientScope(["sudo"])
  const authenticator = yield* Authenticator
  const user = isName(requested) ? yield* authenticator.findUser(requested) : undefined
  if (user === undefined) return yield* thingNotFound(`User with ID or username '${requested}'`)
  return { ...caller, user, sudoer: caller.user } satisfies Caller
})

/** The caller; undefined without a token. A token that may not be used is refused, also where none is needed. */
export const authenticate: (credentials: Credentials) => Effect.Effect<Caller | undefined, WireError, Authenticator> =
  Effect.fnUntraced(function* (credentials) {
    const text = yield* Effect.fromResult(credentialOf(credentials.headers, credentials.raw))
    const sudo = sudoOf(credentials.headers, credentials.raw)
    if (text === undefined) return sudo === undefined ? undefined : yield* unauthorized
    const authenticator = yield* Authenticator
    const token = yield* authenticator.findToken(text)
    if (token === undefined) return yield* unauthorized
    const refusal = tokenRefusal(token, credentials, isoDate(yield* Clock.currentTimeMillis))
    if (refusal === revoked && credentials.endpoint.detectsReuse === true) yield* authenticator.revokeSuccessors(token)
    if (refusal !== undefined) return yield* refusal
    const account = authenticator.accountRefusal(token.user)
    if (account !== undefined) return yield* forbiddenBecause(account)
    const caller: Caller = { user: token.user, tokenId: token.tokenId, scopes: token.scopes }
    yield* authenticator.noteUse(token)
    return sudo === undefined ? caller : yield* assume(caller, sudo)
  })

/** The gate of an endpoint, in front of its parameters. */
export const gate = (access: Access, caller: Caller | undefined): WireError | undefined => {
  if (access === "anyone" || access === "validatedAdministrator") return undefined
  if (caller === undefined) return unauthorized
  return access === "administrator" && !caller.user.admin ? forbidden : undefined
}

/** The gate behind its parameters. */
export const lateGate = (access: Access, caller: Caller | undefined): WireError | undefined => {
  if (access !== "administratorLast" && access !== "validatedAdministrator") return undefined
  if (caller === undefined) return unauthorized
  return caller.user.admin ? undefined : forbidden
}
