import { createHash } from "node:crypto"
import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { forgetAnswer } from "#test/support/forgetAnswer.ts"
import { useUploads } from "./useUploads.ts"

const uploads = useUploads()
const { ask, dataDir, fetched, newProject, path, person, secretsOf, service, upload, uploaded } = uploads

const notFound = [404, { message: "404 Not Found" }]
const harmless = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"

describe("an upload", () => {
  it("is told with its addresses and its Markdown, and lies where they say", async () => {
    const id = await newProject("told")
    const made = await uploaded(id, "dk.png", "three")
    const [, , secret = ""] = made.url.split("/")
    expect(secret).toMatch(/^[0-9a-f]{32}$/)
    expect(made).toEqual({
      id: expect.any(Number),
      alt: "dk",
      url: `/uploads/${secret}/dk.png`,
      full_path: `/-/project/${id}/uploads/${secret}/dk.png`,
      markdown: `![dk](/uploads/${secret}/dk.png)`
    })
    expect(await readFile(join(await dataDir(), "uploads", String(id), secret, "dk.png"), "utf8")).toBe("three")
    const other = await uploaded(id, "../notes 1.txt")
    expect(other).toEqual({
      id: expect.any(Number),
      alt: "notes_1.txt",
      url: expect.stringMatching(/^\/uploads\/[0-9a-f]{32}\/notes_1\.txt$/),
      full_path: `/-/project/${id}${other.url}`,
      markdown: `[notes_1.txt](${other.url})`
    })
  })

  it("is listed for Maintainers with who made it, the newest first, in pages", async () => {
    const id = await newProject("listed", { visibility: "public" })
    const ada = await person("ada")
    await uploaded(id, "first.txt", "one")
    const { body } = await upload(id, new File(["second"], "second.png"), { token: ada.token })
    const listed = await ask("GET", path(id))
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const newest = {
      ...{ id: field(body, "id"), size: 6, filename: "second.png", created_at: time },
      uploaded_by: { id: ada.id, name: "ada", username: "ada" }
    }
    const oldest = {
      ...{ id: Number(field(body, "id")) - 1, size: 3, filename: "first.txt", created_at: time },
      uploaded_by: { id: 1, name: "Administrator", username: "root" }
    }
    expect(listed).toEqual([200, [newest, oldest]])
    const { body: second, headers } = await service.request("GET", path(id), { query: { per_page: "1", page: "2" } })
    expect([second, headers.get("x-total"), headers.get("x-prev-page")]).toEqual([[oldest], "2", "1"])
  })

  it("is removed once, by its ID or its name, and found nowhere then", async () => {
    const id = await newProject("removed")
    const [first, second] = [await uploaded(id, "a.txt"), await uploaded(id, "b.txt")]
    const [byId, byName] = [path(id, `/${first.id}`), path(id, second.url.slice("/uploads".length))]
    for (const at of [byId, byName]) {
      expect(await ask("GET", at)).toEqual([200, "content"])
      expect(await ask("DELETE", at)).toEqual([204, undefined])
      expect([await ask("GET", at), await ask("DELETE", at)]).toEqual([notFound, notFound])
    }
    expect(await ask("GET", path(id))).toEqual([200, []])
    expect((await fetched(second.full_path)).status).toBe(404)
  })

  it("is none of another project's", async () => {
    const [id, other] = [await newProject("mine"), await newProject("other")]
    const made = await uploaded(id, "a.txt")
    for (const more of [`/${made.id}`, made.url.slice("/uploads".length)]) {
      expect([await ask("GET", path(other, more)), await ask("DELETE", path(other, more))]).toEqual([notFound, notFound])
    }
    expect(await ask("GET", path(id, `/${made.id}`))).toEqual([200, "content"])
  })

  it.each([
    ["wrong.txt", notFound],
    ["..%2F..%2Froot-token", notFound],
    ["A.txt", notFound],
    ["a.txt%00", [400, { error: "filename is invalid" }]]
  ])("has one name, which %s is not", async (name, answer) => {
    const id = await newProject(`named ${name.replace(/\W/g, "-")}`)
    const [, , secret] = (await uploaded(id, "a.txt")).url.split("/")
    expect(await ask("GET", path(id, `/${secret}/${name}`))).toEqual(answer)
  })
})

