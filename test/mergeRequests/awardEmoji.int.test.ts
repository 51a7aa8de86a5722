import { describe, expect, it } from "vitest"
import { anyId, anyTime, expectExactly, field, picked } from "#test/support/exactly.ts"
import { type Person, useMergeRequests } from "./useMergeRequests.ts"

const { get, member, newProject, open, pathOf, person, service } = useMergeRequests()
const { request } = service

const sentBy = ({ token }: Partial<Person>) => ({ token })
const award = (id: number, name: unknown, by: Partial<Person> = {}) =>
  request("POST", pathOf(id, 1, "/award_emoji"), { json: { name }, ...sentBy(by) })
const takeBack = (id: number, awardId: unknown, by: Partial<Person> = {}) =>
  request("DELETE", pathOf(id, 1, `/award_emoji/${awardId}`), sentBy(by))
const votes = async (id: number) => picked((await get(id, 1)).body, "upvotes", "downvotes")
const refused = (reason: string) => ({ status: 404, body: { message: `404 Award Emoji ${reason}Not Found` } })

describe("an emoji", () => {
  it("is awarded, told, and taken back", async () => {
    const id = await newProject("awarded")
    const opened = await open(id)
    const before = field(opened.body, "updated_at")
    const { body, status } = await award(id, "thumbsup")
    expect(status).toBe(201)
    expectExactly(body, {
      id: anyId,
      name: "thumbsup",
      user: {
        id: 1,
        username: "root",
        name: "Administrator",
        state: "active",
        locked: false,
        avatar_url: null,
        web_url: expect.any(String)
      },
      created_at: anyTime,
      updated_at: anyTime,
      awardable_id: field(opened.body, "id"),
      awardable_type: "MergeRequest",
      url: null
    })
    const path = pathOf(id, 1, "/award_emoji")
    expect((await request("GET", path)).body).toEqual([body])
    expect((await request("GET", `${path}/${field(body, "id")}`)).body).toEqual(body)
    expect(await votes(id)).toEqual({ upvotes: 1, downvotes: 0 })
    expect((await takeBack(id, field(body, "id"))).status).toBe(204)
    expect((await takeBack(id, field(body, "id"))).status).toBe(404)
    expect((await request("GET", path)).body).toEqual([])
    expect(await votes(id)).toEqual({ upvotes: 0, downvotes: 0 })
    expect(field((await get(id, 1)).body, "updated_at")).toBe(before)
  })

  it("is given once by each user and name, and refused under no name of an emoji", async () => {
    const id = await newProject("awarded-once")
    await open(id)
    await award(id, "thumbsup")
    expect(await award(id, "thumbsup")).toMatchObject(refused("Name has already been taken "))
    for (const name of ["Thumbs up", "🎉", ""])
      expect(await award(id, name)).toMatchObject(refused("Name is not a valid emoji name "))
    expect(await request("POST", pathOf(id, 1, "/award_emoji"))).toMatchObject({
      status: 400,
      body: { error: "name is missing" }
    })
    expect((await award(id, "thumbsdown")).status).toBe(201)
  })

  it("is given by whoever may comment, and taken back by them or administrators", async () => {
    const id = await newProject("awarded-by", { visibility: "public" })
    const [outsider, owner] = [await person("awarding-outsider"), await member(id, "owner", "awarding-owner")]
    await open(id)
    const { body } = await award(id, "thumbsdown", outsider)
    expect((await award(id, "thumbsdown", owner)).status).toBe(201)
    expect(await votes(id)).toEqual({ upvotes: 0, downvotes: 2 })
    expect(await takeBack(id, field(body, "id"), owner)).toMatchObject({ status: 401, body: { message: "401 Unauthorized" } })
    expect((await takeBack(id, field(body, "id"))).status).toBe(204)
    expect((await request("POST", pathOf(id, 1, "/award_emoji"), { token: null })).status).toBe(401)
    expect((await request("GET", pathOf(id, 9, "/award_emoji"))).body).toEqual({ message: "404 Not found" })
    await request("POST", `/projects/${id}/archive`)
    expect(await award(id, "tada", owner)).toMatchObject(refused(""))
  })

  it("of sixteen at once is given once", async () => {
    const id = await newProject("awarded-at-once")
    await open(id)
    const statuses = (await Promise.all(Array.from({ length: 16 }, () => award(id, "tada")))).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 15 }, () => 404)])
  })
})

