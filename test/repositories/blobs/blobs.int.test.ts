import { createHash, randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { expectExactly } from "#test/support/exactly.ts"
import { useProcesses } from "#test/support/processes/useProcesses.ts"
import { useService } from "#test/support/service.ts"
import { until } from "#test/support/until.ts"
import { startMinute } from "../commits/startMinute.ts"
import { useStandardCode } from "../useCode.ts"

const service = useService()
const code = useStandardCode(service)
const processes = useProcesses()

const url = (sha: string, suffix = "", id = code().id) => `/projects/${id}/repository/blobs/${sha}${suffix}`
const read = (sha: string) => service.request("GET", url(sha), { token: null })
const idOf = (path: string) => code().fixture.git(["rev-parse", `refs/heads/main:${path}`])
const noBlob = { message: "404 Blob Not Found" }

/** The bytes of an answer, which `request` would take for text. */
const bytes = async (sha: string, method = "GET") => {
  const response = await fetch(`${service.url}/api/v4${url(sha, "/raw")}`, { method })
  return { status: response.status, headers: response.headers, content: Buffer.from(await response.arrayBuffer()) }
}

const made = new Map<number, string>()
/** A blob of a size, beginning with `start`. */
const blobOf = (size: number, start = ""): string => {
  const known = made.get(size)
  if (known !== undefined) return known
  const id = code().fixture.object("blob", Buffer.concat([Buffer.from(start, "latin1"), randomBytes(size - start.length)]))
  made.set(size, id)
  return id
}
const mebibyte = 1024 * 1024

const digest = (content: Uint8Array) => createHash("sha256").update(content).digest("hex")

describe("a blob", () => {
  it.each(["README.md", "data/empty", "data/nul.bin", "data/latin1.txt", "data/big.bin", "link-to-readme"])(
    "%s",
    async (path) => {
      const sha = idOf(path)
      const content = code().fixture.gitBytes(["cat-file", "blob", sha])
      const received = await read(sha)
      expect([received.status, received.headers.get("content-type")]).toEqual([200, "application/json"])
      expectExactly(received.body, { size: content.length, encoding: "base64", content: content.toString("base64"), sha })
    }
  )

  it("is found by capital digits too", async () => {
    expect((await read(idOf("README.md").toUpperCase())).body).toMatchObject({ sha: idOf("README.md") })
  })

  it.each([mebibyte - 1, mebibyte, mebibyte + 1, mebibyte + 2, 3 * mebibyte])("of %i bytes is whole", async (size) => {
    const sha = blobOf(size)
    const { body, headers } = await read(sha)
    const content = code().fixture.gitBytes(["cat-file", "blob", sha]).toString("base64")
    expectExactly(body, { size, encoding: "base64", content, sha })
    expect(headers.get("cache-control")).toBe("max-age=0, private, must-revalidate")
  })

  it("of more than 10 MiB is read five times a minute at most", async () => {
    startMinute()
    const large = blobOf(10 * mebibyte + 1)
    for (let time = 0; time < 5; time++) expect((await read(large)).status).toBe(200)
    const { body, headers, status } = await read(large)
    expect([status, body, headers.get("retry-after")]).toEqual([
      429,
      {
        message: {
          error:
            "The requested blob is over the threshold size of 10485760.\nAccess this blob using '/projects/:id/repository/blobs/:sha/raw' to avoid this error.\n"
        }
      },
      "60"
    ])
    expect((await read(blobOf(10 * mebibyte))).status).toBe(200)
    expect((await bytes(large)).content).toHaveLength(10 * mebibyte + 1)
  })
})

describe("raw bytes", () => {
  it("have these headers", async () => {
    const { headers, status } = await bytes(idOf("README.md"))
    const names = ["content-type", "content-disposition", "cache-control", "expires", "pragma", "x-content-type-options"]
    expect([status, ...names.map((name) => headers.get(name))]).toEqual([
      200,
      "text/plain; charset=utf-8",
      "inline",
      "max-age=0, private, must-revalidate, no-store, no-cache",
      "Fri, 01 Jan 1990 00:00:00 GMT",
      "no-cache",
      "nosniff"
    ])
  })

  it.each([
    ["README.md", "text/plain; charset=utf-8", "inline"],
    ["data/empty", "text/plain; charset=utf-8", "inline"],
    ["data/crlf.txt", "text/plain; charset=utf-8", "inline"],
    ["data/latin1.txt", "text/plain", "inline"],
    ["data/nul.bin", "application/octet-stream", "attachment"],
    ["data/big.bin", "application/octet-stream", "attachment"]
  ])("of %s are those of git", async (path, type, disposition) => {
    const sha = idOf(path)
    const { content, headers } = await bytes(sha)
    expect(digest(content)).toBe(digest(code().fixture.gitBytes(["cat-file", "blob", sha])))
    expect([headers.get("content-type"), headers.get("content-disposition")]).toEqual([type, disposition])
    expect(Number(headers.get("content-length") ?? content.length)).toBe(content.length)
  })

  it("of a large image keep its type", async () => {
    const { content, headers } = await bytes(blobOf(2 * mebibyte, "\x89PNG\r\n\x1a\n"))
    const names = ["content-type", "content-disposition", "content-length"]
    expect(names.map((name) => headers.get(name))).toEqual(["image/png", "inline", String(2 * mebibyte)])
    expect(content).toHaveLength(2 * mebibyte)
  })

  it("are not sent to HEAD", async () => {
    for (const sha of [idOf("README.md"), idOf("data/big.bin")]) {
      const { content, headers, status } = await bytes(sha, "HEAD")
      expect([status, content.length, headers.get("cache-control")]).toEqual([
        200,
        0,
        "max-age=0, private, must-revalidate, no-store, no-cache"
      ])
    }
  })
})

// Larger than what the sockets take without a reader.
it.each([
  ["JSON", "", 10 * mebibyte],
  ["bytes", "/raw", 40 * mebibyte]
])("%s that nobody reads on leave no process", async (_, suffix, size) => {
  const left = new AbortController()
  const response = await fetch(`${service.url}/api/v4${url(blobOf(size), suffix)}`, { signal: left.signal })
  await response.body?.getReader().read()
  expect(response.status).toBe(200)
  // Those of requests before may still be ending.
  await until(() => processes.running("blob") === 1)
  left.abort()
  await until(() => processes.running("blob") === 0)
})

describe("no blob", () => {
  it.each([
    ["an unknown id", () => "0123456789012345678901234567890123456789"],
    ["half an id", () => idOf("README.md").slice(0, 20)],
    ["no id", () => "README.md"],
    ["a revision", () => encodeURIComponent("main:README.md")],
    ["a tree", () => code().fixture.git(["rev-parse", "main^{tree}"])],
    ["a commit", () => code().fixture.ids.head],
    ["a tag", () => code().fixture.ids.signedTag],
    ["the tag of a blob", () => "blob-tag"]
  ])("%s", async (_, sha) => {
    for (const suffix of ["", "/raw"]) {
      const { body, headers, status } = await service.request("GET", url(sha(), suffix), { token: null })
      expect([status, body, headers.get("content-type")]).toEqual([404, noBlob, "application/json"])
    }
  })
})
