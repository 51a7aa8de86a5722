import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Command, deploymentAggregate, type State } from "#src/deployments/aggregate.ts"
import { type Command as EnvironmentCommand, environmentAggregate } from "#src/deployments/environments/aggregate.ts"
import { DeploymentEvent, deploymentCodec, EnvironmentEvent, environmentCodec } from "#src/deployments/events.ts"
import { deploymentIdOf, deploymentStream, environmentStream, projectIdOfEnvironment } from "#src/deployments/ids.ts"
import { environmentFaults, environmentKey, slugOf, tierOf } from "#src/deployments/names.ts"
import { foldOf, itFoldsInParts, itIsStored } from "#test/support/aggregateLaws.ts"
import { itDecides, outcomeOf } from "#test/support/decisions.ts"

const created = {
  iid: 1,
  projectId: 2,
  environmentId: 3,
  by: 4,
  ref: "main",
  isTag: false,
  sha: "a1",
  status: "running",
  mergeRequestIids: []
} as const
const commands: { readonly [Tag in Command["_tag"]]: Command } = {
  Create: { _tag: "Create", ...created },
  End: { _tag: "End", projectId: 2, status: "success", mergeRequestIids: [5] }
}
const states: { readonly [Tag in State["_tag"]]: State } = {
  Absent: { _tag: "Absent" },
  Present: { _tag: "Present", status: "running" }
}
const ended = DeploymentEvent.cases.DeploymentEnded.make({ projectId: 2, status: "success", mergeRequestIids: [5] })

describe("every command of a deployment in every state", () => {
  itDecides(outcomeOf(deploymentAggregate), {
    commands,
    states,
    table: {
      Absent: { Create: [DeploymentEvent.cases.DeploymentCreated.make(created)], End: "DeploymentMissing" },
      Present: { Create: "DeploymentExists", End: [ended] }
    }
  })

  it("what has ended stays as it is", () => {
    const outcome = outcomeOf(deploymentAggregate)
    expect(outcome(commands.End, { _tag: "Present", status: "success" })).toEqual([])
    expect(outcome(commands.End, { _tag: "Present", status: "failed" })).toBe("DeploymentOver")
  })
})

const environment = { id: 7, by: 1, name: "staging", slug: "staging", externalUrl: null, tier: "staging" } as const

describe("every command of an environment in every state", () => {
  const outcome = outcomeOf(environmentAggregate)
  const present = { _tag: "Present", id: 7, externalUrl: null, tier: "staging", isStopped: false } as const
  const order = { id: 7, by: 2 }
  const changes = { externalUrl: "https://a.example.com" }
  const { EnvironmentChanged, EnvironmentCreated, EnvironmentDeleted, EnvironmentStarted, EnvironmentStopped } =
    EnvironmentEvent.cases
  const orders: { readonly [Tag in EnvironmentCommand["_tag"]]: EnvironmentCommand } = {
    Create: { _tag: "Create", ...environment },
    Change: { _tag: "Change", ...order, changes },
    Stop: { _tag: "Stop", ...order },
    Start: { _tag: "Start", ...order },
    Delete: { _tag: "Delete", ...order }
  }
  itDecides(outcome, {
    commands: orders,
    states: { Absent: { _tag: "Absent" }, Present: present },
    table: {
      Absent: {
        Create: [EnvironmentCreated.make(environment)],
        Change: "EnvironmentMissing",
        Stop: "EnvironmentMissing",
        Start: "EnvironmentMissing",
        Delete: "EnvironmentMissing"
      },
      Present: {
        Create: "EnvironmentExists",
        Change: [EnvironmentChanged.make({ ...order, changes })],
        Stop: [EnvironmentStopped.make(order)],
        Start: [],
        Delete: "EnvironmentAvailable"
      }
    }
  })

  it("what is stopped starts and is deleted, and is stopped", () => {
    const stopped = { ...present, isStopped: true }
    expect([orders.Start, orders.Delete, orders.Stop, orders.Create].map((command) => outcome(command, stopped))).toEqual([
      [EnvironmentStarted.make(order)],
      [EnvironmentDeleted.make(order)],
      [],
      "EnvironmentExists"
    ])
  })

  it("settings that are there are no change, and another environment that had the name is not meant", () => {
    expect(outcome({ _tag: "Change", ...order, changes: { externalUrl: null, tier: "staging" } }, present)).toEqual([])
    const { Create, ...others } = orders
    for (const command of Object.values(others)) expect(outcome({ ...command, id: 6 }, present)).toBe("EnvironmentMissing")
  })

  it("the name is free once it is deleted, and what is told of the one before is of no matter", () => {
    const deleted = [EnvironmentCreated.make(environment), EnvironmentStopped.make(order), EnvironmentDeleted.make(order)]
    const fold = foldOf(environmentAggregate)
    expect(fold(deleted)).toEqual({ _tag: "Absent" })
    const again = EnvironmentCreated.make({ ...environment, id: 8 })
    expect(fold([...deleted, again, EnvironmentStopped.make(order)])).toEqual({ ...present, id: 8 })
  })
})

