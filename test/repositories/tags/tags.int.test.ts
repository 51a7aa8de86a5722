import { beforeAll, describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { requestForms } from "#test/support/requests/requestForms.ts"
import { answerOf, type Received, type Sent } from "#test/support/service.ts"
import { useProjects } from "../../projects/useProjects.ts"
import { useFilledCode } from "../useFilledCode.ts"
import { walk } from "../walk.ts"

const { newUser, service } = useProjects()
const code = useFilledCode(service)
const ask = (method: string, path: string, sent?: Sent) =>
  service.request(method, `/projects/${code().id}/repository/tags${path}`, sent)
const at = (name: string) => `/${encodeURIComponent(name)}`
const names = ({ body }: Received) => (Array.isArray(body) ? body.map((one) => field(one, "name")) : body)
const git = (...args: ReadonlyArray<string>) => code().fixture.git(args)

const byName = ["blob-tag", "both", "nested", "signed", "tree-tag", "v1.0.0", "v1.1.0"]
const keys = ["name", "message", "target", "commit", "release", "protected", "created_at"]

describe("list", () => {
  it("is ordered by time, newest first", async () => {
    const received = await ask("GET", "")
    const times = byName.map(
      (name) => [name, Number(git("for-each-ref", "--format=%(creatordate:unix)", `refs/tags/${name}`))] as const
    )
    const expected = times.toSorted(([, one], [, other]) => other - one).map(([name]) => name)
    expect(names(received)).toEqual(expected)
    expect(received.headers.get("x-total")).toBe("7")
  })

  it("is ordered by name and by version", async () => {
    expect(names(await ask("GET", "", { query: { order_by: "name" } }))).toEqual(byName.toReversed())
    expect(names(await ask("GET", "", { query: { order_by: "name", sort: "asc" } }))).toEqual(byName)
    for (const tag_name of ["ver1.10.0", "ver1.9.0", "ver1.9.0-rc1"]) await ask("POST", "", { json: { tag_name, ref: "main" } })
    const query = { order_by: "version", search: "^ver" }
    expect(names(await ask("GET", "", { query: { ...query, sort: "asc" } }))).toEqual(["ver1.9.0-rc1", "ver1.9.0", "ver1.10.0"])
    expect(names(await ask("GET", "", { query }))).toEqual(["ver1.10.0", "ver1.9.0", "ver1.9.0-rc1"])
    for (const name of ["ver1.10.0", "ver1.9.0", "ver1.9.0-rc1"]) expect((await ask("DELETE", at(name))).status).toBe(204)
  })

  it("is searched and paginated", async () => {
    const query = { order_by: "name", sort: "asc" }
    expect(names(await ask("GET", "", { query: { ...query, search: "^V1" } }))).toEqual(["v1.0.0", "v1.1.0"])
    expect(names(await ask("GET", "", { query: { ...query, search: "tag$" } }))).toEqual(["blob-tag", "tree-tag"])
    expect(names(await ask("GET", "", { query: { ...query, per_page: "3", page: "3" } }))).toEqual(["v1.1.0"])
  })

  it("is read from link to link", async () => {
    const whole = names(await ask("GET", ""))
    const path = `/projects/${code().id}/repository/tags`
    expect(await walk(service, path, { pagination: "keyset", per_page: "2" })).toEqual({ pages: 4, names: whole })
    const query = { pagination: "keyset", page_token: "main" }
    expect(answerOf(await ask("GET", "", { query }))).toEqual([422, { message: "Invalid page token: refs/tags/main" }])
  })

  it("refuses other orders", async () => {
    expect(answerOf(await ask("GET", "", { query: { order_by: "size", sort: "up" } }))).toEqual([
      400,
      { error: "sort does not have a valid value, order_by does not have a valid value" }
    ])
  })
})

describe("read", () => {
  it("an annotated one", async () => {
    const { body, status } = await ask("GET", at("v1.0.0"))
    expect(status).toBe(200)
    expect(Object.keys(Object(body))).toEqual(keys)
    expect(body).toMatchObject({
      name: "v1.0.0",
      message: "Version 1\n\nWith a body",
      target: git("rev-parse", "refs/tags/v1.0.0"),
      commit: { id: code().fixture.ids.second, trailers: {}, extended_trailers: {} },
      release: null,
      protected: false,
      created_at: "2023-11-14T18:45:00.000-03:30"
    })
  })

  it("tells of no release where releases are private, or switched off", async () => {
    const set = (releases_access_level: string) =>
      service.request("PUT", `/projects/${code().id}`, { json: { releases_access_level } })
    const shown = async (sent?: Sent) => Object.keys(Object((await ask("GET", at("v1.0.0"), sent)).body))
    const without = keys.filter((key) => key !== "release")
    await set("private")
    expect([await shown(), await shown({ token: null })]).toEqual([keys, without])
    await set("disabled")
    expect(await shown()).toEqual(without)
    await set("enabled")
    expect(await shown({ token: null })).toEqual(keys)
  })

  it("one that is not annotated", async () => {
    const { fifth } = code().fixture.ids
    const { body } = await ask("GET", at("v1.1.0"))
    expect(body).toMatchObject({ message: "", target: fifth, commit: { id: fifth }, created_at: null })
  })

  it("a tag of a tag, a signed one, and those of no commit", async () => {
    expect((await ask("GET", at("nested"))).body).toMatchObject({
      message: "A tag of a tag",
      commit: { id: code().fixture.ids.second }
    })
    expect((await ask("GET", at("signed"))).body).toMatchObject({
      message: "Signed",
      created_at: "2023-11-15T04:00:00.000+05:30"
    })
    expect((await ask("GET", at("blob-tag"))).body).toMatchObject({ message: "", commit: null, created_at: null })
    expect((await ask("GET", at("tree-tag"))).body).toMatchObject({ commit: null })
  })

  it.each(["nothing", "main", "refs/tags/v1.0.0", "tags/v1.0.0"])("404 for %j", async (name) => {
    expect(answerOf(await ask("GET", at(name)))).toEqual([404, { message: "404 Tag Not Found" }])
  })

  it.each(["a b", "v1.0.0^{}", "v1.0.0~0", "-x", "a..b", "x.lock"])("400 for %j", async (name) => {
    expect(answerOf(await ask("GET", at(name)))).toEqual([400, { message: "The tag refname is invalid" }])
  })
})

describe("create and delete", () => {
  it.each(requestForms)("by %s", async (form, sent) => {
    const tag_name = `made/by-${form}`
    const light = await ask("POST", "", sent({ tag_name, ref: "feature/topic" }))
    expect([light.status, light.body]).toMatchObject([201, { name: tag_name, message: "", created_at: null }])
    expect(git("rev-parse", `refs/tags/${tag_name}`)).toBe(code().fixture.ids.topicB)
    expect(answerOf(await ask("DELETE", at(tag_name)))).toEqual([204, undefined])
    const annotated = await ask("POST", "", sent({ tag_name, ref: "main", message: " Ünï\n\nbody\n" }))
    expect([annotated.status, annotated.body]).toMatchObject([
      201,
      { message: "Ünï\n\nbody", commit: { id: code().fixture.ids.head } }
    ])
    expect(git("cat-file", "-p", `refs/tags/${tag_name}`)).toMatch(
      new RegExp(
        `^object ${code().fixture.ids.head}\ntype commit\ntag ${tag_name}\ntagger [^<]+ <[^>]+> \\d+ \\+0000\n\nÜnï\n\nbody$`
      )
    )
    expect((await ask("DELETE", at(tag_name))).status).toBe(204)
    expect((await ask("GET", at(tag_name))).status).toBe(404)
  })

  it.each(["dots.json", "ünï/cödé", "%2F", "a'b\"c", "emoji-\u{1f680}", "$(id)", "tags/x"])("names %j", async (tag_name) => {
    const created = await ask("POST", "", { json: { tag_name, ref: "main", message: "m" } })
    expect([created.status, created.body]).toMatchObject([201, { name: tag_name }])
    expect((await ask("GET", at(tag_name))).body).toEqual(created.body)
    expect((await ask("DELETE", at(tag_name))).status).toBe(204)
  })

  it.each([
    ["nothing", {}, { error: "tag_name is missing, ref is missing" }],
    ["a name that is taken", { tag_name: "v1.0.0", ref: "main" }, { message: "Tag v1.0.0 already exists" }],
    ["no revision", { tag_name: "x", ref: "nothing" }, { message: "Target nothing is invalid" }],
    ["a blank revision", { tag_name: "x", ref: "" }, { message: "Target is empty" }],
    ["a hidden revision", { tag_name: "x", ref: "refs/internal/keep" }, { message: "Target refs/internal/keep is invalid" }],
    ["a blank name", { tag_name: "", ref: "main" }, { message: "Tag name invalid" }],
    ["no name", { tag_name: "a b", ref: "main" }, { message: "Tag name invalid" }],
    ["an option", { tag_name: "--all", ref: "main" }, { message: "Tag name invalid" }],
    ["a full name", { tag_name: "refs/tags/x", ref: "main" }, { message: "Tag name invalid" }],
    ["an id as name", { tag_name: "f".repeat(40), ref: "main" }, { message: "Tag name invalid" }],
    [
      "a name below a tag",
      { tag_name: "both/x", ref: "main" },
      { message: "Failed to create tag 'both/x': a tag above or below it exists" }
    ]
  ])("refuses %s", async (_, json, body) => {
    expect(answerOf(await ask("POST", "", { json }))).toEqual([400, body])
  })

  it("a message cannot be more than a message", async () => {
    const created = await ask("POST", "", {
      json: { tag_name: "hostile", ref: "main", message: "a\n\ntagger Eve <e@e> 1 +0000\nx" }
    })
    expect(created.body).toMatchObject({ message: "a\n\ntagger Eve <e@e> 1 +0000\nx" })
    await ask("DELETE", at("hostile"))
  })

  it("404 for what is not there, 412 for what is newer", async () => {
    expect(answerOf(await ask("DELETE", at("nothing")))).toEqual([404, { message: "404 Tag Not Found" }])
    const { token } = await newUser("tag-outsider")
    expect(answerOf(await ask("DELETE", at("nothing"), { token }))).toEqual([404, { message: "404 Tag Not Found" }])
    expect(answerOf(await ask("DELETE", at("v1.1.0"), { token }))).toEqual([403, { message: "403 Forbidden" }])
    const headers = { "if-unmodified-since": "Mon, 01 Jan 2001 00:00:00 GMT" }
    expect(answerOf(await ask("DELETE", at("v1.1.0"), { headers }))).toEqual([412, { message: "412 Precondition Failed" }])
  })
})

describe("protection", () => {
  let token = ""
  beforeAll(async () => {
    const developer = await newUser("tag-developer")
    token = developer.token
    await service.request("POST", `/projects/${code().id}/members`, { json: { user_id: developer.id, access_level: 30 } })
    await service.request("POST", `/projects/${code().id}/protected_tags`, {
      json: { name: "stable-*", create_access_level: 40 }
    })
    await service.request("POST", `/projects/${code().id}/protected_tags`, { json: { name: "open-*", create_access_level: 30 } })
  })

  it("lets only those create and delete who may", async () => {
    const create = (tag_name: string, by?: string) => ask("POST", "", { json: { tag_name, ref: "main" }, token: by })
    expect(answerOf(await create("stable-1", token))).toEqual([
      400,
      { message: "You are not allowed to create this tag as it is protected." }
    ])
    expect((await create("stable-1")).body).toMatchObject({ protected: true })
    expect((await create("open-1", token)).status).toBe(201)
    expect(answerOf(await ask("DELETE", at("open-1"), { token }))).toEqual([
      403,
      {
        message:
          "You are not allowed to delete protected tags from this project. Only a project maintainer or owner can delete a protected tag."
      }
    ])
    expect((await ask("DELETE", at("open-1"))).status).toBe(204)
    expect((await create("free", token)).status).toBe(201)
    expect((await ask("DELETE", at("free"), { token })).status).toBe(204)
  })
})
