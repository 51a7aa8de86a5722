import { expect, it } from "vitest"
import { pagesReadModel } from "#projections/pages/projection.ts"
import { PagesEvent, pagesCodec } from "#src/pages/events.ts"
import { ProjectEvent, projectCodec } from "#src/projects/events.ts"
import { changesIn, recorded } from "#test/support/recordedEvent.ts"
import { deployment } from "./samples.ts"

const { at } = recorded
const { cases } = PagesEvent
const changesOf = (event: PagesEvent, stream = "pages-4") => changesIn(pagesReadModel)(pagesCodec.encode(event), stream)
const where = { project_id: 4 }

it.each<[PagesEvent, ReadonlyArray<object>]>([
  [
    cases.PagesSettingsChanged.make({ settings: { uniqueDomainEnabled: true, httpsOnly: null, uniqueDomain: "a-1" } }),
    [
      {
        _tag: "Put",
        table: "settings",
        row: { ...where, unique_domain_enabled: true, https_only: null, unique_domain: "a-1" }
      }
    ]
  ],
  [
    cases.PagesDeployed.make({ deployment, by: 1, replaced: null }),
    [
      {
        _tag: "Put",
        table: "deployments",
        row: { ...where, path_prefix: "", site: "s1", root_directory: null, created_at: at }
      }
    ]
  ],
  [cases.PagesUnpublished.make({ by: 1, sites: [] }), [{ _tag: "RemoveWhere", table: "deployments", where }]]
])("%j", (event, changes) => {
  expect(changesOf(event)).toEqual(changes)
})

it("everything goes with the project", () => {
  expect(changesIn(pagesReadModel)(projectCodec.encode(ProjectEvent.cases.ProjectDeleted.make({})), "project-4")).toEqual([
    { _tag: "RemoveWhere", table: "settings", where },
    { _tag: "RemoveWhere", table: "deployments", where }
  ])
})

it("has nothing to do with other streams", () => {
  expect(changesOf(cases.PagesUnpublished.make({ by: 1, sites: [] }), "project-4")).toEqual([])
})
