import { Effect } from "effect"
import { invalidRecord, thingNotFound, type WireError } from "../http/answer/errors.ts"
import { presentFaults } from "../http/answer/faults.ts"
import type { Refusal as DeployKeyRefusal } from "./deployKey/aggregate.ts"
import type { KeyInvalid, OwnerMissing } from "./errors.ts"
import type { Refusal as UserKeyRefusal } from "./userKey/aggregate.ts"

type Refusal = KeyInvalid | OwnerMissing | UserKeyRefusal | DeployKeyRefusal

/** Answers the refusals of writes. A new id that is in use already is a defect. */
export const refuse = <A, R>(written: Effect.Effect<A, Refusal | WireError, R>) =>
  Effect.catchTags(written, {
    KeyInvalid: ({ faults }) => Effect.fail(invalidRecord(presentFaults(faults))),
    OwnerMissing: () => Effect.fail(thingNotFound("User")),
    KeyMissing: () => Effect.fail(thingNotFound("Key")),
    DeployKeyMissing: () => Effect.fail(thingNotFound("Deploy Key")),
    NotEnabled: () => Effect.fail(thingNotFound("Deploy Key")),
    KeyExists: (refusal) => Effect.die(refusal),
    DeployKeyExists: (refusal) => Effect.die(refusal)
  })
