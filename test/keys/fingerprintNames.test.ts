import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { deployKeyAggregate } from "#src/keys/deployKey/aggregate.ts"
import { releaseFingerprint, reserveFingerprint } from "#src/keys/fingerprints/names.ts"
import { userKeyAggregate } from "#src/keys/userKey/aggregate.ts"
import { handle } from "#src/platform/Commands.ts"
import { layerMemory } from "#src/platform/eventStore/memory.ts"
import { userAggregate } from "#src/users/aggregate.ts"
import { defaultProfile } from "#src/users/profile.ts"
import { deployKey, userKey } from "./samples.ts"

const text = userKey.fingerprintSha256

const reserves = (owner: string) => Effect.map(Effect.result(reserveFingerprint(text, owner)), ({ _tag }) => _tag === "Success")

const addKey = (id: number) => handle(userKeyAggregate, id, { _tag: "Add", key: userKey })

const createUser = handle(userAggregate, userKey.userId, {
  _tag: "Create",
  username: "ada",
  email: "ada@example.com",
  admin: false,
  confirmed: true,
  createdBy: null,
  profile: defaultProfile("Ada"),
  passwordDigest: null,
  namespaceId: 3
})

it.effect("belongs to one key, of a user or for deployment, as long as that is there", () =>
  Effect.gen(function* () {
    yield* createUser
    assert.isTrue(yield* reserves("key-1"))
    yield* addKey(1)
    yield* TestClock.adjust("1 hour")
    assert.isFalse(yield* reserves("key-2"))
    assert.isFalse(yield* reserves("deployKey-3"))
    yield* handle(userKeyAggregate, 1, { _tag: "Remove" })
    yield* releaseFingerprint(text, "key-1")
    assert.isTrue(yield* reserves("deployKey-3"))
    yield* handle(deployKeyAggregate, 3, { _tag: "Create", key: { ...deployKey, fingerprintSha256: text } })
    yield* TestClock.adjust("1 hour")
    assert.isFalse(yield* reserves("key-2"))
  }).pipe(Effect.provide(layerMemory))
)

it.effect("is free again when its key was never added, or removed without giving it back", () =>
  Effect.gen(function* () {
    assert.isTrue(yield* reserves("key-1"))
    assert.isFalse(yield* reserves("key-2"))
    yield* TestClock.adjust("30 seconds")
    assert.isTrue(yield* reserves("deployKey-2"))
    yield* handle(deployKeyAggregate, 2, { _tag: "Create", key: { ...deployKey, fingerprintSha256: text } })
    yield* handle(deployKeyAggregate, 2, { _tag: "Remove" })
    yield* TestClock.adjust("30 seconds")
    assert.isTrue(yield* reserves("key-3"))
  }).pipe(Effect.provide(layerMemory))
)

it.effect("is free again as soon as the user of its key is deleted", () =>
  Effect.gen(function* () {
    yield* createUser
    assert.isTrue(yield* reserves("key-1"))
    yield* addKey(1)
    assert.isFalse(yield* reserves("key-2"))
    yield* handle(userAggregate, userKey.userId, { _tag: "Delete", hardDelete: false })
    assert.isTrue(yield* reserves("key-2"))
  }).pipe(Effect.provide(layerMemory))
)
