import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { type Command, maxDeployments, pagesAggregate, type State } from "#src/pages/aggregate.ts"
import { type Deployment, PagesEvent, type PagesSettings } from "#src/pages/events.ts"
import { pagesStream, projectIdOfPages } from "#src/pages/ids.ts"
import { foldOf } from "#test/support/aggregateLaws.ts"
import { outcomeOf } from "#test/support/decisions.ts"
import { deployment } from "./samples.ts"

const outcome = outcomeOf(pagesAggregate)
const { PagesDeployed, PagesSettingsChanged, PagesUnpublished } = PagesEvent.cases

const unset: PagesSettings = { uniqueDomainEnabled: null, httpsOnly: null, uniqueDomain: null }
const stateOf = (settings: Partial<PagesSettings> = {}, deployments: ReadonlyArray<Deployment> = []): State => ({
  settings: { ...unset, ...settings },
  deployments
})
const changed = (settings: Partial<PagesSettings>) => PagesSettingsChanged.make({ settings: { ...unset, ...settings } })
const deployed = (made: Deployment, replaced: string | null = null) => PagesDeployed.make({ deployment: made, by: 4, replaced })

const change = (
  wanted: Partial<Pick<Extract<Command, { readonly _tag: "Change" }>, "httpsOnly" | "uniqueDomainEnabled">>
): Command => ({
  _tag: "Change",
  newDomain: "new",
  ...wanted
})
const deploy = (made: Deployment): Command => ({ _tag: "Deploy", deployment: made, by: 4, newDomain: "new" })
const unpublish: Command = { _tag: "Unpublish", by: 4 }

const domain = { uniqueDomainEnabled: true, uniqueDomain: "old" }
const off = { uniqueDomainEnabled: false }
const parallel = { ...deployment, site: "s2", pathPrefix: "mr3" }

describe("what commands come to", () => {
  it.each<[string, Command, State, ReadonlyArray<PagesEvent>]>([
    ["nothing is wanted", change({}), stateOf(), []],
    [
      "the first use of a unique domain",
      change({ uniqueDomainEnabled: true }),
      stateOf(),
      [changed({ ...domain, uniqueDomain: "new" })]
    ],
    ["its end", change(off), stateOf(domain), [changed({ ...domain, ...off })]],
    ["the next use of the same", change({ uniqueDomainEnabled: true }), stateOf({ ...domain, ...off }), [changed(domain)]],
    ["switched off before there was one", change(off), stateOf(), [changed(off)]],
    ["what is set already", change({ httpsOnly: true }), stateOf({ httpsOnly: true }), []],
    ["both", change({ httpsOnly: false, ...off }), stateOf(domain), [changed({ ...domain, ...off, httpsOnly: false })]],

    ["the first deployment", deploy(deployment), stateOf(), [changed({ ...domain, uniqueDomain: "new" }), deployed(deployment)]],
    ["with the unique domain switched off", deploy(deployment), stateOf(off), [deployed(deployment)]],
    ["with one", deploy(deployment), stateOf(domain), [deployed(deployment)]],
    [
      "in place of another",
      deploy({ ...deployment, site: "s3" }),
      stateOf(off, [deployment, parallel]),
      [deployed({ ...deployment, site: "s3" }, "s1")]
    ],
    ["beside another", deploy(parallel), stateOf(off, [deployment]), [deployed(parallel)]],
    ["again", deploy(parallel), stateOf(off, [deployment, parallel]), []],

    [
      "what is published goes",
      unpublish,
      stateOf(domain, [deployment, parallel]),
      [PagesUnpublished.make({ by: 4, sites: ["s1", "s2"] })]
    ],
    ["nothing is published", unpublish, stateOf(domain), []]
  ])("%s", (_, command, state, events) => {
    expect(outcome(command, state)).toEqual(events)
  })

  it("there may be so many deployments, one of which may be replaced", () => {
    const many = Array.from({ length: maxDeployments }, (__, index) => ({
      ...deployment,
      site: `m${index}`,
      pathPrefix: `p${index}`
    }))
    expect(outcome(deploy(deployment), stateOf(off, many))).toBe("TooManyDeployments")
    const replacing = { ...deployment, pathPrefix: "p7" }
    expect(outcome(deploy(replacing), stateOf(off, many))).toEqual([deployed(replacing, "m7")])
  })
})

it("deployments are by their prefixes, the settings outlive them", () => {
  const fold = foldOf(pagesAggregate)
  const events = [changed(domain), deployed(deployment), deployed(parallel), deployed({ ...deployment, site: "s3" }, "s1")]
  expect(fold(events)).toEqual(stateOf(domain, [parallel, { ...deployment, site: "s3" }]))
  expect(fold([...events, PagesUnpublished.make({ by: 4, sites: [] })])).toEqual(stateOf(domain))
})

it("a stream belongs to its project", () => {
  expect([projectIdOfPages(pagesStream(7)), projectIdOfPages("project-7"), projectIdOfPages("pages-x")]).toEqual([
    7,
    undefined,
    undefined
  ])
  expect(Result.isSuccess(pagesAggregate.decide(unpublish, pagesAggregate.initial))).toBe(true)
})
