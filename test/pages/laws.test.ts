import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Command, maxDeployments, pagesAggregate } from "#src/pages/aggregate.ts"
import { type Deployment, PagesEvent, pagesCodec } from "#src/pages/events.ts"
import { foldOf, itFoldsInParts, itIsStored, stepOf } from "#test/support/aggregateLaws.ts"

const { decide, initial } = pagesAggregate
const { cases } = PagesEvent

const site = fc.constantFrom("s1", "s2", "s3", "s4")
const deployment: fc.Arbitrary<Deployment> = fc.record({
  site,
  pathPrefix: fc.constantFrom("", "a", "b"),
  rootDirectory: fc.option(fc.constant("public")),
  files: fc.nat(),
  size: fc.nat()
})
const settings = fc.record({
  uniqueDomainEnabled: fc.option(fc.boolean()),
  httpsOnly: fc.option(fc.boolean()),
  uniqueDomain: fc.option(fc.string())
})
const event: fc.Arbitrary<PagesEvent> = fc.oneof(
  settings.map((set) => cases.PagesSettingsChanged.make({ settings: set })),
  fc.record({ deployment, by: fc.nat(), replaced: fc.option(site) }).map((data) => cases.PagesDeployed.make(data)),
  fc.record({ by: fc.nat(), sites: fc.array(site) }).map((data) => cases.PagesUnpublished.make(data))
)
const newDomain = fc.constantFrom("d1", "d2")
const command: fc.Arbitrary<Command> = fc.oneof(
  fc
    .record({ newDomain, uniqueDomainEnabled: fc.boolean(), httpsOnly: fc.boolean() }, { requiredKeys: ["newDomain"] })
    .map((data): Command => ({ _tag: "Change", ...data })),
  fc.record({ deployment, by: fc.nat(), newDomain }).map((data): Command => ({ _tag: "Deploy", ...data })),
  fc.constant<Command>({ _tag: "Unpublish", by: 1 })
)
const commands = fc.array(command, { maxLength: 12 })
const step = stepOf(pagesAggregate)
const fold = foldOf(pagesAggregate)

describe("laws of pages", () => {
  itFoldsInParts(fold, event)
  itIsStored(pagesCodec, event)

  it("a command that was carried out changes nothing the second time", () => {
    fc.assert(
      fc.property(commands, command, (before, again) => {
        const state = step(before.reduce(step, initial), again)
        expect(decide(again, state)).toEqual(Result.succeed([]))
      })
    )
  })

  it("prefixes differ, a domain that is used is there, and one that was there stays the same", () => {
    fc.assert(
      fc.property(commands, commands, (first, second) => {
        const middle = first.reduce(step, initial)
        const last = second.reduce(step, middle)
        const prefixes = last.deployments.map(({ pathPrefix }) => pathPrefix)
        expect([new Set(prefixes).size, prefixes.length <= maxDeployments]).toEqual([prefixes.length, true])
        expect(last.settings.uniqueDomainEnabled === true && last.settings.uniqueDomain === null).toBe(false)
        expect(last.settings.uniqueDomain).toBe(middle.settings.uniqueDomain ?? last.settings.uniqueDomain)
      })
    )
  })
})
