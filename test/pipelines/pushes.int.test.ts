import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { onPush, reactToPushes } from "#src/pipelines/pushes/reactToPushes.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { pushCodec } from "#src/pushes/events.ts"
import { anyTime, field } from "#test/support/exactly.ts"
import { gitClient } from "#test/support/git/gitClient.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { rootToken } from "#test/support/service.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { until } from "#test/support/until.ts"
import { useJobs } from "./useJobs.ts"

const folderOf = temporaryFolder()
const { commit, newProject, put, service, statuses } = useJobs()

const listed = async (id: unknown) => {
  const { body } = await service.request("GET", `/projects/${id}/pipelines`)
  return Array.isArray(body) ? body : []
}

/** Reacts to pushes until the project has so many pipelines. */
const reacting = (id: unknown, count: number) =>
  service.run(
    Effect.raceFirst(
      reactToPushes(service.url),
      Effect.promise(() => until(async () => (await listed(id)).length >= count))
    )
  )

/** Where the reactor goes on: at the beginning, as one does that had not come further. */
const rewind = () =>
  service.run(
    Effect.flatMap(Sql, ({ client }) =>
      query(
        () => client`
          insert into chronoforge.reactions (name, position) values ('pipelines', 0) on conflict (name) do update set position = 0`
      )
    )
  )

describe("a push", () => {
  it("makes a pipeline, once, however often the reactor begins anew", async () => {
    await rewind()
    const { id } = await newProject("pushed")
    await put(id, ".gitlab-ci.yml", "a:\n  script: make\n")
    await reacting(id, 1)
    const [pipeline] = await listed(id)
    expect(pipeline).toMatchObject({ iid: 1, ref: "main", source: "push", status: "pending" })
    expect(await statuses(id, field(pipeline, "id"))).toEqual(["a pending"])
    await rewind()
    await commit(id, "second")
    await reacting(id, 2)
    expect((await listed(id)).map((one) => field(one, "iid"))).toEqual([2, 1])
  })

  it("that a process takes up again when another one has come further makes no second pipeline", async () => {
    const { id } = await newProject("overtaken")
    await put(id, ".gitlab-ci.yml", "a:\n  script: make\n")
    await reacting(id, 1)
    const overtaken = Effect.gen(function* () {
      const { client } = yield* Sql
      const store = yield* EventStore
      const head = yield* store.head
      yield* query(() => client`update chronoforge.reactions set position = ${head} where name = 'pipelines'`)
      yield* query(() => client`delete from chronoforge.pushed_pipelines`)
      const pushes = (yield* store.read(`repository-${id}`)).filter(({ type }) => pushCodec.types.has(type))
      yield* Effect.forEach(pushes, (event) => onPush(event, service.url))
      yield* settled
      return pushes.length
    })
    expect(await service.run(overtaken)).toBe(2)
    expect(await listed(id)).toHaveLength(1)
  })

  it("says what is wrong with a configuration in a failed pipeline", async () => {
    const { id } = await newProject("wrong")
    await put(id, ".gitlab-ci.yml", "a:\n  script: make\n  environment: production\n")
    await reacting(id, 1)
    const [pipeline] = await listed(id)
    const { body } = await service.request("GET", `/projects/${id}/pipelines/${field(pipeline, "id")}`)
    expect(body).toMatchObject({ status: "failed", yaml_errors: expect.stringContaining("environment"), finished_at: anyTime })
    expect(await statuses(id, field(pipeline, "id"))).toEqual([])
    const wrong = (await service.request("GET", `/projects/${id}/pipelines`, { query: { yaml_errors: "true" } })).body
    expect(wrong).toEqual([pipeline])
  })

  it("of a commit that skips its pipeline makes a skipped one", async () => {
    const { id } = await newProject("skipped")
    await put(id, ".gitlab-ci.yml", "a:\n  script: make\n")
    await commit(id, "Note [Skip CI]")
    await reacting(id, 2)
    expect((await listed(id)).map((one) => field(one, "status"))).toEqual(["skipped", "pending"])
  })

  it("makes pipelines of its first four branches and tags, of none that it deletes", async () => {
    const { id } = await newProject("many")
    await put(id, ".gitlab-ci.yml", "a:\n  script: make\n")
    const url = `http://root:${rootToken}@${new URL(service.url).host}/root/many.git`
    const folder = folderOf()
    await gitClient(folder, ["clone", "-q", url, "work"])
    const git = (...args: ReadonlyArray<string>) => gitClient(join(folder, "work"), args)
    await git("push", "-q", "origin", ...["a", "b", "c", "d", "e"].map((name) => `HEAD:refs/heads/${name}`))
    await reacting(id, 5)
    await git("push", "-q", "--push-option=ci.skip", "origin", "HEAD:refs/heads/f")
    await git("push", "-q", "origin", ":refs/heads/e")
    await git("push", "-q", "--push-option=ci.variable=WORD=of the push", "origin", "HEAD:refs/tags/v1")
    await reacting(id, 6)
    const pipelines = await listed(id)
    expect(pipelines.map((one) => field(one, "ref")).toSorted()).toEqual(["a", "b", "c", "d", "main", "v1"])
    const tagged = field(
      pipelines.find((one) => field(one, "ref") === "v1"),
      "id"
    )
    expect((await service.request("GET", `/projects/${id}/pipelines/${tagged}/variables`)).body).toEqual([
      { variable_type: "env_var", key: "WORD", value: "of the push", raw: false }
    ])
    expect((await service.request("GET", `/projects/${id}/pipelines/${tagged}`)).body).toMatchObject({ tag: true })
  })

  it("of a project that is deleted leaves no key of its variables", async () => {
    const { id } = await newProject("doomed")
    await put(id, ".gitlab-ci.yml", "a:\n  script: make\n")
    const json = { ref: "main", variables: [{ key: "WORD", value: "hunter-two" }] }
    await service.request("POST", `/projects/${id}/pipeline`, { json })
    const keys = () =>
      service.run(
        Effect.flatMap(Sql, ({ client }) =>
          query(
            () => client<Array<{ stream: string }>>`select stream from chronoforge.data_keys where stream = ${`pipelines-${id}`}`
          )
        )
      )
    expect(await keys()).toHaveLength(1)
    await service.request("DELETE", `/projects/${id}`)
    const gone = Effect.promise(() => until(async () => (await keys()).length === 0))
    await service.run(Effect.raceFirst(reactToPushes(service.url), gone))
    expect(await keys()).toEqual([])
  })

  it("tells what changed", async () => {
    const { id } = await newProject("changes")
    const rule = (path: string) => `  script: make\n  rules:\n    - changes: [${path}]\n`
    await put(id, ".gitlab-ci.yml", `docs:\n${rule("docs/**/*")}code:\n${rule("src/**/*")}`)
    await put(id, "src/a/b", "")
    await reacting(id, 1)
    const [newest] = await listed(id)
    expect(await statuses(id, field(newest, "id"))).toEqual(["code pending"])
  })
})
