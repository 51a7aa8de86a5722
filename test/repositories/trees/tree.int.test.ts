import { describe, expect, it } from "vitest"
import { expectExactly, field } from "#test/support/exactly.ts"
import { type Received, type Sent, useService } from "#test/support/service.ts"
import { useStandardCode } from "../useCode.ts"

const externalUrl = "https://forge.example.com"
const service = useService({ EXTERNAL_URL: externalUrl })
const code = useStandardCode(service)

const tree = (query: Sent["query"] = {}, id: number | string = code().id): Promise<Received> =>
  service.request("GET", `/projects/${id}/repository/tree`, { token: null, query })
const paths = ({ body }: Received) => (Array.isArray(body) ? body.map((entry) => String(field(entry, "path"))) : [])
/** Where a link leads to, as a path below `/api/v4` with its query. */
const target = (link: string | null, relation: string) =>
  new RegExp(`<${externalUrl}/api/v4([^>]+)>; rel="${relation}"`).exec(link ?? "")?.[1]
const next = ({ headers }: Received) => target(headers.get("link"), "next")

/** All pages from the first on, by their links. */
const follow = async (first: Received): Promise<ReadonlyArray<Received>> => {
  const pages = [first]
  for (let link = next(first); link !== undefined; link = next(pages.at(-1) ?? first)) {
    pages.push(await service.request("GET", link, { token: null }))
  }
  return pages
}

const pagingHeaders = ["x-per-page", "x-page", "x-next-page", "x-prev-page", "x-total", "x-total-pages"]
const paging = ({ headers }: Received) => pagingHeaders.map((name) => headers.get(name))
const nothingTold = pagingHeaders.map(() => null)

/** What git lists, in the order of answers. */
const listed = (ref: string, path = "", recursive = false) => {
  const { git } = code().fixture
  const at = path === "" ? ref : `${ref}:${path}`
  const records = git(["ls-tree", "-z", ...(recursive ? ["-r", "-t"] : []), at])
    .split("\0")
    .filter(Boolean)
    .map((record) => {
      const [, mode = "", type = "", id = "", below = ""] = /^(\d+) (\w+) (\w+)\t([\s\S]*)$/.exec(record) ?? []
      return { id, name: below.slice(below.lastIndexOf("/") + 1), type, path: path === "" ? below : `${path}/${below}`, mode }
    })
  return ["tree", "blob", "commit"].flatMap((type) => records.filter((record) => record.type === type))
}

describe("entries", () => {
  it.each([
    ["the default branch", {}, "refs/heads/main", ""],
    ["a branch", { ref: "feature/topic" }, "feature/topic", ""],
    ["a tag", { ref: "v1.1.0" }, "v1.1.0", ""],
    ["an annotated tag", { ref: "v1.0.0" }, "v1.0.0", ""],
    ["a full ref", { ref: "refs/heads/main" }, "refs/heads/main", ""],
    ["a directory", { path: "src" }, "refs/heads/main", "src"],
    ["a directory with slashes around", { path: "/src/lib/" }, "refs/heads/main", "src/lib"]
  ])("of %s", async (_, query, ref, path) => {
    const received = await tree(query)
    expect(received.status).toBe(200)
    expectExactly(received.body, listed(ref, path))
  })

  it("of a commit, by its full and its abbreviated id", async () => {
    const { second } = code().fixture.ids
    for (const ref of [second, second.slice(0, 10)]) expectExactly((await tree({ ref })).body, listed(second))
  })

  it("have types and modes of each kind, directories first, submodules last", async () => {
    const { body } = await tree()
    expect(body).toEqual(expect.arrayContaining([expect.objectContaining({ type: "tree", mode: "040000", path: "src" })]))
    expect(body).toEqual(expect.arrayContaining([expect.objectContaining({ type: "blob", mode: "120000" })]))
    expect(Array.isArray(body) && body.at(-1)).toMatchObject({ name: "sub", type: "commit", mode: "160000" })
  })

  it("of a project by its path", async () => {
    expect(paths(await tree({}, encodeURIComponent("root/standard")))).toEqual(paths(await tree()))
  })

  it.each([
    ["main", ""],
    ["refs/heads/deep", ""],
    ["main", "src"],
    ["refs/heads/main", "src/lib"]
  ])("recursively of %s %s: directories first over the whole", async (ref, path) => {
    const pages = await follow(await tree({ ref, path, recursive: "true", per_page: "7" }))
    expectExactly(
      pages.flatMap(({ body }) => body),
      listed(ref, path, true)
    )
  })

  it("take switches in other words", async () => {
    const all = paths(await tree({ recursive: "true", per_page: "100" }))
    for (const recursive of ["1", "True", "yes", "on"]) expect(paths(await tree({ recursive, per_page: "100" }))).toEqual(all)
    for (const recursive of ["0", "False", "no", "off", ""]) expect(paths(await tree({ recursive }))).not.toContain("src/lib")
  })
})