describe("a file at its addresses", () => {
  it("is shown where it is an image, with what browsers need to keep it", async () => {
    const id = await newProject("shown", { path: "shown" })
    const made = await uploaded(id, "dk.png", "0123456789")
    const etag = `"${createHash("sha256").update("0123456789").digest("hex")}"`
    for (const at of [made.full_path, `/root/shown${made.url}`, `/api/v4${path(id, made.url.slice("/uploads".length))}`]) {
      const { headers, status, text } = await fetched(at)
      expect([at, status, text]).toEqual([at, 200, "0123456789"])
      const names = ["content-type", "content-disposition", "content-length", "etag", "accept-ranges", "cache-control"]
      expect(names.map((name) => headers.get(name))).toEqual([
        ...["image/png", `inline; filename="dk.png"; filename*=UTF-8''dk.png`, "10", etag, "bytes", "private, no-cache"]
      ])
      expect([headers.get("x-content-type-options"), headers.get("content-security-policy")]).toEqual(["nosniff", harmless])
      const kept = await fetched(at, { "if-none-match": etag })
      expect([kept.status, kept.text, kept.headers.get("etag")]).toEqual([304, "", etag])
      const head = await fetched(at, {}, "HEAD")
      expect([head.status, head.headers.get("content-length"), head.text]).toEqual([200, "10", ""])
    }
  })

  it("comes in parts to who asks for some", async () => {
    const { full_path } = await uploaded(await newProject("parts"), "talk.mp4", "0123456789")
    const partOf = async (headers: Readonly<Record<string, string>>) => {
      const { headers: sent, status, text } = await fetched(full_path, headers)
      return [status, sent.get("content-range"), status === 416 ? "" : text]
    }
    const etag = `"${createHash("sha256").update("0123456789").digest("hex")}"`
    expect(await partOf({ range: "bytes=2-4" })).toEqual([206, "bytes 2-4/10", "234"])
    expect(await partOf({ range: "bytes=-2" })).toEqual([206, "bytes 8-9/10", "89"])
    expect(await partOf({ range: "bytes=7-" })).toEqual([206, "bytes 7-9/10", "789"])
    expect(await partOf({ range: "bytes=10-" })).toEqual([416, "bytes */10", ""])
    expect(await partOf({ range: "bytes=0-1,4-5" })).toEqual([200, null, "0123456789"])
    expect(await partOf({ range: "bytes=2-4", "if-range": etag })).toEqual([206, "bytes 2-4/10", "234"])
    expect(await partOf({ range: "bytes=2-4", "if-range": '"older"' })).toEqual([200, null, "0123456789"])
  })

  it.each(["page.html", "drawing.svg", "run.js", "page.xhtml", "notes.txt", "plain"])(
    "is a download where it is %s",
    async (name) => {
      const { full_path } = await uploaded(await newProject(`download ${name}`), name, "<script>alert(1)</script>")
      const { headers, status } = await fetched(full_path)
      expect([status, headers.get("content-type"), headers.get("content-disposition")]).toEqual([
        ...[200, "application/octet-stream", `attachment; filename="${name}"`]
      ])
      expect([headers.get("x-content-type-options"), headers.get("content-security-policy")]).toEqual(["nosniff", harmless])
    }
  )

  it("is for those who may read the project, with a token in the query too, and is only read", async () => {
    const id = await newProject("private", { path: "private" })
    const made = await uploaded(id, "a.txt")
    const { token } = await person("stranger")
    const hidden = { message: "404 Project Not Found" }
    for (const at of [made.full_path, `/root/private${made.url}`]) {
      const nobody = await fetch(`${service.url}${at}`)
      expect([nobody.status, await nobody.json()]).toEqual([404, hidden])
      const stranger = await fetched(at, { "private-token": token })
      expect([stranger.status, JSON.parse(stranger.text)]).toEqual([404, hidden])
      const named = await fetch(`${service.url}${at}?private_token=${encodeURIComponent("glpat-root-token-of-tests")}`)
      expect([named.status, await named.text()]).toEqual([200, "content"])
      expect((await fetched(at, {}, "DELETE")).status).toBe(404)
    }
    expect(await ask("GET", path(id, `/${made.id}`))).toEqual([200, "content"])
  })

  it("that is gone from the disk is not found", async () => {
    const id = await newProject("gone")
    const made = await uploaded(id, "a.txt")
    const [secret = ""] = await secretsOf(id)
    await rm(join(await dataDir(), "uploads", String(id), secret), { recursive: true })
    expect(await ask("GET", path(id, `/${made.id}`))).toEqual(notFound)
  })
})

describe("a repeat with the same key", () => {
  const repeat = { headers: { "idempotency-key": "once" } }
  const anotherFile = [422, { message: "Idempotency-Key was used for another request: the file differs" }]

  it("is answered as the first was, and keeps one file", async () => {
    const id = await newProject("repeated")
    const first = await upload(id, new File(["content"], "a.txt"), repeat)
    const send = async (content: string, name: string) => {
      const { body, status } = await upload(id, new File([content], name), repeat)
      return [status, body]
    }
    const others: ReadonlyArray<readonly [string, string]> = [
      ["c0ntent", "a.txt"],
      ["content", "b.txt"],
      ["contenta", ".txt"],
      ["longer content", "a.txt"],
      ["a".repeat(1024 ** 2), "a.txt"]
    ]
    for (const [content, name] of others) expect(await send(content, name)).toEqual(anotherFile)
    expect(await send("content", "a.txt")).toEqual([201, first.body])
    expect(await secretsOf(id)).toHaveLength(1)
  })

  it("finds what a run did that was cut short, and refuses another file there too", async () => {
    const id = await newProject("cut")
    const keyed = { headers: { "idempotency-key": "cut" } }
    const first = await upload(id, new File(["content"], "a.txt"), keyed)
    await forgetAnswer(service, "cut")
    const other = await upload(id, new File(["c0ntent"], "a.txt"), keyed)
    expect([other.status, other.body]).toEqual(anotherFile)
    const again = await upload(id, new File(["content"], "a.txt"), keyed)
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(await secretsOf(id)).toHaveLength(1)
  })
})

it("an archived project takes no more, and shows what it has", async () => {
  const id = await newProject("archived")
  const made = await uploaded(id, "a.txt")
  await service.request("POST", `/projects/${id}/archive`)
  const refused = [403, { message: "403 Forbidden" }]
  const { body, status } = await upload(id, new File(["b"], "b.txt"))
  expect([[status, body], await ask("DELETE", path(id, `/${made.id}`))]).toEqual([refused, refused])
  expect([(await fetched(made.full_path)).text, (await secretsOf(id)).length]).toEqual(["content", 1])
})
