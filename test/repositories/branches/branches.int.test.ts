import { rm, writeFile } from "node:fs/promises"
import { beforeAll, describe, expect, it } from "vitest"
import { expectExactly, field } from "#test/support/exactly.ts"
import type { standardRepository } from "#test/support/git/gitStandard.ts"
import { requestForms } from "#test/support/requests/requestForms.ts"
import { answerOf, type Received, type Sent } from "#test/support/service.ts"
import { useProjects } from "../../projects/useProjects.ts"
import { type Code, createProject } from "../useCode.ts"
import { useFilledCode } from "../useFilledCode.ts"
import { walk } from "../walk.ts"

const { newUser, service } = useProjects()
const code = useFilledCode(service)
const under = (path: string) => `/projects/${code().id}/repository${path}`
const ask = (method: string, path: string, sent?: Sent) => service.request(method, under(path), sent)
const at = (name: string) => `/branches/${encodeURIComponent(name)}`

type Ids = Code<ReturnType<typeof standardRepository>>["fixture"]["ids"]
const ids = (): Ids => code().fixture.ids
const names = ({ body }: Received) => (Array.isArray(body) ? body.map((one) => field(one, "name")) : body)
const inOrder = [
  "both",
  "cross/left",
  "cross/right",
  "deep",
  "feature/topic",
  "latin",
  "main",
  "octopus",
  "odd",
  "orphan",
  "\u{1f600}/wörld"
]

const noStart = (ref: string) => ({ message: `Failed to create branch 'x': invalid reference name '${ref}'` })

describe("list", () => {
  it("is ordered by name", async () => {
    const received = await ask("GET", "/branches")
    expect(names(received)).toEqual(inOrder)
    expect(received.headers.get("x-total")).toBe(String(inOrder.length))
  })

  it("is paginated", async () => {
    const received = await ask("GET", "/branches", { query: { per_page: "4", page: "2" } })
    expect(names(received)).toEqual(inOrder.slice(4, 8))
    expect(received.headers.get("x-next-page")).toBe("3")
  })

  it.each<[string, Record<string, string>, number]>([
    ["by name", {}, inOrder.length],
    ["by time", { sort: "updated_desc" }, inOrder.length],
    ["of a search", { search: "o" }, 7]
  ])("is read from link to link, %s", async (_, query, total) => {
    const whole = names(await ask("GET", "/branches", { query }))
    const walked = await walk(service, under("/branches"), { ...query, pagination: "keyset", per_page: "3" })
    expect(walked).toEqual({ pages: Math.ceil(total / 3), names: whole })
  })

  it("begins behind the name of a token, and needs one that is there", async () => {
    const query = { pagination: "keyset", per_page: "2", page_token: "latin" }
    const { body, headers } = await ask("GET", "/branches", { query })
    expect([names({ body, headers, status: 200 }), headers.get("x-total"), headers.get("link")]).toEqual([
      ["main", "octopus"],
      null,
      expect.stringMatching(/^<[^>]*[?&]page_token=octopus&[^>]*>; rel="next"$/)
    ])
    expect(names(await ask("GET", "/branches", { query: { ...query, page_token: "" } }))).toEqual(["both", "cross/left"])
    expect(answerOf(await ask("GET", "/branches", { query: { ...query, page_token: "gone" } }))).toEqual([
      422,
      { message: "Invalid page token: refs/heads/gone" }
    ])
  })

  it.each([
    ["cross", ["cross/left", "cross/right"]],
    ["CROSS/", ["cross/left", "cross/right"]],
    ["^o", ["octopus", "odd", "orphan"]],
    ["t$", ["cross/left", "cross/right"]],
    ["c*t", ["cross/left", "cross/right"]],
    ["o*s", ["octopus"]],
    ["odd", ["odd"]],
    ["Wörld", ["\u{1f600}/wörld"]],
    ["nothing", []],
    ["", inOrder],
    [".*", []],
    ["--all", []]
  ])("searches %j", async (search, expected) => {
    expect(names(await ask("GET", "/branches", { query: { search } }))).toEqual(expected)
  })

  it("shows an exact match first", async () => {
    expect(names(await ask("GET", "/branches", { query: { search: "ma*" } }))).toEqual(["main"])
    expect(names(await ask("GET", "/branches", { query: { search: "la" } }))).toEqual(["latin"])
  })

  it.each([
    ["^cross/(left|up)$", ["cross/left"]],
    ["o{2}", []],
    ["^o", ["octopus", "odd", "orphan"]],
    ["(?i)^OD", ["odd"]]
  ])("matches %j", async (regex, expected) => {
    expect(names(await ask("GET", "/branches", { query: { regex } }))).toEqual(expected)
  })

  it.each(["(", "[", "*", "(?=a)", "a".repeat(1001), "\\1"])("refuses the expression %j", async (regex) => {
    expect(answerOf(await ask("GET", "/branches", { query: { regex } }))).toEqual([400, { message: "Regex is invalid" }])
  })

  it("is ordered by time", async () => {
    const times = (received: Received) =>
      (Array.isArray(received.body) ? received.body : []).map((one) =>
        Date.parse(String(field(field(one, "commit"), "committed_date")))
      )
    const ascending = times(await ask("GET", "/branches", { query: { sort: "updated_asc" } }))
    expect(ascending).toHaveLength(inOrder.length)
    expect(ascending).toEqual(ascending.toSorted((one, other) => one - other))
    const descending = times(await ask("GET", "/branches", { query: { sort: "updated_desc" } }))
    expect(descending).toEqual(ascending.toReversed())
    expect(answerOf(await ask("GET", "/branches", { query: { sort: "size" } }))).toEqual([
      400,
      { error: "sort does not have a valid value" }
    ])
  })
})

