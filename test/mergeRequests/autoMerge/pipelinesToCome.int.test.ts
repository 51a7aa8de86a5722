import { Effect } from "effect"
import { beforeAll, expect, it } from "vitest"
import { mergeOne } from "#src/mergeRequests/autoMerge/mergeDue.ts"
import { versionReactor } from "#src/mergeRequests/ids.ts"
import { reactToVersions } from "#src/mergeRequests/pipelines/reactToVersions.ts"
import { pushReactor } from "#src/pipelines/ids.ts"
import { reactToPushes } from "#src/pipelines/pushes/reactToPushes.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { field, picked } from "#test/support/exactly.ts"
import { useAutoMerge, waits } from "./useAutoMerge.ts"

const { commit, get, heldFor, isDue, merge, newProject, open, put, service, shownWhen } = useAutoMerge()

const url = "http://forge.example.com"
const configuration = (rule: string) => `build: { script: make, rules: [{ if: $CI_PIPELINE_SOURCE == "${rule}" }] }\n`
const all = { [versionReactor]: reactToVersions(url), [pushReactor]: reactToPushes(url) }

/** They have come to nothing of the log yet. */
const stopReactors = () =>
  service.run(
    Sql.use(({ client }) =>
      query(
        () => client`
          insert into chronoforge.reactions (name, position) select name, 0 from unnest(${Object.keys(all)}::text[]) name
          on conflict (name) do update set position = 0, read_to = 0, unfinished = '{}'`
      )
    )
  )
beforeAll(stopReactors)

/** Lets pipelines be made until something is so. */
const reactUntil = (claim: () => Promise<unknown>, reactors: ReadonlyArray<keyof typeof all> = [versionReactor, pushReactor]) =>
  service.run(
    Effect.raceFirst(
      Effect.forEach(reactors, (name) => all[name] ?? Effect.die(name), { concurrency: "unbounded", discard: true }),
      Effect.promise(claim)
    )
  )

/** Looks at it whether it is due or not: whether it still is. */
const look = async (id: number) => {
  await service.run(mergeOne({ projectId: id, iid: 1 }, url))
  return isDue(id)
}

/** Nothing stands in the way of it but what has not been made yet. */
const ready = async (name: string, files: Readonly<Record<string, string>>, settings: object = {}) => {
  const id = await newProject(name, settings)
  await commit(id, "change", { "change.txt": "a\n", ...files })
  await open(id, { source_branch: "change" })
  const set = await merge(id)
  expect([set.status, waits(set), field(set.body, "state")]).toEqual([200, true, "opened"])
  return id
}

it.each(["merge_request_event", "push"])("nothing is merged of itself before its pipeline is made: %s", async (rule) => {
  const id = await ready(`to-come-${rule.replaceAll("_", "-")}`, { ".gitlab-ci.yml": configuration(rule) })
  expect([await look(id), await look(id)]).toEqual([true, true])
  await reactUntil(() => heldFor(id, "ci_still_running"))
  const { body } = await get(id, 1)
  expect([picked(field(body, "head_pipeline"), "source", "status"), field(body, "state")]).toEqual([
    { source: rule, status: "pending" },
    "opened"
  ])
  await stopReactors()
})

it("it waits for both reactors that may make one, and no longer", async () => {
  const id = await ready("to-come-none", {})
  const others = await ready("to-come-others", { ".gitlab-ci.yml": configuration("merge_request_event") })
  await reactUntil(() => heldFor(others, "ci_still_running"), [versionReactor])
  expect(await look(id)).toBe(true)
  await reactUntil(() => shownWhen(id, (body) => field(body, "state") === "merged"))
  expect(field((await get(id, 1)).body, "head_pipeline")).toBeNull()
  await stopReactors()
})

it("it waits for one that succeeds, for ever where there is none", async () => {
  const id = await ready("to-come-required", {}, { only_allow_merge_if_pipeline_succeeds: true })
  await heldFor(id, "ci_must_pass")
  await reactUntil(() => heldFor(id, "ci_must_pass"))
  expect(field((await get(id, 1)).body, "detailed_merge_status")).toBe("ci_must_pass")
  await stopReactors()
})

it("a draft is held for what it is, whatever pipelines are to come", async () => {
  const id = await newProject("to-come-draft")
  await open(id, { title: "Draft: Add" })
  expect(waits(await merge(id))).toBe(true)
  await heldFor(id, "draft_status")
  await put(id, 1, { title: "Add" })
  expect(await look(id)).toBe(true)
  await reactUntil(() => shownWhen(id, (body) => field(body, "state") === "merged"))
})

it("there is nothing to wait for once it is known that there will be none", async () => {
  const id = await newProject("to-come-nothing")
  await open(id)
  await reactUntil(async () =>
    expect(await merge(id)).toMatchObject({ status: 405, body: { message: "405 Method Not Allowed" } })
  )
})
