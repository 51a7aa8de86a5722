import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { keepUpPipelines } from "#src/pipelines/upkeep/keepUp.ts"
import { handle } from "#src/platform/Commands.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { userAggregate } from "#src/users/aggregate.ts"
import { field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { reactToAll } from "#test/support/reactions/reactToAll.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { until } from "#test/support/until.ts"
import { useJobs } from "./useJobs.ts"

const { claim, configured, create, finish, jobNamed, jobsOf, service } = useJobs()
const { request } = service

/** Reacts to what has happened since the log began, until this holds. */
const keptUp = async (holds: () => Promise<boolean>) => {
  const rewind = Effect.flatMap(Sql, ({ client }) =>
    query(
      () => client`
        insert into chronoforge.reactions (name, position) values ('pipeline-upkeep', 0)
        on conflict (name) do update set position = 0`
    )
  )
  await service.run(
    Effect.andThen(
      rewind,
      Effect.raceFirst(
        keepUpPipelines,
        Effect.promise(() => until(holds))
      )
    )
  )
}

/** A project of a Maintainer, who made a pipeline: what is needed to go on. */
const pipelineOfSomebody = async (name: string, configuration: string) => {
  const id = await configured(name, configuration)
  const user = await createUser(service, `of-${name}`)
  await request("POST", `/projects/${id}/members`, { json: { user_id: user, access_level: 40 } })
  const { text: token } = await issueTokenFor(service, user)
  return { id, user, pipeline: field((await create(id, {}, { token })).body, "id") }
}

const states = async (id: unknown, pipeline: unknown) =>
  (await jobsOf(id, pipeline))
    .map((job) => ["name", "status", "failure_reason"].flatMap((key) => field(job, key) ?? []))
    .toReversed()

const deactivate = (user: number) =>
  service.run(Effect.andThen(handle(userAggregate, user, { _tag: "Deactivate", at: Date.now() + 100 * 24 * 3_600_000 }), settled))

const two = "a: { script: make, stage: build }\nb: { script: make }\n"

describe("the jobs of a user", () => {
  it.each<readonly [string, (user: number) => Promise<unknown>]>([
    ["blocked", (user) => request("POST", `/users/${user}/block`)],
    ["banned", (user) => request("POST", `/users/${user}/ban`)],
    ["deactivated", deactivate],
    ["deleted", (user) => request("DELETE", `/users/${user}`)]
  ])("who was %s fail, also what runs, and no executor gets one", async (what, shutOut) => {
    const { id, pipeline, user } = await pipelineOfSomebody(what, two)
    const run = (await claim(id)).body
    await shutOut(user)
    const failed = [
      ["a", "failed", "user_blocked"],
      ["b", "failed", "user_blocked"]
    ]
    await keptUp(async () => JSON.stringify(await states(id, pipeline)) === JSON.stringify(failed))
    expect((await claim(id)).status).toBe(204)
    const job = field(field(run, "job"), "id")
    expect((await finish(id, job, { claim: field(run, "claim"), status: "success" })).status).toBe(409)
  })

  it("who was blocked are handed to nobody, and fail when somebody asks for jobs", async () => {
    const { id, pipeline, user } = await pipelineOfSomebody("asked-for", two)
    await request("POST", `/users/${user}/block`)
    const other = field((await create(id)).body, "id")
    expect(field(field((await claim(id)).body, "job"), "id")).toBe(await jobNamed(id, other, "a"))
    expect(await states(id, pipeline)).toEqual([
      ["a", "pending"],
      ["b", "created"]
    ])
    expect((await claim(id)).status).toBe(204)
    await service.run(settled)
    expect(await states(id, pipeline)).toEqual([
      ["a", "failed", "user_blocked"],
      ["b", "failed", "user_blocked"]
    ])
  })

  it("who was let in again stay", async () => {
    const { id, pipeline, user } = await pipelineOfSomebody("let-in", two)
    await request("POST", `/users/${user}/block`)
    await request("POST", `/users/${user}/unblock`)
    await service.run(reactToAll("pipeline-upkeep", "UserBlocked", keepUpPipelines))
    expect(await states(id, pipeline)).toEqual([
      ["a", "pending"],
      ["b", "created"]
    ])
  })
})

it("jobs of an archived project are handed to nobody until it is active again, and those of a deleted one never", async () => {
  const id = await configured("archived", two)
  await create(id)
  await request("POST", `/projects/${id}/archive`)
  expect((await claim(id)).status).toBe(403)
  await request("POST", `/projects/${id}/unarchive`)
  expect((await claim(id)).status).toBe(201)
  await request("DELETE", `/projects/${id}`)
  expect((await claim(id)).status).toBe(404)
})