const topic = () => ({
  name: "feature/topic",
  commit: {
    id: ids().topicB,
    short_id: ids().topicB.slice(0, 8),
    created_at: expect.stringMatching(/\+02:00$/),
    parent_ids: [ids().topicA],
    title: "topicB",
    message: "topicB",
    author_name: "Ann Author",
    author_email: "ann@example.com",
    authored_date: expect.any(String),
    committer_name: "Carl Committer",
    committer_email: "carl@example.com",
    committed_date: expect.any(String),
    trailers: {},
    extended_trailers: {},
    web_url: `https://forge.example.com/root/standard/-/commit/${ids().topicB}`
  },
  merged: true,
  protected: false,
  developers_can_push: false,
  developers_can_merge: false,
  can_push: true,
  default: false,
  web_url: "https://forge.example.com/root/standard/-/tree/feature/topic"
})

describe("read", () => {
  it("shows a branch", async () => {
    const { body, status } = await ask("GET", at("feature/topic"))
    expect(status).toBe(200)
    expectExactly(body, topic())
  })

  it("tells the default branch, what is merged, and who may push", async () => {
    const main = await ask("GET", at("main"), { token: null })
    expect(main.body).toMatchObject({ default: true, merged: false, can_push: false })
    expect((await ask("GET", at("orphan"))).body).toMatchObject({ default: false, merged: false, can_push: true })
    expect((await ask("GET", at("both"))).body).toMatchObject({ merged: true, commit: { id: ids().second } })
  })

  it("encodes names in addresses", async () => {
    expect((await ask("GET", at("\u{1f600}/wörld"))).body).toMatchObject({
      web_url: "https://forge.example.com/root/standard/-/tree/%F0%9F%98%80/w%C3%B6rld"
    })
  })

  it.each(["nothing", "v1.0.0", "refs/heads/main", "heads/main", "ma"])("404 for %j", async (name) => {
    expect(answerOf(await ask("GET", at(name)))).toEqual([404, { message: "404 Branch Not Found" }])
    expect((await ask("HEAD", at(name))).status).toBe(404)
  })

  it.each(["a b", "a..b", "HEAD", "-x", "x.lock", "@{-1}", "a\n", "^main", "a:b", "@", ".x", "main~1"])(
    "400 for %j",
    async (name) => {
      const path = `/branches/${encodeURIComponent(name).replaceAll(".", "%2E")}`
      expect(answerOf(await ask("GET", path))).toEqual([400, { message: "The branch refname is invalid" }])
      expect((await ask("HEAD", path)).status).toBe(400)
    }
  )

  it("HEAD tells that there is one", async () => {
    const received = await ask("HEAD", at("main"))
    expect([received.status, received.body]).toEqual([204, undefined])
  })
})

