import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { connect } from "#src/platform/eventStore/eventStoreDb/url.ts"

const example = "Example: esdb://user:password@host:2113?tls=true"

const accepted = [
  "esdb://host",
  "esdb://host:2113?tls=false",
  "esdb+discover://user:secret@one,two:2114?nodePreference=leader&keepAliveInterval=10000",
  " kurrentdb://host:2113?tls=false&connectionName=chronoforge ",
  "kurrentdb+discover://user:secret@host",
  "kdb://host"
]

const refused: ReadonlyArray<readonly [url: string, message: string]> = [
  ["", "expected esdb:// or esdb+discover:// at character 1"],
  ["http://user:secret@host", "expected esdb:// or esdb+discover:// at character 1"],
  ["esdb://user:secret@host:port", "expected port number at character 25"],
  ["esdb://user:secret@", "expected host at character 20"],
  ["esdb://user:secret@host?tls=perhaps", "expected true or false at character 29"],
  ["esdb://user:secret@host?colour=red", `unknown option "colour"`],
  ["esdb://user:secret@host?tlsVerifyCert=false", "tlsVerifyCert=false is not supported: name the certificate with tlsCAFile"],
  ["esdb://user:secret@host?tlsCAFile=/absent", "Failed to load certificate file. File was not found"]
]

it.effect.each(accepted)("accepts %s", (url) =>
  Effect.flatMap(connect(Redacted.make(url)), (client) => Effect.promise(client.dispose))
)

it.effect.each(refused)("refuses %s without repeating it", ([url, reason]) =>
  Effect.gen(function* () {
    const { message } = yield* Effect.flip(connect(Redacted.make(url)))
    assert.strictEqual(message, `EVENTSTORE_URL: ${reason}. ${example}`)
    assert.notInclude(message, "secret")
  })
)
