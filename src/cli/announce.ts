import { Console, Effect } from "effect"
import type { RootToken } from "../bootstrap.ts"
import type { Settings } from "../config.ts"

const nameOf = ({ source }: RootToken): string => (source._tag === "File" ? source.path : "ROOT_TOKEN")

const aboutToken = (url: string, token: RootToken): ReadonlyArray<string> => {
  const { isRevoked, source } = token
  if (isRevoked) return [`The token of root, ${nameOf(token)}, was revoked. Another one: npx chronoforge token create root`]
  const shell = source._tag === "File" ? `$(cat ${source.path})` : "$ROOT_TOKEN"
  return [
    source._tag === "File" ? `The token of root is in ${source.path}` : "The token of root is the value of ROOT_TOKEN",
    `Try it: curl --header "PRIVATE-TOKEN: ${shell}" ${url}/api/v4/user`
  ]
}

const warnOfEarlier = ({ earlier }: RootToken) =>
  earlier.length === 0
    ? Effect.void
    : Effect.logWarning(
        `Tokens of root that earlier starts made still work: ${earlier.join(", ")}. If they should not: npx chronoforge token revoke ${earlier[0]}`
      )

/** Says where the service listens, and how to be let in: for people on a terminal; where every line has to be JSON, the same as a log line. */
export const announce = (url: string, token: RootToken, { logFormat }: Settings): Effect.Effect<void> => {
  const line = Effect.annotateLogs(Effect.logInfo("Chronoforge listens"), {
    url: `${url}/api/v4`,
    reference: `${url}/-/docs`,
    root_secret: token.isRevoked ? "revoked" : nameOf(token)
  })
  const first = `Chronoforge listens at ${url}/api/v4, its reference is at ${url}/-/docs`
  const said = logFormat === "json" ? line : Console.log([first, ...aboutToken(url, token)].join("\n"))
  return Effect.andThen(said, warnOfEarlier(token))
}