describe("keyset pages", () => {
  it.each([{}, { pagination: "keyset" }, { pagination: "keyset", page: "2" }])("tell nothing but a link: %j", async (query) => {
    const received = await tree({ ...query, per_page: "2" })
    expect(paging(received)).toEqual(nothingTold)
    expect(paths(received)).toEqual(paths(await tree()).slice(0, 2))
    expect(received.headers.get("link")).toMatch(/^<[^>]+>; rel="next"$/)
  })

  it("link to what was sent, and no more", async () => {
    const { headers } = await tree({ per_page: "2", pagination: "keyset", unknown: "1", ref: "main" })
    const token = new URL(/<([^>]+)>/.exec(headers.get("link") ?? "")?.[1] ?? "").searchParams.get("page_token")
    expect(headers.get("link")).toBe(
      `<${externalUrl}/api/v4/projects/${code().id}/repository/tree?page_token=${token}&pagination=keyset&per_page=2&ref=main>; rel="next"`
    )
  })

  it("never repeat a token", async () => {
    const { headers } = await service.request("GET", `/projects/${code().id}/repository/tree`, {
      token: null,
      query: { per_page: "1", private_token: "glpat-root-token-of-tests" }
    })
    expect(headers.get("link")).not.toContain("private_token")
  })

  it.each([1, 2, 3, 5, 100])("of %i entries show each entry once", async (perPage) => {
    const pages = await follow(await tree({ ref: "odd", per_page: String(perPage) }))
    expect(pages.flatMap(paths)).toEqual(paths(await tree({ ref: "odd", per_page: "100" })))
    expect(pages.every(({ status }) => status === 200)).toBe(true)
    expect(pages.slice(0, -1).every((page) => paths(page).length === perPage)).toBe(true)
  })

  it("lead on from a full page, also when nothing follows", async () => {
    const all = paths(await tree())
    const [first, second, ...others] = await follow(await tree({ per_page: String(all.length) }))
    expect([first && paths(first), second && paths(second), others]).toEqual([all, [], []])
    expect((await tree({ per_page: String(all.length + 1) })).headers.get("link")).toBeNull()
  })

  it("start behind the entry whose id is the token", async () => {
    const { body } = await tree()
    const entries = Array.isArray(body) ? body : []
    expect(entries).toHaveLength(9)
    for (const [index, entry] of entries.entries()) {
      const page = await tree({ pagination: "keyset", per_page: "100", page_token: String(field(entry, "id")) })
      const first = entries.findIndex((other) => field(other, "id") === field(entry, "id"))
      expect([index, page.body]).toEqual([index, entries.slice(first + 1)])
    }
  })

  it("go on when the branch has moved meanwhile", async () => {
    const { commits } = code().fixture
    const ref = "refs/heads/moving"
    commits([{ mark: "before", ref, parents: [], files: { a: "a", b: "b", c: "c", "d/x": "x", "e/y": "y" } }])
    const first = await tree({ ref: "moving", per_page: "3" })
    expect(paths(first)).toEqual(["d", "e", "a"])
    commits([{ mark: "after", ref, files: { a: null, "a-new": "n", "b/z": "z" } }])
    expect(paths(await service.request("GET", next(first) ?? "", { token: null }))).toEqual(["a-new", "c"])
  })

  it("ignore the token elsewhere", async () => {
    const query = { page_token: "no token", per_page: "100" }
    expect(paths(await tree({ ...query, pagination: "legacy" }))).toEqual(paths(await tree()))
    expect((await tree({ ...query, pagination: "none", recursive: "true" })).status).toBe(200)
    expect(paths(await tree({ page_token: "" }))).toEqual(paths(await tree()))
  })
})

