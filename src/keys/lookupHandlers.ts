import { Effect } from "effect"
import { badRequest, notFound, thingNotFound } from "../http/answer/errors.ts"
import { ok } from "../http/answer/Reply.ts"
import { route } from "../http/Endpoint.ts"
import { findKey, readKey } from "./contract.ts"
import { parseFingerprint } from "./fingerprint.ts"
import { presentFound, presentKeyWithUser } from "./present.ts"
import { KeyQueries } from "./Queries.ts"

/** The id that a text is; undefined for anything else, and for numbers that no id can be. */
const idIn = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

const read = route(
  readKey,
  Effect.fnUntraced(function* ({ parameters, request }) {
    const keys = yield* KeyQueries
    const id = idIn(parameters.id ?? "")
    const found = id === undefined ? undefined : yield* keys.find(id)
    return found === undefined ? yield* notFound : ok(presentKeyWithUser(found, request.externalUrl))
  })
)

// Gap: the reference fails on an empty fingerprint; here it is malformed like any other.
const find = route(
  findKey,
  Effect.fnUntraced(function* ({ parameters, request }) {
    const fingerprint = parseFingerprint(parameters.fingerprint ?? "")
    if (fingerprint === undefined) return yield* badRequest("Failed to return the key")
    const found = yield* KeyQueries.use((keys) => keys.findByFingerprint(fingerprint))
    return found === undefined ? yield* thingNotFound("Key") : ok(presentFound(found, request.externalUrl))
  })
)

export const lookupRoutes = [read, find]
