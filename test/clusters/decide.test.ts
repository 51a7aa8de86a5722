import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { type Change, type Cluster, type Command, clusterAggregate, type Refusal, type State } from "#src/clusters/aggregate.ts"
import { type ClusterEvent, ClusterEvent as Event } from "#src/clusters/events.ts"
import { additionFaults, type ClusterFault } from "#src/clusters/faults.ts"
import { itDecides, outcomeOf } from "#test/support/decisions.ts"
import { add, added, atProvider, change, cluster, pem, settings, states } from "./samples.ts"

const { decide } = clusterAggregate

type Expected = ReadonlyArray<ClusterEvent> | Refusal["_tag"]

const event = Event.cases

const commands: { readonly [Tag in Command["_tag"]]: Command } = { Add: add, Change: change, Remove: { _tag: "Remove" } }

const table: Record<State["_tag"], Record<Command["_tag"], Expected>> = {
  Absent: { Add: [added], Change: "ClusterMissing", Remove: "ClusterMissing" },
  Connected: {
    Add: "ClusterExists",
    Change: [event.ClusterChanged.make({ changes: { name: "production" } })],
    Remove: [event.ClusterRemoved.make({})]
  },
  Removed: { Add: "ClusterExists", Change: "ClusterMissing", Remove: "ClusterMissing" }
}

const outcome = outcomeOf(clusterAggregate)

describe("every command in every state", () => {
  itDecides(outcome, { commands, states, table })
})

const faults = (command: Command, state: State): ReadonlyArray<ClusterFault> =>
  Result.match(decide(command, state), {
    onFailure: (refusal) => (refusal._tag === "ClusterInvalid" ? refusal.faults : []),
    onSuccess: () => []
  })

describe("a new cluster", () => {
  it("is told everything that is wrong with it at once", () => {
    const wrong = {
      ...settings,
      name: " ",
      environmentScope: "a?",
      domain: "a_b",
      apiUrl: "ftp://x",
      caCert: "x",
      namespace: "-"
    }
    const expected = [
      { attribute: "name", text: " has to be present" },
      { attribute: "domain", text: "contains invalid characters (valid characters: [a-z0-9\\-])" },
      {
        attribute: "environmentScope",
        text: "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', '*' and spaces"
      },
      { attribute: "apiUrl", text: "is blocked: Only allowed schemes are http, https" },
      { attribute: "caCert", text: "must be a valid PEM certificate" },
      {
        attribute: "namespace",
        text: "can contain only lowercase letters, digits, and '-'. Must start with a letter, and cannot end with '-'"
      },
      { attribute: "environmentScope", text: "cannot add duplicated environment scope" }
    ]
    const query = { ...add, settings: wrong, scopeTaken: true }
    expect(faults(query, states.Absent)).toEqual(expected)
    expect(additionFaults(query, false)).toEqual([...expected, { attribute: "token", text: "can't be blank" }])
  })
})

const connected = (changed: Partial<Cluster> = {}): State => ({ _tag: "Connected", cluster: { ...cluster, ...changed } })
const input = (changes: Change["changes"], more: Partial<Change> = {}): Change => ({ ...change, changes, ...more })

describe("a change", () => {
  it.each([
    ["nothing", input({}), []],
    ["what is there already", input(settings), []],
    [
      "one of several given settings",
      input({ ...settings, enabled: false }),
      [event.ClusterChanged.make({ changes: { enabled: false } })]
    ],
    ["the token", input({}, { token: "other" }), [event.ClusterTokenReplaced.make({ token: "other" })]],
    [
      "settings and token",
      input({ caCert: pem }, { token: "other" }),
      [event.ClusterChanged.make({ changes: { caCert: pem } }), event.ClusterTokenReplaced.make({ token: "other" })]
    ]
  ])("of %s", (_, command, events) => {
    expect(outcome(command, connected())).toEqual(events)
  })

  it("is refused for a scope that another cluster has, unless it stays", () => {
    expect(faults(input({ environmentScope: "prod" }, { scopeTaken: true }), connected())).toEqual([
      { attribute: "environmentScope", text: "cannot add duplicated environment scope" }
    ])
    expect(outcome(input({ environmentScope: "*" }, { scopeTaken: true }), connected())).toEqual([])
  })

  it("validates only what changes", () => {
    const old = connected({ settings: { ...settings, caCert: "kept from before" } })
    expect(outcome(input({ caCert: "kept from before", enabled: false }), old)).toEqual([
      event.ClusterChanged.make({ changes: { enabled: false } })
    ])
  })
})

describe("a cluster that a cloud provider made", () => {
  const provided = connected({ providerType: "gcp", provider: atProvider })
  const platform = { attribute: "platform", text: "Cannot modify managed Kubernetes cluster" }

  it.each<[string, Change, ReadonlyArray<object>]>([
    ["its address", input({ apiUrl: "https://other.example.com" }), [platform]],
    ["its certificate", input({ caCert: pem }), [platform]],
    ["its token", input({}, { token: "other" }), [platform]],
    [
      "its name",
      input({ name: "other" }),
      [{ attribute: "name", text: " can not be changed because it's synchronized with provider" }]
    ]
  ])("keeps %s", (_, command, expected) => {
    expect(faults(command, provided)).toEqual(expected)
  })

  it("may otherwise change, and be given what it has", () => {
    expect(outcome(input({ ...settings, domain: "example.com" }), provided)).toEqual([
      event.ClusterChanged.make({ changes: { domain: "example.com" } })
    ])
  })

  it.each(["scheduled", "creating"] as const)("does not change at all while it is %s", (status) => {
    const inCreation = connected({ providerType: "gcp", provider: { ...atProvider, status } })
    const expected = [{ attribute: "cluster", text: "Cannot modify provider during creation" }]
    expect(faults(input({ enabled: false }), inCreation)).toEqual(expected)
    expect(faults(input({}), inCreation)).toEqual(expected)
  })
})
