import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { addTodo } from "#src/todos/writes.ts"
import { type Person, useMergeRequests } from "#test/mergeRequests/useMergeRequests.ts"
import { anyId, anyTime, expectExactly, field, picked } from "#test/support/exactly.ts"
import { settled } from "#test/support/reactions/settled.ts"

const { member, newProject, open, pathOf, person, put, remove, service } = useMergeRequests()
const { request } = service

const sentBy = ({ token }: Partial<Person>) => ({ token })
const add = (id: number, iid: number, by: Partial<Person> = {}) => request("POST", pathOf(id, iid, "/todo"), sentBy(by))
const todos = async (query: Readonly<Record<string, string>> = {}, by: Partial<Person> = {}) => {
  const { body } = await request("GET", "/todos", { query, ...sentBy(by) })
  return Array.isArray(body) ? body : expect.unreachable(JSON.stringify(body))
}
const idsOf = (list: ReadonlyArray<unknown>) => list.map((todo) => field(todo, "id"))
const markDone = (id: unknown, by: Partial<Person> = {}) => request("POST", `/todos/${id}/mark_as_done`, sentBy(by))
const missing = { status: 404, body: { message: "404 Not found" } }

/** A project with merge requests from some branches. */
const withRequests = async (name: string, settings: object, branches: ReadonlyArray<string>) => {
  const id = await newProject(name, settings)
  for (const branch of branches) await request("POST", `/projects/${id}/repository/branches`, { query: { branch, ref: "topic" } })
  for (const source_branch of ["topic", ...branches]) await open(id, { source_branch, title: `Add ${source_branch}` })
  return id
}

describe("a to-do", () => {
  it("is added, told, done, and added again", async () => {
    const id = await newProject("marked", { visibility: "public" })
    const somebody = await person("marking-person")
    await open(id)
    const { body, status } = await add(id, 1, somebody)
    expect(status).toBe(201)
    const { body: read } = await request("GET", pathOf(id, 1), { token: null })
    const { first_contribution, head_pipeline, latest_build_finished_at, latest_build_started_at, pipeline, ...shown } =
      Object(read)
    const { first_deployed_to_production_at, ...target } = shown
    const url = expect.stringMatching(/\/root\/marked\/-\/merge_requests\/1$/)
    expectExactly(body, {
      id: anyId,
      project: {
        id,
        description: null,
        name: "marked",
        name_with_namespace: "Administrator / marked",
        path: "marked",
        path_with_namespace: "root/marked",
        created_at: anyTime
      },
      author: {
        id: somebody.id,
        username: "marking-person",
        name: expect.any(String),
        state: "active",
        locked: false,
        avatar_url: null,
        web_url: expect.any(String)
      },
      action_name: "marked",
      target_type: "MergeRequest",
      target,
      target_url: url,
      body: "Add a topic",
      state: "pending",
      created_at: anyTime,
      updated_at: anyTime
    })
    const again = await add(id, 1, somebody)
    expect([again.status, again.body]).toEqual([304, undefined])
    expect(await todos({}, somebody)).toEqual([body])
    const done = await markDone(field(body, "id"), somebody)
    expect([done.status, picked(done.body, "id", "state", "created_at")]).toEqual([
      201,
      { id: field(body, "id"), state: "done", created_at: field(body, "created_at") }
    ])
    expect((await markDone(field(body, "id"), somebody)).body).toEqual(done.body)
    expect(await todos({}, somebody)).toEqual([])
    expect(await todos({ state: "done" }, somebody)).toEqual([done.body])
    const second = await add(id, 1, somebody)
    expect(second.status).toBe(201)
    expect(idsOf(await todos({}, somebody))).toEqual([field(second.body, "id")])
    expect(field((await markDone(field(body, "id"), somebody)).body, "state")).toBe("done")
    expect(idsOf(await todos({}, somebody))).toEqual([field(second.body, "id")])
  })

  it("is of one user alone, and not for who has no token", async () => {
    const id = await newProject("of-one")
    const developer = await member(id, "developer", "todo-developer")
    await open(id)
    const { body } = await add(id, 1, developer)
    expect(await markDone(field(body, "id"))).toMatchObject(missing)
    expect(await markDone(999_999)).toMatchObject(missing)
    expect(idsOf(await todos({ project_id: String(id) }))).toEqual([])
    expect(await add(id, 9, developer)).toMatchObject(missing)
    const unauthorized = { status: 401, body: { message: "401 Unauthorized" } }
    for (const [method, path] of [
      ["GET", "/todos"],
      ["POST", "/todos/mark_as_done"],
      ["POST", "/todos/1/mark_as_done"],
      ["POST", pathOf(id, 1, "/todo")]
    ] as const)
      expect(await request(method, path, { token: null })).toMatchObject(unauthorized)
  })

  it("of sixteen at once is added once", async () => {
    const id = await newProject("marked-at-once")
    await open(id)
    const statuses = (await Promise.all(Array.from({ length: 16 }, () => add(id, 1)))).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 15 }, () => 304)])
  })

  it("is not told of what its user may not see any more, and goes with what it is about", async () => {
    const id = await withRequests("hidden-later", { visibility: "public" }, ["b"])
    const outsider = await person("todo-outsider")
    const { body } = await add(id, 1, outsider)
    const { body: other } = await add(id, 2, outsider)
    await request("PUT", `/projects/${id}`, { json: { visibility: "private" } })
    expect(await todos({}, outsider)).toEqual([])
    expect(await markDone(field(body, "id"), outsider)).toMatchObject(missing)
    await request("PUT", `/projects/${id}`, { json: { visibility: "public" } })
    await put(id, 1, { title: "Another" })
    const target = { ...Object(field(body, "target")), title: "Another", updated_at: anyTime }
    expect(await todos({}, outsider)).toEqual([other, { ...Object(body), target, body: "Another" }])
    await remove(id, 1)
    expect(await todos({}, outsider)).toEqual([other])
    expect(await markDone(field(body, "id"), outsider)).toMatchObject(missing)
  })

  it("tells a description of any length", async () => {
    const id = await newProject("long-todo")
    const description = "🦊".repeat(600_000)
    await open(id, { description })
    expect(field(field((await add(id, 1)).body, "target"), "description") === description).toBe(true)
  })

  it("that comes about while what it is about is deleted is counted for nobody", async () => {
    const id = await withRequests("deleted-meanwhile", { visibility: "public" }, [])
    const somebody = await person("todo-meanwhile")
    await remove(id, 1)
    const target = { type: "MergeRequest", projectId: id, iid: 1 } as const
    const late = { userId: somebody.id, target, action: "assigned", authorId: 1, cause: { position: 1 } } as const
    await service.run(Effect.andThen(addTodo(late), settled))
    const { body, headers } = await request("GET", "/todos", sentBy(somebody))
    expect([body, headers.get("x-total")]).toEqual([[], "0"])
  })
})

