import { describe, expect, it } from "vitest"
import { rawRequest } from "#test/support/requests/rawRequest.ts"
import { rootToken, useService } from "#test/support/service.ts"
import { useStandardCode } from "./useCode.ts"

const service = useService()
const code = useStandardCode(service)

const texts = [
  "--output=/tmp/chronoforge-owned",
  "--upload-pack=touch /tmp/chronoforge-owned",
  "-n1",
  "--",
  "--all",
  "..",
  "../..",
  "../../etc/passwd",
  "main..v1.0.0",
  "^main",
  "main^{/Merge}",
  "main@{1}",
  "@{-1}",
  "@{u}",
  ":README.md",
  "main:README.md",
  ":(top)README.md",
  ":/Merge",
  "HEAD:",
  "a\nb",
  "main\nx",
  "\r\n\r\nGET / HTTP/1.1",
  "a\tb",
  "\u007f",
  "a".repeat(4096),
  "a/".repeat(2048),
  "é".repeat(2048),
  "%2F",
  "%00",
  "%2e%2e%2f",
  "/",
  "//",
  "refs/internal/keep",
  "refs/heads/",
  "refs/",
  ".git/config",
  "main~99999",
  "main~999999999999",
  `main${"^".repeat(300)}`,
  "0".repeat(40),
  "\\..\\..",
  "$(touch /tmp/chronoforge-owned)",
  "`id`",
  "constructor",
  "__proto__"
]

/** Each place that takes a ref or a path. */
const places: Readonly<Record<string, (text: string) => readonly [path: string, query: Readonly<Record<string, string>>]>> = {
  "ref of a tree": (ref) => ["tree", { ref }],
  "path of a tree": (path) => ["tree", { path: `${path}x` }],
  "path of a recursive tree": (path) => ["tree", { path: `${path}x`, recursive: "true" }],
  "token of a tree": (page_token) => ["tree", { page_token }],
  "sha of a blob": (sha) => [`blobs/${encodeURIComponent(sha)}`, {}],
  "sha of a raw blob": (sha) => [`blobs/${encodeURIComponent(sha)}/raw`, {}],
  "sha of an archive": (sha) => ["archive", { sha }],
  "path of an archive": (path) => ["archive", { path: `${path}x` }],
  "path of a zip file": (path) => ["archive.zip", { path: `${path}x` }],
  "from of a comparison": (from) => ["compare", { from, to: "main" }],
  "to of a comparison": (to) => ["compare", { from: "main", to }],
  "ref of contributors": (ref) => ["contributors", { ref }],
  "project of from": (from_project_id) => ["compare", { from: "main", to: "main", from_project_id: `${from_project_id}x` }],
  "refs of a merge base": (refs) => ["merge_base", { refs: `main,${refs}` }],
  "order of contributors": (order_by) => ["contributors", { order_by }]
}

describe.each(Object.keys(places))("%s", (place) => {
  it("refuses what is no name, and never breaks", async () => {
    for (const text of texts) {
      const [path, query] = places[place]?.(text) ?? ["", {}]
      const { body, status } = await service.request("GET", `/projects/${code().id}/repository/${path}`, { query })
      expect([place, text, status >= 400 && status < 500, typeof body]).toEqual([place, text, true, "object"])
    }
  })

  it("refuses NUL", async () => {
    const [path, query] = places[place]?.("a\0b") ?? ["", {}]
    const { status } = await service.request("GET", `/projects/${code().id}/repository/${path}`, { query })
    expect(status === 400 || (path.startsWith("blobs/") && status === 404)).toBe(true)
  })
})

/** Parameters that take one text, with what else their endpoints need. */
const single: ReadonlyArray<readonly [path: string, name: string, needed: Readonly<Record<string, string>>]> = [
  ["tree", "ref", {}],
  ["tree", "path", {}],
  ["tree", "page_token", {}],
  ["archive", "sha", {}],
  ["archive", "path", {}],
  ["archive.zip", "path", {}],
  ["compare", "from", { to: "main" }],
  ["compare", "to", { from: "main" }],
  ["compare", "from_project_id", { from: "main", to: "main" }],
  ["contributors", "ref", {}],
  ["contributors", "order_by", {}]
]

