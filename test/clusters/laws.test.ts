import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Command, clusterAggregate } from "#src/clusters/aggregate.ts"
import { ClusterEvent, type ClusterSettings, clusterCodec, type SettingsChanges } from "#src/clusters/events.ts"
import { settingsFaults } from "#src/clusters/faults.ts"
import { foldOf, itFoldsInParts, itIsStored, stepOf } from "#test/support/aggregateLaws.ts"
import { add, atProvider, pem } from "./samples.ts"

const { decide, initial } = clusterAggregate

const text = fc.string({ maxLength: 6 })
const settings: fc.Arbitrary<ClusterSettings> = fc.record({
  name: text,
  enabled: fc.boolean(),
  managed: fc.boolean(),
  environmentScope: fc.constantFrom("*", "prod", "review/*", "?"),
  namespacePerEnvironment: fc.boolean(),
  domain: fc.option(fc.constantFrom("example.com", "a_b")),
  managementProjectId: fc.option(fc.nat(9)),
  apiUrl: fc.constantFrom("https://a.example.com", "https://b.example.com", "x"),
  namespace: fc.option(fc.constantFrom("team", "-")),
  caCert: fc.option(fc.constantFrom(pem, "x"))
})
const changes: fc.Arbitrary<SettingsChanges> = fc.oneof(
  settings,
  fc.record({ name: text, enabled: fc.boolean() }),
  fc.record({ environmentScope: text }),
  fc.constant({})
)

const { cases } = ClusterEvent
const event: fc.Arbitrary<ClusterEvent> = fc.oneof(
  fc
    .record({
      settings,
      authorizationType: fc.constantFrom("rbac", "abac", "unknown_authorization" as const),
      providerType: fc.constantFrom("user", "gcp", "aws" as const),
      provider: fc.option(fc.constantFrom(atProvider, { ...atProvider, status: "creating" as const })),
      addedBy: fc.nat(9),
      token: text
    })
    .map((data) => cases.ClusterAdded.make(data)),
  changes.map((changed) => cases.ClusterChanged.make({ changes: changed })),
  text.map((token) => cases.ClusterTokenReplaced.make({ token })),
  fc.constant(cases.ClusterRemoved.make({}))
)
const events = fc.array(event, { maxLength: 8 })

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ settings, token: text, scopeTaken: fc.boolean() }).map((input): Command => ({ ...add, ...input })),
  fc.record({ changes, scopeTaken: fc.boolean() }).map((input): Command => ({ _tag: "Change", ...input })),
  fc.constant<Command>({ _tag: "Remove" })
)

const fold = foldOf(clusterAggregate)
const step = stepOf(clusterAggregate)

describe("laws of clusters", () => {
  itFoldsInParts(fold, event)

  it("a removed cluster stays removed", () => {
    fc.assert(
      fc.property(events, events, (first, second) => {
        const before = fold(first)
        fc.pre(before._tag === "Removed")
        expect(fold(second, before)).toEqual(before)
      })
    )
  })

  it("a change that was made changes nothing the second time", () => {
    fc.assert(
      fc.property(events, changes, (history, query) => {
        const change: Command = { _tag: "Change", changes: query, scopeTaken: false }
        const state = fold(history)
        const first = decide(change, state)
        fc.pre(Result.isSuccess(first))
        expect(decide(change, fold(first.success, state))).toEqual(Result.succeed([]))
      })
    )
  })

  it("whatever commands come, nothing is wrong with the cluster that they make", () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 8 }), (commands) => {
        const state = commands.reduce(step, initial)
        expect(state._tag === "Connected" ? settingsFaults(state.cluster.settings) : []).toEqual([])
      })
    )
  })

  itIsStored(clusterCodec, event)
})
