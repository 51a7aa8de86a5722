import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { uuidV7 } from "#src/kernel/uuid.ts"
import { pipelineAggregate } from "#src/pipelines/aggregate.ts"
import { claimNext } from "#src/pipelines/executors/claim.ts"
import { Leases } from "#src/pipelines/executors/Leases.ts"
import { returnJobs } from "#src/pipelines/executors/returnJobs.ts"
import { pipelineStream } from "#src/pipelines/ids.ts"
import { jobOf } from "#src/pipelines/state.ts"
import { handle, load } from "#src/platform/Commands.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { anyTime, field } from "#test/support/exactly.ts"
import { holdJobs } from "#test/support/people/holdUsers.ts"
import { until } from "#test/support/until.ts"
import { answerTo, useJobs } from "./useJobs.ts"

const { claim, configured, create, finish, jobNamed, newProject, service, statuses } = useJobs()

const isOver = (status: string) => [409, { message: `409 Conflict: the run is over, the job is ${status}` }]
const jobIn = (body: unknown) => field(field(body, "job"), "id")

describe("an executor", () => {
  it("gets all that it needs to run a job", async () => {
    const id = await configured(
      "everything",
      "variables:\n  A: global\nbuild:\n  script: [make, make install]\n  image: alpine\n  variables: { B: $A }\n  coverage: /\\d+%/\n"
    )
    const { body: pipeline } = await create(id, { variables: [{ key: "A", value: "given", variable_type: "file" }] })
    const { body, status } = await claim(id)
    const job = jobIn(body)
    expect([status, body]).toEqual([
      201,
      {
        job: expect.objectContaining({ id: job, name: "build", status: "running", started_at: anyTime }),
        claim: expect.any(Number),
        lease_expires_at: anyTime,
        git: {
          repository_url: `${service.url}/root/everything.git`,
          ref: "main",
          is_tag: false,
          sha: field(pipeline, "sha"),
          before_sha: "0".repeat(40)
        },
        variables: expect.arrayContaining([
          { key: "CI", value: "true", file: false, raw: true },
          { key: "CI_PIPELINE_ID", value: String(field(pipeline, "id")), file: false, raw: true },
          { key: "CI_COMMIT_SHA", value: field(pipeline, "sha"), file: false, raw: true },
          { key: "CI_JOB_ID", value: String(job), file: false, raw: true },
          { key: "CI_JOB_NAME", value: "build", file: false, raw: true },
          { key: "B", value: "$A", file: false, raw: false },
          { key: "A", value: "given", file: true, raw: false }
        ]),
        needs: null,
        coverage: "/\\d+%/",
        definition: { script: ["make", "make install"], image: "alpine" }
      }
    ])
    const keys = (field(body, "variables") as ReadonlyArray<unknown>).map((one) => field(one, "key"))
    expect(keys.lastIndexOf("A")).toBeGreaterThan(keys.indexOf("CI"))
  })

  it("gets nothing where nothing waits, nor jobs with tags that it has not", async () => {
    const { id } = await newProject("nothing-waits")
    expect(await answerTo(claim(id))).toEqual([204, undefined])
    const tagged = await configured("tags", "a:\n  script: make\n  tags: [big, linux]\n")
    await create(tagged)
    expect((await claim(tagged)).status).toBe(204)
    expect((await claim(tagged, { tags: "big" })).status).toBe(204)
    expect((await claim(tagged, { tags: ["linux", "big", "more"] })).status).toBe(201)
  })

  it("of many that ask at once, each job has one", async () => {
    const id = await configured("crowd", "a:\n  script: make\n  parallel: 5\n")
    await create(id)
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => claim(id, { executor: `e${index}` })))
    const taken = answers.filter(({ status }) => status === 201).map(({ body }) => jobIn(body))
    expect([new Set(taken).size, taken.length, answers.filter(({ status }) => status === 204).length]).toEqual([5, 5, 7])
  })

  it("of many that ask at once for many jobs, all get one", async () => {
    const id = await configured("large-crowd", "a:\n  script: make\n  parallel: 40\n")
    await create(id)
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => claim(id, { executor: `e${index}` })))
    expect(new Set(answers.map(({ body }) => jobIn(body))).size).toBe(40)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  })

  it("tells how the job ended, and the next one begins", async () => {
    const id = await configured("ends", "a:\n  stage: build\n  script: make\nb:\n  script: make\n")
    const pipeline = field((await create(id)).body, "id")
    const { body } = await claim(id)
    const ended = await finish(id, jobIn(body), { claim: field(body, "claim"), status: "success", coverage: 81.25 })
    expect([ended.status, ended.body]).toMatchObject([200, { status: "success", coverage: 81.25, finished_at: anyTime }])
    expect(await statuses(id, pipeline)).toEqual(["a success", "b pending"])
    const next = (await claim(id)).body
    const failed = await finish(id, jobIn(next), { claim: field(next, "claim"), status: "failed", exit_code: 3 })
    expect(failed.body).toMatchObject({ status: "failed", failure_reason: "script_failure" })
    const { body: shown } = await service.request("GET", `/projects/${id}/pipelines/${pipeline}`)
    expect(shown).toMatchObject({ status: "failed", coverage: "81.25", started_at: anyTime, finished_at: anyTime })
    expect(await answerTo(finish(id, jobIn(next), { claim: field(next, "claim"), status: "success" }))).toEqual(isOver("failed"))
  })

  it("is told when the job was canceled", async () => {
    const id = await configured("canceled", "a:\n  script: make\n")
    await create(id)
    const { body } = await claim(id)
    const path = `/projects/${id}/jobs/${jobIn(body)}`
    const beat = () => answerTo(service.request("POST", `${path}/heartbeat`, { json: { claim: field(body, "claim") } }))
    expect(await beat()).toEqual([200, { status: "running", lease_expires_at: anyTime }])
    await service.request("POST", `${path}/cancel`)
    expect(await beat()).toEqual(isOver("canceled"))
  })

  it("takes no job that another one is about to take, until that gives it up", async () => {
    const id = await configured("leased", "a:\n  script: make\n")
    const pipeline = field((await create(id)).body, "id")
    const jobId = Number(await jobNamed(id, pipeline, "a"))
    const lease = { jobId, pipelineId: Number(pipeline) }
    const begin = (claim: number) => service.run(Leases.use((leases) => leases.begin({ ...lease, claim })))
    expect([await begin(999_998), await begin(999_999)]).toEqual([true, false])
    expect((await claim(id)).status).toBe(204)
    expect(await service.run(Leases.use((leases) => leases.renew({ ...lease, claim: 999_999 })))).toBeUndefined()
    await service.run(Leases.use((leases) => leases.end(999_998)))
    expect(jobIn((await claim(id)).body)).toBe(jobId)
  })

  it("finds the job that waits behind many that it may not take", async () => {
    const id = await configured("behind", "a:\n  script: make\n  parallel: 30\n")
    const pipeline = field((await create(id)).body, "id")
    const { body } = await service.request("GET", `/projects/${id}/pipelines/${pipeline}/jobs?per_page=100`)
    const ids = [body].flat().map((job) => Number(field(job, "id")))
    const last = Math.max(...ids)
    // The log has them as canceled, but read models do not show it: each is found to be gone when it is tried.
    const hidden = ids.filter((job) => job !== last)
    const cancel = Effect.forEach(hidden, (job) =>
      handle(pipelineAggregate, Number(pipeline), { _tag: "CancelJob", id: job }).pipe(Effect.orDie)
    )
    const release = await holdJobs(service)
    await service.run(cancel)
    const claimed = service.run(claimNext({ projectId: Number(id), name: "one", tags: [], by: 1 }, 999_997))
    expect((await claimed)?.build.id).toBe(last)
    await release()
  })

  it("gets the next job where the one that it was given is canceled before it is told", async () => {
    const id = await configured("untold", "a:\n  script: make\nb:\n  script: make\n")
    const pipelineId = Number(field((await create(id)).body, "id"))
    const [first, second] = [await jobNamed(id, pipelineId, "a"), await jobNamed(id, pipelineId, "b")].map(Number)
    const release = await holdJobs(service)
    const claimed = claim(id)
    const cancel = handle(pipelineAggregate, pipelineId, { _tag: "CancelJob", id: first ?? 0 })
    const isTaken = Effect.map(load(pipelineAggregate, pipelineId), ({ state }) => {
      const job = state._tag === "Present" ? jobOf(state.pipeline, first ?? 0) : undefined
      return job?.status === "running"
    })
    await until(() => service.run(isTaken))
    await service.run(Effect.orDie(cancel))
    await release()
    const { body, status } = await claimed
    expect([status, jobIn(body)]).toEqual([201, second])
    expect(await statuses(id, pipelineId)).toEqual(["a canceled", "b running"])
  })

  it("that is not heard of loses the job to the next one", async () => {
    const id = await configured("silent", "a:\n  script: make\n")
    const pipeline = field((await create(id)).body, "id")
    const first = (await claim(id)).body
    const expire = Effect.flatMap(Sql, ({ client }) =>
      query(() => client`update chronoforge.job_leases set expires_at = now() where claim = ${Number(field(first, "claim"))}`)
    )
    const isBack = Effect.promise(() => until(async () => (await statuses(id, pipeline))[0] === "a pending"))
    await service.run(Effect.andThen(expire, Effect.raceFirst(returnJobs, isBack)))
    const second = (await claim(id)).body
    expect([jobIn(second), field(second, "claim") === field(first, "claim")]).toEqual([jobIn(first), false])
    const ended = (body: unknown) => answerTo(finish(id, jobIn(body), { claim: field(body, "claim"), status: "success" }))
    expect(await ended(first)).toEqual(isOver("running"))
    expect((await ended(second))[0]).toBe(200)
  })

  it("loses the job also where so many leases that fail ended before", async () => {
    const id = await configured("behind-failing", "a:\n  script: make\n")
    const pipeline = field((await create(id)).body, "id")
    const lease = field((await claim(id)).body, "claim")
    // The streams of these cannot be read: what is there is no pipeline's.
    const broken = Effect.gen(function* () {
      const { client } = yield* Sql
      const store = yield* EventStore
      const event = {
        id: uuidV7(),
        type: "Broken",
        schemaVersion: 1,
        data: {},
        metadata: { actor: "system:test", commandId: "c", correlationId: "c" }
      }
      yield* store.append(pipelineStream(1_000_000), "noStream", [event])
      yield* query(
        () => client`
          insert into chronoforge.job_leases (job_id, claim, pipeline_id, expires_at)
          select 1000000 + n, 1000000 + n, 1000000, now() - interval '1 day' from generate_series(1, 250) n`
      )
      yield* query(() => client`update chronoforge.job_leases set expires_at = now() where claim = ${Number(lease)}`)
    })
    const isBack = Effect.promise(() => until(async () => (await statuses(id, pipeline))[0] === "a pending"))
    await service.run(Effect.andThen(Effect.orDie(broken), Effect.raceFirst(returnJobs, isBack)))
    await service.run(
      Effect.flatMap(Sql, ({ client }) => query(() => client`delete from chronoforge.job_leases where pipeline_id = 1000000`))
    )
  })

  it.each([
    [{ executor: "" }, [400, { error: "executor is empty" }]],
    [{ executor: "e".repeat(256) }, [400, { message: { executor: ["is too long (maximum is 255 characters)"] } }]]
  ])("is refused with %j", async (json, expected) => {
    const { id } = await newProject(`refuses-${JSON.stringify(json).length}`)
    expect(await answerTo(claim(id, json))).toEqual(expected)
  })
})