describe("create and delete", () => {
  it.each(requestForms)("creates by %s", async (name, form) => {
    const branch = `new/${name}`
    const created = await ask("POST", "/branches", form({ branch, ref: "v1.0.0" }))
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ name: branch, commit: { id: ids().second }, merged: true, can_push: true })
    expect(code().fixture.git(["rev-parse", `refs/heads/${branch}`])).toBe(ids().second)
    expect((await ask("DELETE", at(branch))).status).toBe(204)
    expect(code().fixture.git(["for-each-ref", `refs/heads/${branch}`])).toBe("")
  })

  it.each(["dots.json", "with%2Fpercent", "ünï/cödé", "a'b\"c", "emoji-\u{1f680}", "$(id)", "heads/main2"])(
    "creates, reads and deletes %j",
    async (branch) => {
      expect((await ask("POST", "/branches", { json: { branch, ref: ids().first } })).status).toBe(201)
      expect((await ask("GET", at(branch))).body).toMatchObject({ name: branch })
      expect((await ask("DELETE", at(branch))).status).toBe(204)
      expect((await ask("GET", at(branch))).status).toBe(404)
    }
  )

  it.each([
    ["nothing", {}, { error: "branch is missing, branch is empty, ref is missing, ref is empty" }],
    ["a blank name", { branch: " ", ref: "main" }, { error: "branch is empty" }],
    ["a name that is taken", { branch: "main", ref: "v1.0.0" }, { message: "Branch already exists" }],
    ["no revision", { branch: "x", ref: "nothing" }, noStart("nothing")],
    ["an odd revision", { branch: "x", ref: "main^{/x}" }, noStart("main^{/x}")],
    ["a hidden revision", { branch: "x", ref: "refs/internal/keep" }, noStart("refs/internal/keep")],
    ["a tag of a file", { branch: "x", ref: "blob-tag" }, noStart("blob-tag")],
    ["no name", { branch: "a..b", ref: "main" }, { message: "Branch name is invalid" }],
    ["a space", { branch: "a b", ref: "main" }, { message: "Branch name is invalid" }],
    ["an option", { branch: "--all", ref: "main" }, { message: "Branch name is invalid" }],
    ["a line end", { branch: "a\nb", ref: "main" }, { message: "Branch name is invalid" }],
    ["an id as name", { branch: "a".repeat(40), ref: "main" }, { message: "Branch name is invalid" }],
    ["a full name", { branch: "refs/heads/x", ref: "main" }, { message: "Branch name is invalid" }],
    [
      "a name below a branch",
      { branch: "main/x", ref: "main" },
      { message: "Failed to create branch 'main/x': a branch above or below it exists" }
    ]
  ])("refuses %s", async (_, json, body) => {
    expect(answerOf(await ask("POST", "/branches", { json }))).toEqual([400, body])
  })

  it("says that another process is at work where a lock is in the way", async () => {
    const lock = `${code().fixture.repository.path}/refs/heads/locked.lock`
    await writeFile(lock, "")
    const { body, headers, status } = await ask("POST", "/branches", { json: { branch: "locked", ref: "main" } })
    expect([status, headers.get("retry-after"), body]).toEqual([
      503,
      "10",
      { message: "503 Service Unavailable - another process is changing the repository: it holds refs/heads/locked.lock" }
    ])
    await rm(lock)
    expect((await ask("POST", "/branches", { json: { branch: "locked", ref: "main" } })).status).toBe(201)
    expect((await ask("DELETE", at("locked"))).status).toBe(204)
  })

  it("only one of two at the same moment", async () => {
    const both = await Promise.all(["main", "v1.0.0"].map((ref) => ask("POST", "/branches", { json: { branch: "raced", ref } })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 400])
    expect(both.find(({ status }) => status === 400)?.body).toEqual({ message: "Branch already exists" })
  })

  it.each([
    ["x", "main"],
    ["x/y", "HEAD"],
    ["main", "refs/heads/main"]
  ])("in an empty repository: %s from %s, after the default branch with a README", async (branch, ref) => {
    const id = await createProject(service, { path: `empty-${branch.replace("/", "-")}` })
    const inEmpty = (method: string, path: string, sent?: Sent) =>
      service.request(method, `/projects/${id}/repository${path}`, sent)
    const created = await inEmpty("POST", "/branches", { json: { branch, ref } })
    const { body } = await inEmpty("GET", "/commits?all=true")
    expect([created.status, field(created.body, "name"), field(field(created.body, "commit"), "title")]).toEqual([
      201,
      branch,
      "Add README.md"
    ])
    expect(body).toMatchObject([{ id: field(field(created.body, "commit"), "id"), author_name: "Administrator", parent_ids: [] }])
    expect((await inEmpty("GET", "/files/README.md?ref=main")).body).toMatchObject({ size: 0, execute_filemode: false })
    expect((await inEmpty("GET", "/branches")).body).toMatchObject(
      branch === "main"
        ? [{ name: "main", default: true, protected: true }]
        : [
            { name: "main", default: true, protected: true },
            { name: branch, default: false, protected: false }
          ]
    )
    expect((await service.request("GET", `/projects/${id}`)).body).toMatchObject({ default_branch: "main", empty_repo: false })
  })

  it("in an empty repository only where the default branch may be made, and named", async () => {
    const { id: developer, token } = await newUser("empty-developer")
    const id = await createProject(service, { path: "empty-refused", members: { [developer]: 30 } })
    const post = (json: Record<string, string>, as?: string) =>
      service.request("POST", `/projects/${id}/repository/branches`, { json, ...(as && { token: as }) })
    expect(answerOf(await post({ branch: "x", ref: "main" }, token))).toEqual([
      400,
      {
        message:
          "A default branch (e.g. main) does not yet exist for root/empty-refused. Ask a project Owner or Maintainer to create a default branch."
      }
    ])
    expect(answerOf(await post({ branch: "x", ref: "other" }))).toEqual([400, noStart("other")])
    expect((await service.request("GET", `/projects/${id}`)).body).toMatchObject({ empty_repo: true })
    const both = await Promise.all(["one", "two"].map((branch) => post({ branch, ref: "main" })))
    expect(both.map(({ status }) => status)).toEqual([201, 201])
  })

  it("keeps the default branch", async () => {
    expect(answerOf(await ask("DELETE", at("main")))).toEqual([405, { message: "Cannot remove HEAD branch" }])
  })

  it("404 and 400 for what is not there", async () => {
    expect(answerOf(await ask("DELETE", at("nothing")))).toEqual([404, { message: "404 Branch Not Found" }])
    expect(answerOf(await ask("DELETE", at("a b")))).toEqual([400, { message: "The branch refname is invalid" }])
  })

  it("keeps a branch that is newer than If-Unmodified-Since", async () => {
    const headers = (date: string) => ({ headers: { "if-unmodified-since": date } })
    await ask("POST", "/branches", { json: { branch: "kept", ref: "main" } })
    expect(answerOf(await ask("DELETE", at("kept"), headers("Mon, 01 Jan 2001 00:00:00 GMT")))).toEqual([
      412,
      { message: "412 Precondition Failed" }
    ])
    expect((await ask("DELETE", at("kept"), headers("Tue, 01 Jan 2030 00:00:00 GMT"))).status).toBe(204)
  })
})

