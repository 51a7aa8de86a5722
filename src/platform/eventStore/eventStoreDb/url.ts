import { EventStoreDBClient } from "@eventstore/db-client"
import { Effect, Redacted } from "effect"
import { StartError } from "../../../kernel/StartError.ts"

/** The error never repeats the address, which may hold a password. */
const refusal = (reason: string) =>
  new StartError({ message: `EVENTSTORE_URL: ${reason}. Example: esdb://user:password@host:2113?tls=true` })

/** Options that the client knows, as it compares them: without case, `_` and `-`. */
const options = new Set([
  "connectionname",
  "defaultdeadline",
  "discoveryinterval",
  "gossiptimeout",
  "keepaliveinterval",
  "keepalivetimeout",
  "maxdiscoverattempts",
  "nodepreference",
  "throwonappendfailure",
  "tls",
  "tlscafile",
  "tlsverifycert",
  "usercertfile",
  "userkeyfile"
])

const flat = (name: string) => name.trim().toLowerCase().replace(/[_-]/g, "")

/** What is wrong with the options. The client would answer unknown ones by printing the whole address. */
const optionProblem = (query: string): string | undefined => {
  const pairs = query.split("&").map((pair) => pair.split("="))
  const unknown = pairs.find(([name = ""]) => !options.has(flat(name)))
  if (unknown !== undefined) return `unknown option "${unknown[0]}"`
  const unverified = pairs.some(([name = "", value]) => flat(name) === "tlsverifycert" && value === "false")
  return unverified ? "tlsVerifyCert=false is not supported: name the certificate with tlsCAFile" : undefined
}

const isParseError = (error: unknown): error is { readonly expected: string; readonly location: readonly [number, number] } =>
  typeof error === "object" && error !== null && "expected" in error && "location" in error

const reasonOf = (error: unknown): string => {
  if (isParseError(error)) return `expected ${error.expected} at character ${error.location[0] + 1}`
  return error instanceof Error ? error.message.replace(/\.$/, "") : "the client refuses it"
}

/**
 * Of several hosts behind `esdb+discover://`, the client asks the first one alone who leads, which may be the one that is gone. It asks
 * all of them in turn when they stand behind `esdb://`.
 */
const askingAllHosts = (address: string): string => address.replace(/^esdb\+discover:(?=\/\/[^/?]*,)/, "esdb:")

/** A client for `esdb://`, `esdb+discover://` and the same with `kurrentdb` or `kdb`. It connects when it is first used. */
export const connect = (url: Redacted.Redacted<string>): Effect.Effect<EventStoreDBClient, StartError> =>
  Effect.suspend(() => {
    const address = Redacted.value(url)
      .trim()
      .replace(/^(?:kurrentdb|kdb)(?=\+discover:\/\/|:\/\/)/, "esdb")
    const query = address.indexOf("?")
    const problem = query === -1 ? undefined : optionProblem(address.slice(query + 1))
    if (problem !== undefined) return Effect.fail(refusal(problem))
    return Effect.try({
      try: () => EventStoreDBClient.connectionString(askingAllHosts(address)),
      catch: (error) => refusal(reasonOf(error))
    })
  })
