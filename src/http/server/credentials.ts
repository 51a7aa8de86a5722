import { Result } from "effect"
import { WireError } from "../answer/errors.ts"

type Headers = Readonly<Record<string, string | undefined>>
type Raw = Readonly<Record<string, unknown>>

const ambiguous = new WireError({
  status: 400,
  body: { error: "invalid_request", error_description: "Both Authorization header and payload includes access token." }
})

const nonEmpty = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined

/** The token of `Authorization: Bearer`. Basic authentication is not accepted here. */
const bearer = (headers: Headers): string | undefined => nonEmpty(/^bearer\s+(.+)$/i.exec(headers.authorization ?? "")?.[1])

/**
 * The token that a request carries: the parameter `private_token` beats the header `PRIVATE-TOKEN`, which beats
 * `Authorization: Bearer` and the parameter `access_token`, of which only one may be sent.
 */
export const credentialOf = (headers: Headers, raw: Raw): Result.Result<string | undefined, WireError> => {
  const [authorization, parameter] = [bearer(headers), nonEmpty(raw.access_token)]
  if (authorization !== undefined && parameter !== undefined) return Result.fail(ambiguous)
  return Result.succeed(nonEmpty(raw.private_token) ?? nonEmpty(headers["private-token"]) ?? authorization ?? parameter)
}

/** The id or user name of the user to act as. */
export const sudoOf = (headers: Headers, raw: Raw): string | undefined => {
  const parameter = typeof raw.sudo === "number" ? String(raw.sudo) : nonEmpty(raw.sudo)
  return parameter ?? nonEmpty(headers.sudo)
}
