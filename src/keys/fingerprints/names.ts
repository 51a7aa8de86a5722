import { Effect } from "effect"
import { load } from "../../platform/Commands.ts"
import type { EventStore } from "../../platform/eventStore/EventStore.ts"
import { type Name, type NameTaken, release, reserve } from "../../platform/Reservations.ts"
import { deployKeyAggregate } from "../deployKey/aggregate.ts"
import { KeyInvalid } from "../errors.ts"
import { fingerprintIsTaken } from "../faults.ts"
import { deployKeyIdOf, userKeyIdOf } from "../ids.ts"
import { isDeleted } from "../owner.ts"
import { userKeyAggregate } from "../userKey/aggregate.ts"

/** Keys of users and deploy keys share one space of fingerprints. */
const nameOf = (sha256: string): Name => ({ kind: "ssh-key-fingerprint", text: sha256 })

/** Keys end with their users, whose events say so. */
const userKeyHolds = Effect.fnUntraced(function* (id: number, sha256: string) {
  const { state } = yield* load(userKeyAggregate, id)
  return state._tag === "Present" && state.fingerprintSha256 === sha256 && !(yield* isDeleted(state.userId))
})

const deployKeyHolds = (id: number, sha256: string) =>
  Effect.map(
    load(deployKeyAggregate, id),
    ({ state }) => state._tag === "Present" && state.deployKey.fingerprintSha256 === sha256
  )

const stillHeld = (sha256: string) => (owner: string) => {
  const [userKeyId, deployKeyId] = [userKeyIdOf(owner), deployKeyIdOf(owner)]
  if (userKeyId !== undefined) return userKeyHolds(userKeyId, sha256)
  return deployKeyId === undefined ? Effect.succeed(true) : deployKeyHolds(deployKeyId, sha256)
}

/** Whether the name belongs to the key of a user who is deleted: nothing gave it back, and nobody will hold it again. */
const endedWithUser = Effect.fnUntraced(function* (owner: string) {
  const id = userKeyIdOf(owner)
  if (id === undefined) return false
  const { state } = yield* load(userKeyAggregate, id)
  return state._tag === "Present" && (yield* isDeleted(state.userId))
})

export const releaseFingerprint = (sha256: string, owner: string): Effect.Effect<void, never, EventStore> =>
  release(nameOf(sha256), owner, stillHeld(sha256)(owner))

/** Gives the name back if its key ended with a user; fails with `NameTaken` otherwise. */
const releaseEnded = Effect.fnUntraced(function* (sha256: string, taken: NameTaken) {
  if (!(yield* endedWithUser(taken.owner))) return yield* taken
  yield* releaseFingerprint(sha256, taken.owner)
})

export const reserveFingerprint = (sha256: string, owner: string) => {
  const reserving = reserve(nameOf(sha256), owner, stillHeld(sha256))
  return reserving.pipe(
    Effect.catchTag("NameTaken", (taken) => Effect.andThen(releaseEnded(sha256, taken), reserving)),
    Effect.mapError(() => new KeyInvalid({ faults: [fingerprintIsTaken] }))
  )
}
