import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { BeingCounted } from "#src/git/contributors/limits.ts"
import { WireError } from "#src/http/answer/errors.ts"
import { refusalOf } from "#src/repositories/contributors/handlers.ts"
import { expectExactly, field } from "#test/support/exactly.ts"
import { useService } from "#test/support/service.ts"
import { createBareProject, useEmptyCode } from "../useCode.ts"

const service = useService()
const code = useEmptyCode(service, { path: "people" })

const contributors = (query: Readonly<Record<string, string>> = {}, id = code().id) =>
  service.request("GET", `/projects/${id}/repository/contributors`, { token: null, query })
const emails = (body: unknown) => (Array.isArray(body) ? body.map((each) => field(each, "email")) : [])

let time = 1_700_000_000
const by = (name: string, email: string) => ({ name, email, seconds: time++, offset: "+0000" })

beforeAll(() => {
  const { commits } = code().fixture
  const ref = "refs/heads/main"
  commits([
    { mark: "1", author: by("Old name", "zoe@example.com"), files: { a: "1\n2\n3\n" } },
    { mark: "2", author: by("bob", "Bob@example.com"), files: { b: "1\n" } },
    { mark: "3", author: by("Zoe", "zoe@example.com"), files: { a: "1\n3\n", c: "1\n" } },
    { mark: "4", author: by("Ada", "ada@example.com"), files: { d: "1\n2\n" } },
    { mark: "5", author: by("", "zoe@example.com"), files: { e: "1\n" } },
    { mark: "6", author: by("bob", "bob@example.com"), files: { b: null } },
    { mark: "side", ref: "refs/heads/side", parents: ["3"], author: by("Sid", "sid@example.com"), files: { s: "1\n" } },
    { mark: "merge", ref, parents: ["6", "side"], author: by("Mia", "mia@example.com"), files: { s: "1\n" } }
  ])
})

const zoe = { name: "Zoe", email: "zoe@example.com", commits: 3, additions: 5, deletions: 1 }
const ada = { name: "Ada", email: "ada@example.com", commits: 1, additions: 2, deletions: 0 }
const upperBob = { name: "bob", email: "Bob@example.com", commits: 1, additions: 1, deletions: 0 }
const lowerBob = { name: "bob", email: "bob@example.com", commits: 1, additions: 0, deletions: 1 }
const sid = { name: "Sid", email: "sid@example.com", commits: 1, additions: 1, deletions: 0 }

it("are counted by address, the least active first; merges do not count", async () => {
  const received = await contributors()
  expect(received.status).toBe(200)
  expectExactly(received.body, [upperBob, ada, lowerBob, sid, zoe])
})

describe("in order", () => {
  it.each([
    [{ sort: "desc" }, [zoe, upperBob, ada, lowerBob, sid]],
    [{ order_by: "commits", sort: "asc" }, [upperBob, ada, lowerBob, sid, zoe]],
    [{ order_by: "name" }, [ada, upperBob, lowerBob, sid, zoe]],
    [{ order_by: "name", sort: "desc" }, [zoe, sid, upperBob, lowerBob, ada]],
    [{ order_by: "email" }, [ada, upperBob, lowerBob, sid, zoe]],
    [{ order_by: "email", sort: "desc" }, [zoe, sid, upperBob, lowerBob, ada]]
  ])("%j", async (query, expected) => {
    expectExactly((await contributors(query)).body, expected)
  })
})

it("of another ref", async () => {
  expect(emails((await contributors({ ref: "side", order_by: "email" })).body)).toEqual([
    "Bob@example.com",
    "sid@example.com",
    "zoe@example.com"
  ])
})

it("come in pages, whose links say the defaults", async () => {
  const { body, headers } = await contributors({ per_page: "2", page: "2" })
  expectExactly(body, [lowerBob, sid])
  const names = ["x-per-page", "x-page", "x-next-page", "x-prev-page", "x-total", "x-total-pages"]
  expect(names.map((name) => headers.get(name))).toEqual(["2", "2", "3", "1", "5", "3"])
  expect(headers.get("link")).toContain('order_by=commits&page=3&per_page=2&sort=asc>; rel="next"')
  expect((headers.get("link") ?? "").match(/rel="\w+"/g)).toEqual(['rel="prev"', 'rel="next"', 'rel="first"', 'rel="last"'])
})

describe("refusals", () => {
  it.each([
    ["an unknown ref", { ref: "nowhere" }, 404, { message: "404 Not Found" }],
    ["another order", { order_by: "age" }, 400, { error: "order_by does not have a valid value" }],
    ["another direction", { sort: "up" }, 400, { error: "sort does not have a valid value" }],
    [
      "both",
      { order_by: "", sort: "" },
      400,
      { error: "order_by does not have a valid value, sort does not have a valid value" }
    ],
    ["no page", { per_page: "0" }, 400, { error: "per_page has a value not allowed" }]
  ])("%s", async (_, query, status, body) => {
    const received = await contributors(query)
    expect([received.status, received.body]).toEqual([status, body])
  })

  it("names the limit to which the count of a commit came, until it is higher", async () => {
    const { fixture } = code()
    const commit = fixture.commits([{ mark: "dear", ref: "refs/heads/dear", files: { a: "1\n" } }]).dear
    const file = join(fixture.repository.path, `contributors.v1/${commit}.exceeded`)
    const note = (memory: number) => JSON.stringify({ exceeded: "memory", memory, cpu: 60, wall: 60 })
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, note(2048 * 1024 ** 2))
    const refused = await contributors({ ref: "dear" })
    const message = "The contributors cannot be counted: counting them needs more than 2048 MiB of memory"
    expect([refused.status, refused.body]).toEqual([422, { message }])
    writeFileSync(file, note(1024 ** 2))
    expect((await contributors({ ref: "dear" })).status).toBe(200)
  })

  it("says when to ask again while they are being counted", () => {
    expect(refusalOf(new BeingCounted({ seconds: 12 }))).toEqual(
      new WireError({
        status: 503,
        body: { message: "503 Service Unavailable - the contributors are being counted" },
        headers: { "retry-after": "12" }
      })
    )
  })

  it("nobody contributed to an empty repository", async () => {
    const bare = await createBareProject(service, "bare")
    const received = await contributors({}, bare)
    expect([received.status, received.body, received.headers.get("x-total")]).toEqual([200, [], "0"])
    expect((await contributors({ ref: "main" }, bare)).body).toEqual({ message: "404 Not Found" })
  })
})