describe("jobs", () => {
  it("are played, canceled and run again", async () => {
    const id = await configured("by-hand", "ask:\n  script: make\n  when: manual\nrun:\n  script: make\n")
    const pipeline = field((await create(id)).body, "id")
    const post = async (name: string, verb: string) =>
      answerTo(service.request("POST", `/projects/${id}/jobs/${await jobNamed(id, pipeline, name)}/${verb}`))
    expect(await post("run", "retry")).toEqual([403, { message: "403 Forbidden - Job is not retryable" }])
    expect(await post("run", "play")).toEqual([400, { message: "400 Bad request - Unplayable Job" }])
    expect(await post("ask", "play")).toMatchObject([200, { name: "ask", status: "pending" }])
    expect(await post("run", "cancel")).toMatchObject([201, { name: "run", status: "canceled" }])
    expect(await post("run", "cancel")).toMatchObject([201, { name: "run", status: "canceled" }])
    const before = await jobNamed(id, pipeline, "run")
    expect(await post("run", "retry")).toMatchObject([201, { name: "run", status: "pending" }])
    expect((await jobNamed(id, pipeline, "run")) === before).toBe(false)
    const all = await service.request("GET", `/projects/${id}/pipelines/${pipeline}/jobs?include_retried=true`)
    expect((Array.isArray(all.body) ? all.body : []).map((job) => field(job, "name"))).toEqual(["run", "run", "ask"])
    expect(await answerTo(service.request("POST", `/projects/${id}/jobs/${before}/retry`))).toEqual([
      403,
      { message: "403 Forbidden - Job is not retryable" }
    ])
  })

  it("are run again with their pipeline", async () => {
    const id = await configured("whole-again", "a:\n  script: make\nb:\n  script: make\n  stage: deploy\n")
    const pipeline = field((await create(id)).body, "id")
    const path = `/projects/${id}/pipelines/${pipeline}`
    expect(await answerTo(service.request("POST", `${path}/cancel`))).toMatchObject([200, { status: "canceled" }])
    expect(await answerTo(service.request("POST", `${path}/retry`))).toMatchObject([201, { status: "pending" }])
    expect(await statuses(id, pipeline)).toEqual(["a pending", "b created"])
  })

  it("are listed by their statuses", async () => {
    const id = await configured("listed", "a:\n  script: make\nb:\n  script: make\n  when: manual\n")
    await create(id)
    const listed = async (text: string) => {
      const { body, status } = await service.request("GET", `/projects/${id}/jobs?${text}`)
      return Array.isArray(body) ? body.map((job) => field(job, "name")) : [status, body]
    }
    expect([
      await listed(""),
      await listed("scope=manual"),
      await listed("scope[]=manual&scope[]=pending&scope[]=manual")
    ]).toEqual([["b", "a"], ["b"], ["b", "a"]])
    const wrong = [400, { error: "scope does not have a valid value" }]
    for (const text of ["scope=unknown", "scope=", "scope[]=", "scope[]=manual&scope[]="])
      expect([text, await listed(text)]).toEqual([text, wrong])
  })
})
