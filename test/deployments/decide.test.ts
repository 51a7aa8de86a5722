import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Command, deploymentAggregate, type State } from "#src/deployments/aggregate.ts"
import { type State as EnvironmentState, environmentAggregate } from "#src/deployments/environment.ts"
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
  const present: EnvironmentState = { _tag: "Present", id: 3 }
  itDecides(outcomeOf(environmentAggregate), {
    commands: { Create: { _tag: "Create", ...environment } },
    states: { Absent: { _tag: "Absent" }, Present: present },
    table: {
      Absent: { Create: [EnvironmentEvent.cases.EnvironmentCreated.make(environment)] },
      Present: { Create: "EnvironmentExists" }
    }
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
  const made = fc.record({ id: fc.nat() }).map(({ id }) => EnvironmentEvent.cases.EnvironmentCreated.make({ ...environment, id }))
  itFoldsInParts(foldOf(environmentAggregate), made)
  itIsStored(environmentCodec, made)
})