describe("legacy pages", () => {
  it.each([{ pagination: "legacy" }, { page: "1" }])("tell totals: %j", async (query) => {
    const all = paths(await tree())
    const first = await tree({ ...query, per_page: "4" })
    const pages = String(Math.ceil(all.length / 4))
    expect(paging(first)).toEqual(["4", "1", "2", "", String(all.length), pages])
    expect(paths(first)).toEqual(all.slice(0, 4))
    expect((await follow(first)).flatMap(paths)).toEqual(all)
    expect(target(first.headers.get("link"), "last")).toContain(`page=${pages}`)
  })

  it("are slices", async () => {
    const all = paths(await tree())
    const second = await tree({ pagination: "legacy", page: "2", per_page: "3" })
    expect(paths(second)).toEqual(all.slice(3, 6))
    expect(second.headers.get("x-prev-page")).toBe("1")
    expect((await tree({ pagination: "legacy" })).headers.get("x-next-page")).toBe("")
    const beyond = await tree({ page: "99" })
    expect([beyond.status, beyond.body, beyond.headers.get("x-next-page"), beyond.headers.get("x-prev-page")]).toEqual([
      200,
      [],
      "",
      ""
    ])
  })
})

describe("without pages", () => {
  it("everything comes at once", async () => {
    const received = await tree({ ref: "deep", pagination: "none", recursive: "true", per_page: "2" })
    expectExactly(received.body, listed("refs/heads/deep", "", true))
    expect([paging(received), received.headers.get("link")]).toEqual([nothingTold, null])
  })
})

describe("refusals", () => {
  const noTree = { message: "404 Tree Not Found" }
  const noPath = { message: "404 invalid revision or path Not Found" }
  const onlyRecursive = { error: 'pagination cannot be "none" unless "recursive" is true' }
  const badToken = { error: "page_token is invalid" }
  it.each([
    ["an unknown ref", { ref: "nowhere" }, 404, noTree],
    ["an empty ref", { ref: "" }, 404, noTree],
    ["a tag of a file", { ref: "blob-tag" }, 404, noTree],
    ["an unknown path", { path: "nowhere" }, 404, noPath],
    ["the path of a file", { path: "README.md" }, 404, noPath],
    ["a path below a file", { path: "README.md/x" }, 404, noPath],
    ["the path of a submodule", { path: "sub" }, 404, noPath],
    ["an unknown ref with an unknown path", { ref: "nowhere", path: "nowhere" }, 404, noTree],
    ["everything of one directory", { pagination: "none" }, 400, onlyRecursive],
    ["everything, in words", { pagination: "none", recursive: "false" }, 400, onlyRecursive],
    ["another pagination", { pagination: "offset" }, 400, { error: "pagination does not have a valid value" }],
    ["pages of nothing", { per_page: "0" }, 400, { error: "per_page has a value not allowed" }],
    ["no number", { per_page: "x", page: "y" }, 400, { error: "page is invalid, per_page is invalid" }],
    ["no switch", { recursive: "maybe" }, 400, { error: "recursive is invalid" }],
    ["no token", { page_token: "no token" }, 400, badToken],
    ["the id of no entry", { page_token: "0".repeat(40) }, 400, badToken],
    ["a token of another shape", { page_token: Buffer.from('["x"]').toString("base64url") }, 400, badToken]
  ])("%s", async (_, query, status, body) => {
    const received = await tree(query)
    expect([received.status, received.body]).toEqual([status, body])
  })

  it("a negative size is the usual one, a large one is cut", async () => {
    expect((await tree({ per_page: "-1" })).status).toBe(200)
    expect((await tree({ ref: "deep", recursive: "true", per_page: "1000" })).headers.get("link")).toContain("per_page=1000")
    expect(paths(await tree({ ref: "deep", recursive: "true", per_page: "1000" }))).toHaveLength(100)
  })
})