describe("lists of to-dos", () => {
  it("are chosen by their parameters, the newest first", async () => {
    const somebody = await person("listing-person")
    const group = field(
      (await request("POST", "/groups", { json: { name: "todos", path: "todos", visibility: "public" } })).body,
      "id"
    )
    const below = { name: "below", path: "below", parent_id: group, visibility: "public" }
    const subgroup = field((await request("POST", "/groups", { json: below })).body, "id")
    const own = await withRequests("listed-own", { visibility: "public" }, ["b"])
    const inGroup = await withRequests("listed-below", { visibility: "public", namespace_id: subgroup }, [])
    const ids = [
      field((await add(own, 1, somebody)).body, "id"),
      field((await add(own, 2, somebody)).body, "id"),
      field((await add(inGroup, 1, somebody)).body, "id")
    ]
    const [first, second, third] = ids
    const rows: ReadonlyArray<readonly [query: Readonly<Record<string, string>>, found: ReadonlyArray<unknown>]> = [
      [{}, [third, second, first]],
      [{ state: "pending", type: "MergeRequest", action: "marked" }, [third, second, first]],
      [{ state: "done" }, []],
      [{ action: "assigned" }, []],
      [{ type: "Issue" }, []],
      [{ author_id: String(somebody.id) }, [third, second, first]],
      [{ author_id: "1" }, []],
      [{ project_id: String(own) }, [second, first]],
      [{ project_id: "999999" }, []],
      [{ group_id: String(group) }, [third]],
      [{ group_id: String(subgroup), author_id: String(somebody.id) }, [third]],
      [{ group_id: "999999" }, []],
      [{ per_page: "2", page: "2" }, [first]]
    ]
    for (const [query, found] of rows) expect([query, idsOf(await todos(query, somebody))]).toEqual([query, found])
    const { headers } = await request("GET", "/todos", { ...sentBy(somebody), query: { per_page: "2" } })
    expect([headers.get("x-total"), headers.get("x-next-page")]).toEqual(["3", "2"])
    for (const name of ["action", "state", "type"]) {
      const { body, status } = await request("GET", "/todos", { query: { [name]: "wrong" } })
      expect([status, body]).toEqual([400, { error: `${name} does not have a valid value` }])
    }
  })

  it("are done at once", async () => {
    const somebody = await person("finishing-person")
    const id = await withRequests("all-done", { visibility: "public" }, ["b", "c"])
    for (const iid of [1, 2, 3]) await add(id, iid, somebody)
    const done = await request("POST", "/todos/mark_as_done", sentBy(somebody))
    expect([done.status, done.body]).toEqual([204, undefined])
    expect([await todos({}, somebody), (await todos({ state: "done" }, somebody)).length]).toEqual([[], 3])
    expect((await request("POST", "/todos/mark_as_done", sentBy(somebody))).status).toBe(204)
    expect((await add(id, 2, somebody)).status).toBe(201)
  })
})
