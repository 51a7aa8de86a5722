import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { deployKeyAggregate } from "#src/keys/deployKey/aggregate.ts"
import { DeployKeyEvent, deployKeyCodec } from "#src/keys/deployKey/events.ts"
import { userKeyAggregate } from "#src/keys/userKey/aggregate.ts"
import { UserKeyEvent, userKeyCodec } from "#src/keys/userKey/events.ts"
import { foldOf, itFoldsInParts, itIsStored } from "#test/support/aggregateLaws.ts"
import { deployKey, keyAdded, userKey } from "./samples.ts"

const link = fc.record({ projectId: fc.integer({ min: 1, max: 3 }), linkId: fc.integer({ min: 1, max: 9 }) })
const linkWithRight = fc.tuple(link, fc.boolean()).map(([ids, canPush]) => ({ ...ids, canPush }))

describe("laws of deploy keys", () => {
  const { cases } = DeployKeyEvent
  const event: fc.Arbitrary<DeployKeyEvent> = fc.oneof(
    fc.boolean().map((isPublic) => cases.DeployKeyCreated.make({ ...deployKey, public: isPublic })),
    fc.string().map((title) => cases.DeployKeyRetitled.make({ title })),
    linkWithRight.map((data) => cases.DeployKeyEnabled.make(data)),
    linkWithRight.map((data) => cases.DeployKeyPushRightChanged.make(data)),
    link.map((data) => cases.DeployKeyDisabled.make(data)),
    fc.constant(cases.DeployKeyRemoved.make({}))
  )
  const fold = foldOf(deployKeyAggregate)

  itFoldsInParts(fold, event)
  itIsStored(deployKeyCodec, event)

  it("a removed key stays removed", () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        expect(fold(events, { _tag: "Removed" })).toEqual({ _tag: "Removed" })
      })
    )
  })
})

describe("laws of keys of users", () => {
  const event = fc.constantFrom<UserKeyEvent>(
    keyAdded,
    UserKeyEvent.cases.SshKeyAdded.make({ ...userKey, userId: 8, usageType: "signing", expiresAt: 1_751_284_800_000 }),
    UserKeyEvent.cases.SshKeyRemoved.make({})
  )
  const fold = foldOf(userKeyAggregate)

  itFoldsInParts(fold, event)
  itIsStored(userKeyCodec, event)

  it("a removed key stays removed", () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        expect(fold(events, { _tag: "Removed" })).toEqual({ _tag: "Removed" })
      })
    )
  })
})