it.each(single)("%s takes neither a list nor an object for %s", async (path, name, needed) => {
  const also = name === "order_by" ? ", order_by does not have a valid value" : ""
  for (const bad of [`${name}[]`, `${name}[x]`]) {
    const { body, status } = await service.request("GET", `/projects/${code().id}/repository/${path}`, {
      query: { ...needed, [bad]: "main" }
    })
    expect([status, body]).toEqual([400, { error: `${name} is invalid${also}` }])
  }
})

it("what is to be left out of an archive leads nowhere", async () => {
  for (const text of texts) {
    const { status } = await service.request("GET", `/projects/${code().id}/repository/archive.tar`, {
      query: { sha: "v1.0.0", exclude_paths: text }
    })
    expect([text, status === 200 || status === 404]).toEqual([text, true])
  }
})

/** Addresses as they stand on the line of a request. */
const addresses = [
  "/projects/%2e%2e%2f%2e%2e%2fetc/repository/tree",
  "/projects/%00/repository/tree",
  "/projects/%zz/repository/tree",
  "/projects/%/repository/tree",
  "/projects/-%2Doption/repository/tree",
  "/projects/root%252Fstandard/repository/tree",
  "/projects/root%2F..%2Fstandard/repository/tree",
  "/projects/root%2F/repository/tree",
  `/projects/${"a".repeat(4096)}/repository/tree`,
  `/projects/${"a%2F".repeat(1000)}b/repository/tree`,
  "/projects/ID/repository/blobs/%2e%2e%2f%2e%2e%2fconfig",
  "/projects/ID/repository/blobs/%2e%2e/raw",
  "/projects/ID/repository/blobs/../../../users",
  "/projects/ID/repository/blobs/%0aflush",
  "/projects/ID/repository/blobs/--batch",
  "/projects/ID/repository/blobs/%zz",
  "/projects/ID/repository/blobs/%ff%fe/raw",
  `/projects/ID/repository/blobs/${"0".repeat(4096)}`,
  "/projects/ID/repository/blobs/",
  "/projects/ID/repository/blobs/a/b",
  "/projects/ID/repository/archive.",
  "/projects/ID/repository/archive.%00",
  "/projects/ID/repository/archive.zip%00",
  "/projects/ID/repository/archive.zip%0a",
  "/projects/ID/repository/archive%2Fzip",
  "/projects/ID/repository/archive.%2e%2e%2fzip",
  "/projects/ID/repository/tree?path=%zz%ff%fe",
  "/projects/ID/repository/tree?ref=%ff",
  "/projects/ID/repository/tree?ref=%ed%a0%80",
  "/projects/ID/repository/compare?from=%00&to=%00",
  "/projects/ID/repository/merge_base?refs[]=%00&refs[]=%00"
]

it.each(addresses)("%s is refused", async (address) => {
  const path = address.replace("ID", String(code().id))
  const lines = [`GET /api/v4${path} HTTP/1.1`, "Host: x", "Connection: close", `Private-Token: ${rootToken}`, "", ""]
  const { body, headers, status } = await rawRequest(service.url, lines.join("\r\n"))
  expect(status !== undefined && status >= 400 && status < 500).toBe(true)
  expect([headers["content-type"], Object.keys(JSON.parse(body)).length]).toEqual(["application/json", 1])
})

it("odd names that are there are found", async () => {
  const paths = ["new\nline.txt", "--output=x", "a%2Fb.txt", ":(top)magic", " spaces ", "back\\slash"]
  const { body } = await service.request("GET", `/projects/${code().id}/repository/tree`, {
    query: { ref: "odd", per_page: "100" }
  })
  expect(body).toEqual(expect.arrayContaining(paths.map((path) => expect.objectContaining({ path }))))
  const dash = await service.request("GET", `/projects/${code().id}/repository/tree`, { query: { ref: "odd", path: "-dash" } })
  expect(dash.body).toMatchObject([{ path: "-dash/-r" }])
})
