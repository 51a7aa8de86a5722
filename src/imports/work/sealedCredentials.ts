import { Effect, Schema } from "effect"
import { Secrets } from "../../platform/secrets/Secrets.ts"
import { importStream } from "../ids.ts"

/** The form in which credentials are sealed. */
export const Credentials = Schema.Struct({ user: Schema.String, password: Schema.String })
const text = Schema.fromJsonString(Credentials)

/** Seals credentials for the log. */
export const sealCredentials = Effect.fnUntraced(function* (projectId: number, credentials: typeof Credentials.Type | null) {
  if (credentials === null) return null
  const encoded = yield* Effect.orDie(Schema.encodeEffect(text)(credentials))
  return yield* Secrets.use((secrets) => secrets.seal(importStream(projectId), encoded))
})

/** What was sealed; undefined when it cannot be read any more. */
export const openCredentials = Effect.fnUntraced(function* (projectId: number, sealed: string | null) {
  if (sealed === null) return null
  const opened = yield* Secrets.use((secrets) => secrets.open(importStream(projectId), sealed))
  return opened === undefined ? undefined : yield* Effect.orDie(Schema.decodeEffect(text)(opened))
})
