import { Effect } from "effect"
import type { UserRow } from "../../http/access/Caller.ts"
import { requireUnmodified } from "../../http/answer/conditional.ts"
import { thingNotFound } from "../../http/answer/errors.ts"
import { pageOf, type Slice } from "../../http/answer/pagination.ts"
import { noContent, ok, page } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import type { Decoded } from "../../http/parameters/parameters.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"
import { changes } from "../../platform/repeats.ts"
import { Users } from "../../users/Users.ts"
import {
  addKeyForUser,
  addOwnKey,
  deleteOwnKey,
  deleteUserKey,
  listOwnKeys,
  listUserKeys,
  readOwnKey,
  readUserKey
} from "../contract.ts"
import { presentKey } from "../present.ts"
import { KeyQueries } from "../Queries.ts"
import { refuse } from "../refuse.ts"
import { userKeyAggregate } from "../userKey/aggregate.ts"
import { addUserKey, removeUserKey } from "../writes.ts"

const keyNotFound = thingNotFound("Key")

const requireUser = Effect.fnUntraced(function* (id: number | null) {
  const users = yield* Users
  const user = id === null ? undefined : yield* users.find(id)
  return user ?? (yield* thingNotFound("User"))
})

const requireKey = Effect.fnUntraced(function* (userId: number, keyId: number | null) {
  const keys = yield* KeyQueries
  const row = keyId === null ? undefined : yield* keys.findOfUser(userId, keyId)
  return row ?? (yield* keyNotFound)
})

const listKeys = Effect.fnUntraced(function* (user: UserRow, slice: Slice, request: RequestInfo) {
  const { rows, total } = yield* KeyQueries.use((keys) => keys.listOfUser(user.id, slice))
  return page(
    rows.map((row) => presentKey(row, user, request.externalUrl)),
    total
  )
})

const showKey = (user: UserRow, keyId: number | null, request: RequestInfo) =>
  Effect.map(requireKey(user.id, keyId), (row) => ok(presentKey(row, user, request.externalUrl)))

const addKey = Effect.fnUntraced(function* (
  user: UserRow,
  parameters: Decoded<(typeof addOwnKey)["parameters"]>,
  request: RequestInfo
) {
  const { key, title, expires_at, usage_type: usageType } = parameters
  const keyInput = { userId: user.id, title: title ?? "", text: key ?? "", expiresAt: expires_at ?? null, usageType }
  const written = yield* refuse(addUserKey(keyInput))
  yield* awaitReadModels(written)
  return yield* showKey(user, written.id, request)
})

const deleteKey = Effect.fnUntraced(function* (userId: number, keyId: number | null, request: RequestInfo) {
  const id = keyId ?? (yield* keyNotFound)
  const unmodified = Effect.flatMap(requireKey(userId, id), ({ updated_at }) => requireUnmodified(updated_at, request))
  yield* changes(userKeyAggregate, id, unmodified)
  yield* awaitReadModels(yield* refuse(removeUserKey(id)))
  return noContent
})

const own = [
  route(listOwnKeys, ({ parameters, caller, request }) => listKeys(caller.user, pageOf(parameters), request)),
  route(readOwnKey, ({ parameters, caller, request }) => showKey(caller.user, parameters.key_id, request)),
  route(addOwnKey, ({ parameters, caller, request }) => addKey(caller.user, parameters, request)),
  route(deleteOwnKey, ({ parameters, caller, request }) => deleteKey(caller.user.id, parameters.key_id, request))
]

/** Public keys are public: anyone may read those of any user. */
const ofUsers = [
  route(
    listUserKeys,
    Effect.fnUntraced(function* ({ parameters, request }) {
      const user = yield* Users.use((users) => users.findByIdOrUsername(parameters.user_id ?? ""))
      return yield* user === undefined ? thingNotFound("User") : listKeys(user, pageOf(parameters), request)
    })
  ),
  route(readUserKey, ({ parameters, request }) =>
    Effect.flatMap(requireUser(parameters.id), (user) => showKey(user, parameters.key_id, request))
  ),
  route(
    addKeyForUser,
    Effect.fnUntraced(function* ({ parameters, request }) {
      return yield* addKey(yield* requireUser(parameters.user_id), parameters, request)
    })
  ),
  route(
    deleteUserKey,
    Effect.fnUntraced(function* ({ parameters, request }) {
      const { id } = yield* requireUser(parameters.id)
      return yield* deleteKey(id, parameters.key_id, request)
    })
  )
]

export const userKeyRoutes = [...own, ...ofUsers]
