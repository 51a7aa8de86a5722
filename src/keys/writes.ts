import { Clock, Effect } from "effect"
import { defined } from "../kernel/defined.ts"
import { guardOf, handle, load } from "../platform/Commands.ts"
import { nextId } from "../platform/Ids.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { creates } from "../platform/repeats.ts"
import { deployKeyAggregate, type Use } from "./deployKey/aggregate.ts"
import { KeyInvalid, OwnerMissing } from "./errors.ts"
import { fingerprintIsTaken, keyFaults } from "./faults.ts"
import { releaseFingerprint, reserveFingerprint } from "./fingerprints/names.ts"
import { deployKeyStream, userKeyStream } from "./ids.ts"
import { isDeleted } from "./owner.ts"
import { KeyQueries } from "./Queries.ts"
import { parseSshPublicKey } from "./sshPublicKey.ts"
import { userKeyAggregate } from "./userKey/aggregate.ts"
import type { UsageType } from "./userKey/events.ts"

export interface KeyInput {
  readonly title: string
  readonly text: string
  readonly expiresAt: number | null
}

/** The attributes of an acceptable key; fails with everything that is wrong with it. */
const accepted = Effect.fnUntraced(function* ({ title, text, expiresAt }: KeyInput) {
  const key = parseSshPublicKey(text)
  const isTaken = key !== undefined && (yield* KeyQueries.use((keys) => keys.hasFingerprint(key.fingerprintSha256)))
  const faults = keyFaults({ title, text, key, expiresAt }, yield* Clock.currentTimeMillis)
  const all = isTaken ? [...faults, fingerprintIsTaken] : faults
  if (key === undefined || all.length > 0) return yield* new KeyInvalid({ faults: all })
  const { fingerprint, fingerprintSha256 } = key
  return { title, key: key.text, fingerprint, fingerprintSha256, expiresAt }
})

/** Removes a key of a user; anybody may add it again. */
export const removeUserKey = Effect.fnUntraced(function* (id: number) {
  const { state } = yield* load(userKeyAggregate, id)
  const handled = yield* handle(userKeyAggregate, id, { _tag: "Remove" })
  if (state._tag === "Present") yield* releaseFingerprint(state.fingerprintSha256, userKeyStream(id))
  return handled
}, spanned("keys.removeUserKey"))

type UserKeyInput = KeyInput & { readonly userId: number; readonly usageType: UsageType }

const addedUserKey = Effect.fnUntraced(function* (input: UserKeyInput) {
  const key = { ...(yield* accepted(input)), userId: input.userId, usageType: input.usageType }
  const id = yield* nextId("key")
  const stream = userKeyStream(id)
  const guard = yield* guardOf(reserveFingerprint(key.fingerprintSha256, stream))
  const handled = yield* handle(userKeyAggregate, id, { _tag: "Add", key }, { guard }).pipe(
    Effect.tapError(() => releaseFingerprint(key.fingerprintSha256, stream))
  )
  if (!(yield* isDeleted(input.userId))) return { ...handled, id }
  yield* removeUserKey(id)
  return yield* new OwnerMissing()
})

/** Adds a key of a user. One who is deleted meanwhile has no key then: their end may stand in the log before the key. */
export const addUserKey = (input: UserKeyInput) => spanned("keys.addUserKey")(creates(userKeyAggregate, addedUserKey(input)))

/** Creates a deploy key: one that all projects may use, or one for a project. */
export const createDeployKey = Effect.fnUntraced(function* (
  input: KeyInput & { readonly creatorId: number },
  use?: Omit<Use, "linkId">
) {
  const key = { ...(yield* accepted(input)), creatorId: input.creatorId, public: use === undefined }
  const id = yield* nextId("key")
  const linked = defined({ use: use && { ...use, linkId: yield* nextId("deploy_key_project") } })
  const stream = deployKeyStream(id)
  const guard = yield* guardOf(reserveFingerprint(key.fingerprintSha256, stream))
  const handled = yield* handle(deployKeyAggregate, id, { _tag: "Create", key, ...linked }, { guard }).pipe(
    Effect.tapError(() => releaseFingerprint(key.fingerprintSha256, stream))
  )
  return { ...handled, id }
}, spanned("keys.createDeployKey"))

/** Lets a project use a deploy key that is there. */
export const enableDeployKey = Effect.fnUntraced(function* (id: number, use: Omit<Use, "linkId">) {
  const linkId = yield* nextId("deploy_key_project")
  return { ...(yield* handle(deployKeyAggregate, id, { _tag: "Enable", ...use, linkId })), id }
}, spanned("keys.enableDeployKey"))

/** Ends the use of a deploy key by a project. Of a key that goes with it, anybody may make another one. */
export const disableDeployKey = Effect.fnUntraced(function* (id: number, projectId: number) {
  const { state } = yield* load(deployKeyAggregate, id)
  const handled = yield* handle(deployKeyAggregate, id, { _tag: "Disable", projectId })
  if (state._tag === "Present" && handled.state._tag === "Removed") {
    yield* releaseFingerprint(state.deployKey.fingerprintSha256, deployKeyStream(id))
  }
  return handled
}, spanned("keys.disableDeployKey"))