describe("protection", () => {
  let developer = { id: 0, token: "" }
  beforeAll(async () => {
    developer = await newUser("branch-developer")
    await service.request("POST", `/projects/${code().id}/members`, { json: { user_id: developer.id, access_level: 30 } })
    await ask("POST", "/branches", { json: { branch: "stable", ref: "main" } })
  })
  const asDeveloper = (sent: Sent = {}): Sent => ({ ...sent, token: developer.token })

  it("protects and unprotects by the older endpoints", async () => {
    const first = await ask("PUT", `${at("stable")}/protect`)
    expect([first.status, first.body]).toMatchObject([
      200,
      { protected: true, developers_can_push: false, developers_can_merge: false }
    ])
    const second = await ask("PUT", `${at("stable")}/protect`, { json: { developers_can_push: true } })
    expect(second.body).toMatchObject({ protected: true, developers_can_push: true, developers_can_merge: false })
    expect((await ask("GET", at("stable"), asDeveloper())).body).toMatchObject({ can_push: true })
    const third = await ask("PUT", `${at("stable")}/protect`, {
      json: { developers_can_push: false, developers_can_merge: true }
    })
    expect(third.body).toMatchObject({ developers_can_push: false, developers_can_merge: true })
    const again = await ask("PUT", `${at("stable")}/protect`)
    expect(again.body).toEqual(third.body)
    const ended = await ask("PUT", `${at("stable")}/unprotect`)
    expect([ended.status, ended.body]).toMatchObject([200, { protected: false }])
    expect((await ask("PUT", `${at("stable")}/unprotect`)).status).toBe(200)
  })

  it("is for Maintainers, and for branches that are there", async () => {
    expect(answerOf(await ask("PUT", `${at("stable")}/protect`, asDeveloper()))).toEqual([403, { message: "403 Forbidden" }])
    expect(answerOf(await ask("PUT", `${at("stable")}/unprotect`, asDeveloper()))).toEqual([403, { message: "403 Forbidden" }])
    expect(answerOf(await ask("PUT", `${at("nothing")}/protect`))).toEqual([404, { message: "404 Branch Not Found" }])
  })

  it("keeps Developers from deleting, not Maintainers", async () => {
    await ask("POST", "/branches", { json: { branch: "doomed", ref: "main" } })
    await ask("PUT", `${at("doomed")}/protect`, { json: { developers_can_push: true } })
    expect(answerOf(await ask("DELETE", at("doomed"), asDeveloper()))).toEqual([
      403,
      { message: "You don't have push access to this branch" }
    ])
    expect((await ask("DELETE", at("doomed"))).status).toBe(204)
  })

  it("lets only those create who may push, or merge what is protected already", async () => {
    const protect = (name: string, push: number, merge: number) =>
      service.request("POST", `/projects/${code().id}/protected_branches`, {
        json: { name, push_access_level: push, merge_access_level: merge }
      })
    await protect("release/*", 40, 40)
    await protect("pushable/*", 30, 40)
    await protect("mergeable/*", 40, 30)
    const create = (branch: string, ref: string) => ask("POST", "/branches", asDeveloper({ json: { branch, ref } }))
    const refused = [400, { message: "You are not allowed to create protected branches on this project." }]
    expect(answerOf(await create("release/1", "main"))).toEqual(refused)
    expect((await create("pushable/1", "main")).status).toBe(201)
    expect(answerOf(await create("mergeable/1", "orphan"))).toEqual(refused)
    expect((await create("mergeable/1", "pushable/1")).status).toBe(201)
    expect((await ask("POST", "/branches", { json: { branch: "release/1", ref: "main" } })).status).toBe(201)
    expect((await ask("GET", at("release/1"), asDeveloper())).body).toMatchObject({ protected: true, can_push: false })
    await ask("DELETE", at("pushable/1"))
  })

  it("merged branches go, but for protected ones and the default one", async () => {
    await ask("POST", "/branches", { json: { branch: "old", ref: "v1.0.0" } })
    await ask("POST", "/branches", { json: { branch: "release/old", ref: "v1.0.0" } })
    await ask("POST", "/branches", { json: { branch: "just-made", ref: "main" } })
    const received = await ask("DELETE", "/merged_branches")
    expect(answerOf(received)).toEqual([202, { message: "202 Accepted" }])
    const left = names(await ask("GET", "/branches", { query: { per_page: "100" } }))
    expect(left).toEqual(expect.arrayContaining(["main", "release/old", "just-made", "orphan", "cross/left"]))
    for (const gone of ["old", "both", "feature/topic"]) expect(left).not.toContain(gone)
    expect((await ask("DELETE", "/merged_branches")).status).toBe(202)
  })
})