describe("an emoji of a note", () => {
  it("is awarded, told, and taken back where the note is seen and somebody wrote it", async () => {
    const id = await newProject("awarded-notes", { visibility: "public" })
    const [reporter, outsider] = [await member(id, "reporter", "noted-reporter"), await person("noted-outsider")]
    await open(id)
    const note = async (json: object) => {
      const { body } = await request("POST", pathOf(id, 1, "/notes"), { json })
      return `/notes/${field(body, "id")}/award_emoji`
    }
    const post = (path: string, by: Partial<Person>, name = "tada") =>
      request("POST", pathOf(id, 1, path), { json: { name }, ...sentBy(by) })
    const [seen, internal] = [await note({ body: "a" }), await note({ body: "b", internal: true })]
    const { body, status } = await post(seen, outsider)
    expect([status, picked(body, "name", "awardable_id", "awardable_type"), field(field(body, "user"), "id")]).toEqual([
      201,
      { name: "tada", awardable_id: Number(seen.split("/")[2]), awardable_type: "Note" },
      outsider.id
    ])
    expect(await post(seen, outsider)).toMatchObject(refused("Name has already been taken "))
    expect((await request("GET", pathOf(id, 1, seen), { token: null })).body).toEqual([body])
    expect((await request("GET", pathOf(id, 1, `${seen}/${field(body, "id")}`), { token: null })).body).toEqual(body)
    expect((await request("GET", pathOf(id, 1, "/award_emoji"))).body).toEqual([])
    expect(await votes(id)).toEqual({ upvotes: 0, downvotes: 0 })
    expect([(await post(internal, outsider)).status, (await post(internal, reporter)).status]).toEqual([404, 201])
    await request("PUT", pathOf(id, 1), { json: { state_event: "close" } })
    const { body: told } = await request("GET", pathOf(id, 1, "/notes"), { query: { activity_filter: "only_activity" } })
    const closed = `/notes/${field([told].flat()[0], "id")}/award_emoji`
    expect(await post(closed, reporter)).toMatchObject(refused(""))
    expect((await request("GET", pathOf(id, 1, closed))).body).toEqual([])
    const own = pathOf(id, 1, `${seen}/${field(body, "id")}`)
    expect((await request("DELETE", own, sentBy(reporter))).status).toBe(401)
    await request("PUT", pathOf(id, 1), { json: { discussion_locked: true } })
    expect((await request("DELETE", own, sentBy(outsider))).status).toBe(404)
    expect((await request("DELETE", own)).status).toBe(204)
  })
})

describe("lists of merge requests", () => {
  it("are chosen by what the caller awarded", async () => {
    const id = await newProject("reactions", { visibility: "public" })
    const outsider = await person("reacting-outsider")
    for (const branch of ["b", "c"])
      await request("POST", `/projects/${id}/repository/branches`, { query: { branch, ref: "topic" } })
    for (const source_branch of ["topic", "b", "c"]) await open(id, { source_branch })
    await award(id, "thumbsup")
    await request("POST", pathOf(id, 2, "/award_emoji"), { json: { name: "tada" } })
    await award(id, "tada", outsider)
    const found = async (query: Readonly<Record<string, string>>, by: { readonly token?: string | null } = {}) => {
      const { body } = await request("GET", pathOf(id), { query: { ...query, sort: "asc" }, ...by })
      return Array.isArray(body) ? body.map((each) => field(each, "iid")) : body
    }
    const rows: ReadonlyArray<readonly [query: Readonly<Record<string, string>>, iids: ReadonlyArray<number>]> = [
      [{ my_reaction_emoji: "thumbsup" }, [1]],
      [{ my_reaction_emoji: "tada" }, [2]],
      [{ my_reaction_emoji: "ANY" }, [1, 2]],
      [{ my_reaction_emoji: "none" }, [3]],
      [{ my_reaction_emoji: "unknown" }, []],
      [{ my_reaction_emoji: "" }, [1, 2, 3]],
      [{ "not[my_reaction_emoji]": "tada" }, [1, 3]],
      [{ "not[my_reaction_emoji]": "Any" }, [1, 2, 3]],
      [{ my_reaction_emoji: "Any", "not[my_reaction_emoji]": "tada" }, [1]]
    ]
    for (const [query, iids] of rows) expect([query, await found(query)]).toEqual([query, iids])
    expect(await found({ my_reaction_emoji: "tada" }, outsider)).toEqual([1])
    expect(await found({ my_reaction_emoji: "tada" }, { token: null })).toEqual([1, 2, 3])
  })
})