it("streams tell what they are of", () => {
  expect(projectIdOfEnvironment(environmentStream(environmentKey({ projectId: 4, name: "review/a b" })))).toBe(4)
  expect([
    projectIdOfEnvironment("environment-4-x"),
    deploymentIdOf(deploymentStream(9)),
    deploymentIdOf("deployment-x")
  ]).toEqual([undefined, 9, undefined])
})

it.each([
  ["production", "production", "production"],
  ["staging", "staging", "staging"],
  ["qa", "qa", "testing"],
  ["dev", "dev", "development"],
  ["europe", "europe", "other"]
])("%s has the slug %s and the tier %s", (name, slug, tier) => {
  expect([slugOf(name), tierOf(name)]).toEqual([slug, tier])
})

it("other names have slugs of letters, digits and a suffix of their own", () => {
  const slugs = ["Staging", "staging/", "1", "review/feature-with-a-very-long-name", "a--b"].map(slugOf)
  for (const slug of slugs) expect(slug).toMatch(/^[a-z][a-z0-9-]{0,16}-[a-z0-9]{6}$/)
  expect(new Set(slugs).size).toBe(slugs.length)
})

it.each([
  ["", ["name"]],
  ["a".repeat(256), ["name"]],
  ["/a", ["name"]],
  ["a/", ["name"]],
  ["ü", ["name"]],
  ["review/{a} $b.c_d-e", []]
])("%s is no name of an environment: %s", (name, attributes) => {
  expect(environmentFaults(name, null).map(({ attribute }) => attribute)).toEqual(attributes)
})

it.each(["javascript:alert(1)", "ftp://a", "a", "http://"])("%s is no address of an environment", (address) => {
  expect(environmentFaults("a", address).map(({ attribute }) => attribute)).toEqual(["external_url"])
})

const iids = fc.array(fc.nat(), { maxLength: 3 })
const status = fc.constantFrom("running" as const, "success" as const, "failed" as const)
const event = fc.oneof(
  fc
    .record({ status, mergeRequestIids: iids })
    .map((data) => DeploymentEvent.cases.DeploymentCreated.make({ ...created, ...data })),
  fc
    .record({ status, mergeRequestIids: iids })
    .map((data) => DeploymentEvent.cases.DeploymentEnded.make({ projectId: 2, ...data }))
)

describe("deployments", () => {
  itFoldsInParts(foldOf(deploymentAggregate), event)
  itIsStored(deploymentCodec, event)
})

describe("environments", () => {
  const { cases } = EnvironmentEvent
  const order = fc.record({ id: fc.nat(2), by: fc.nat() })
  const made = fc.oneof(
    order.map((of) => cases.EnvironmentCreated.make({ ...environment, ...of })),
    fc
      .tuple(order, fc.constantFrom({}, { externalUrl: "https://a.example.com" }, { tier: "other" as const }))
      .map(([of, changes]) => cases.EnvironmentChanged.make({ ...of, changes })),
    order.map((of) => cases.EnvironmentStopped.make(of)),
    order.map((of) => cases.EnvironmentStarted.make(of)),
    order.map((of) => cases.EnvironmentDeleted.make(of))
  )
  itFoldsInParts(foldOf(environmentAggregate), made)
  itIsStored(environmentCodec, made)
})
