import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { DeployKeyEvent, deployKeyCodec } from "#src/keys/deployKey/events.ts"
import { evolve as evolveDeployKey } from "#src/keys/deployKey/evolve.ts"
import { type State as DeployState, initial as initialDeployKey } from "#src/keys/deployKey/state.ts"
import { UserKeyEvent, userKeyCodec } from "#src/keys/userKey/events.ts"
import { evolve } from "#src/keys/userKey/evolve.ts"
import { initial, type State } from "#src/keys/userKey/state.ts"
import type { EventCodec } from "#src/platform/eventStore/codec.ts"
import { deployKey, keyAdded, userKey } from "./samples.ts"

const link = fc.record({ projectId: fc.integer({ min: 1, max: 3 }), linkId: fc.integer({ min: 1, max: 9 }) })
const linkWithRight = fc.tuple(link, fc.boolean()).map(([ids, canPush]) => ({ ...ids, canPush }))

const { cases } = DeployKeyEvent
const deployKeyEvents = fc.array(
  fc.oneof(
    fc.boolean().map((isPublic) => cases.DeployKeyCreated.make({ ...deployKey, public: isPublic })),
    fc.string().map((title) => cases.DeployKeyRetitled.make({ title })),
    linkWithRight.map((data) => cases.DeployKeyEnabled.make(data)),
    linkWithRight.map((data) => cases.DeployKeyPushRightChanged.make(data)),
    link.map((data) => cases.DeployKeyDisabled.make(data)),
    fc.constant(cases.DeployKeyRemoved.make({}))
  ),
  { maxLength: 10 }
)
const userKeyEvents = fc.array(
  fc.constantFrom<UserKeyEvent>(
    keyAdded,
    UserKeyEvent.cases.SshKeyAdded.make({ ...userKey, userId: 8, usageType: "signing", expiresAt: 1_751_284_800_000 }),
    UserKeyEvent.cases.SshKeyRemoved.make({})
  ),
  { maxLength: 6 }
)

const foldUserKey = (events: ReadonlyArray<UserKeyEvent>, from: State = initial) => events.reduce(evolve, from)
const foldDeployKey = (events: ReadonlyArray<DeployKeyEvent>, from: DeployState = initialDeployKey) =>
  events.reduce(evolveDeployKey, from)

const stored = <Event>(codec: EventCodec<Event>, event: Event) =>
  codec.decode({
    ...JSON.parse(JSON.stringify(codec.encode(event))),
    id: "018f0000-0000-7000-8000-000000000000",
    metadata: { actor: "user:1", commandId: "c", correlationId: "r" },
    stream: "key-1",
    revision: 0,
    position: 1,
    at: 0,
    hash: ""
  })

describe("laws of keys", () => {
  it("folding in two parts equals folding at once", () => {
    fc.assert(
      fc.property(userKeyEvents, userKeyEvents, (first, second) => {
        expect(foldUserKey(second, foldUserKey(first))).toEqual(foldUserKey([...first, ...second]))
      })
    )
    fc.assert(
      fc.property(deployKeyEvents, deployKeyEvents, (first, second) => {
        expect(foldDeployKey(second, foldDeployKey(first))).toEqual(foldDeployKey([...first, ...second]))
      })
    )
  })

  it("removed keys stay removed", () => {
    fc.assert(
      fc.property(userKeyEvents, (events) => {
        expect(foldUserKey(events, { _tag: "Removed" })).toEqual({ _tag: "Removed" })
      })
    )
    fc.assert(
      fc.property(deployKeyEvents, (events) => {
        expect(foldDeployKey(events, { _tag: "Removed" })).toEqual({ _tag: "Removed" })
      })
    )
  })

  it("every event survives storage", () => {
    fc.assert(
      fc.property(userKeyEvents, (events) => {
        for (const event of events) expect(stored(userKeyCodec, event)).toEqual(Result.succeed(event))
      })
    )
    fc.assert(
      fc.property(deployKeyEvents, (events) => {
        for (const event of events) expect(stored(deployKeyCodec, event)).toEqual(Result.succeed(event))
      })
    )
  })
})
