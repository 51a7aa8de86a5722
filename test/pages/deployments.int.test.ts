import { existsSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { Spools } from "#src/git/process/Spools.ts"
import { SiteStorage } from "#src/pages/sites/SiteStorage.ts"
import { anyTime, expectExactly, field } from "#test/support/exactly.ts"
import { answerOf, rootToken } from "#test/support/service.ts"
import { type Entry, entriesOf, filledUp, packed, tarOf, unicodeName, withHeader, zipOf } from "./archives.ts"
import { pageOf, usePages } from "./usePages.ts"

const { newProject, path, publish, service, sitesOf, upload } = usePages({
  PAGES_MAX_SIZE: "32",
  PAGES_MAX_FILES: "20",
  CLIENT_IDLE_TIMEOUT: "1"
})
const { request, run } = service

const files = { "public/index.html": "hello", "public/a/b.txt": "deep", "README.md": "not shown" }
const deploymentsOf = async (id: number) => field((await request("GET", path(id))).body, "deployments")
const refused = (reason: string) => [400, { message: `400 Bad request - The archive ${reason}` }]

describe("a site is published", () => {
  const made = entriesOf(files)
  it.each([
    ["a zip", async () => zipOf(made)],
    ["a tar", () => tarOf([{ name: "public/" }, ...made])],
    ["a packed tar", async () => packed(await tarOf(made))]
  ])("from %s", async (kind, archive) => {
    const id = await newProject(kind.replaceAll(" ", "-"))
    const { body, status } = await upload(id, await archive(), { query: { root_directory: "./public/" } })
    const { body: pages } = await request("GET", path(id))
    const url = `${field(pages, "url")}/`
    expect(status).toBe(201)
    expectExactly(body, { created_at: anyTime, url, path_prefix: "", root_directory: "public" })
    expect(pages).toMatchObject({ deployments: [body], is_unique_domain_enabled: true })
    const texts = [`${url}index.html`, `${url}a/b.txt`, `${url}README.md`].map(async (each) => (await pageOf(each)).text)
    expect(await Promise.all(texts)).toEqual(["hello", "deep", "There is no such page.\n"])
  })

  it("from a zip with names of every encoding", async () => {
    const [ordinary, cp437] = [Buffer.from("x.html"), Buffer.concat([Buffer.of(0x81), Buffer.from(".html")])]
    const archive = zipOf([
      { name: "größe.html", content: "flagged" },
      { name: "länge.html", content: "not flagged", flags: 0 },
      { name: "", nameBytes: cp437, content: "of code page 437", flags: 0 },
      { name: "", nameBytes: ordinary, content: "with a field", flags: 0, extra: unicodeName(ordinary, "日本.html") }
    ])
    const { body } = await upload(await newProject("encodings"), archive)
    const shown = ["größe", "länge", "ü", "日本"].map(async (name) => {
      const { status, text } = await pageOf(`${field(body, "url")}${encodeURIComponent(name)}.html`)
      return [status, text]
    })
    const texts = ["flagged", "not flagged", "of code page 437", "with a field"]
    expect(await Promise.all(shown)).toEqual(texts.map((text) => [200, text]))
  })

  it.each([
    ["whose first name begins as a zip does", tarOf(entriesOf({ "PKG-INFO": "PK" }))],
    ["of the oldest format", tarOf(entriesOf({ a: "a" })).then((tar) => withHeader(tar, (header) => header.fill(0, 257, 265)))],
    ["that is filled up to a record of 80 KiB", tarOf(entriesOf({ a: "a" })).then((tar) => filledUp(tar, 80 * 1024))],
    ["that is filled up with much", tarOf(entriesOf({ a: "a" })).then((tar) => filledUp(tar, 15 * 1024 ** 2))],
    [
      "with a large file of zeros",
      tarOf([
        { name: "zeros", content: Buffer.alloc(16 * 1024 ** 2 - 1) },
        { name: "a", content: "a" }
      ])
    ]
  ])("from a tar %s", async (what, tar) => {
    const id = await newProject(what.replaceAll(" ", "-"))
    expect((await upload(id, packed(await tar))).status).toBe(201)
    expect((await upload(id, await tar)).status).toBe(201)
  })

  it("with as many files and folders as it may have, each counted once, whatever lies outside of it", async () => {
    const id = await newProject("counted")
    const names = (count: number, name: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => ({ name: name(index) }))
    const folders = [{ name: "public/" }, ...names(9, (index) => `public/d${index}/`)]
    const inFolders = names(9, (index) => `public/d${index}/index.html`)
    const outside = names(60, (index) => `src/f${index}`)
    const all = (more: number) => [...outside, ...folders, ...inFolders, ...names(more, (index) => `public/f${index}`)]
    const answer = async (entries: ReadonlyArray<Entry>) => {
      const query = { root_directory: "public" }
      const answers = [await upload(id, zipOf(entries), { query }), await upload(id, packed(await tarOf(entries)), { query })]
      return answers.map(({ body, status }) => (status === 201 ? status : [status, body]))
    }
    expect(await answer(all(2))).toEqual([201, 201])
    const tooMany = refused("has more than 20 files and folders")
    expect(await answer(all(3))).toEqual([tooMany, tooMany])
    const tooManyEntries = refused("has more than 100 entries, with those outside of the site")
    expect(await answer([{ name: "public/index.html" }, ...names(99, (index) => `src/f${index}`)])).toEqual([201, 201])
    expect(await answer(names(101, (index) => `src/f${index}`))).toEqual([tooManyEntries, tooManyEntries])
  })

  it("beside others below a prefix, and in place of what has the same", async () => {
    const id = await newProject("prefixes")
    const main = await publish(id, { "index.html": "main", "mr3/index.html": "hidden by the prefix" })
    const parallel = await publish(id, { "index.html": "three" }, { path_prefix: "mr3" })
    expect(parallel).toBe(`${main}mr3`)
    expect((await pageOf(`${parallel}/`)).text).toBe("three")
    await publish(id, { "index.html": "new" })
    expect([(await pageOf(main)).text, (await pageOf(`${parallel}/`)).text]).toEqual(["new", "three"])
    const prefixes = [...((await deploymentsOf(id)) as ReadonlyArray<object>)].map((each) => field(each, "path_prefix"))
    expect(prefixes).toEqual(["", "mr3"])
    expect((await request("DELETE", path(id))).status).toBe(204)
    expect([(await pageOf(main)).status, await deploymentsOf(id)]).toEqual([404, []])
  })

  it("and only with a prefix and a folder that can be", async () => {
    const id = await newProject("where")
    const zip = zipOf(entriesOf(files))
    const answer = async (query: Record<string, string>) => (await upload(id, zip, { query })).body
    for (const path_prefix of ["Mr", "a/b", "..", "-a", "a".repeat(64), "ä"])
      expect(await answer({ path_prefix })).toEqual({ message: { path_prefix: ["is invalid"] } })
    for (const root_directory of ["..", "/etc", "a/../b"])
      expect(await answer({ root_directory })).toEqual({ message: { root_directory: ["is invalid"] } })
    expect(await answer({ root_directory: "none" })).toEqual({ message: "400 Bad request - The archive has no file below none" })
    expect(await deploymentsOf(id)).toEqual([])
  })
})

describe("an archive is refused", () => {
  const index: Entry = { name: "index.html", content: "a" }
  const outside = (name: string) => refused(`has an entry that cannot be shown: ${name}`)
  const noFile = (name: string) => refused(`has an entry that is neither a file nor a folder: ${name}`)
  const cannotBe = (name: string) => refused(`has a path that cannot be a file: ${name}`)
  const many = Array.from({ length: 21 }, (_, index) => ({ name: `f${index}` }))
  const zeros = Buffer.alloc(1024 * 1024)
  const bomb = Array.from({ length: 17 }, (_, index) => ({ name: `z${index}`, content: zeros }))
  const large = Array.from({ length: 17 }, (_, index) => ({ name: `z${index}`, content: Buffer.alloc(2 * 1024 * 1024, index) }))

  it.each<[string, ReadonlyArray<Entry>, zip: unknown, tar: unknown]>([
    [
      "that leads out of its folder",
      [index, { name: "../x" }],
      refused("cannot be unpacked: invalid relative path: ../x"),
      outside("../x")
    ],
    [
      "that leads out on the way",
      [{ name: "a/../../x" }],
      refused("cannot be unpacked: invalid relative path: a/../../x"),
      outside("a/../../x")
    ],
    ["with an absolute path", [{ name: "/etc/x" }], refused("cannot be unpacked: absolute path: /etc/x"), outside("/etc/x")],
    ["with a link", [index, { name: "l", linkTo: "/etc/passwd" }], noFile("l"), noFile("l")],
    ["with a file that is a folder, too", [index, { name: "index.html/x" }], cannotBe("index.html/x"), cannotBe("index.html/x")],
    ["with a folder that is a file, too", [{ name: "a/b" }, { name: "a" }], cannotBe("a"), cannotBe("a")],
    ["with a folder of its own that is a file, too", [{ name: "a/" }, { name: "a" }], cannotBe("a"), cannotBe("a")],
    [
      "with an encrypted file",
      [index, { name: "b.html", content: "b", flags: 0x801 }],
      refused("has an entry that is encrypted: b.html"),
      undefined
    ],
    ["with too many entries", many, refused("has more than 20 files and folders"), refused("has more than 20 files and folders")],
    [
      "with two files of one name",
      [index, { name: "./index.html" }],
      refused("has two entries of the same name: ./index.html"),
      undefined
    ],
    [
      "with too many folders",
      [{ name: `${"a/".repeat(21)}b` }],
      refused("has more than 20 files and folders"),
      refused("has more than 20 files and folders")
    ],
    [
      "that is too deep",
      [{ name: `${"a/".repeat(64)}b` }],
      refused(`has an entry that cannot be shown: ${"a/".repeat(64)}b`),
      refused(`has an entry that cannot be shown: ${"a/".repeat(64)}b`)
    ],
    ["that is a bomb", bomb, refused(`has more than ${16 * 1024 ** 2} bytes when it is unpacked`), undefined],
    ["that is too large", large, refused(`has more than ${16 * 1024 ** 2} bytes when it is unpacked`), undefined],
    ["without a file", [{ name: "folder/" }], refused("has no file"), refused("has no file")]
  ])("%s", async (name, entries, zip, tar) => {
    const id = await newProject(name.replace(/\W/g, "-"))
    const { body, status } = await upload(id, zipOf(entries))
    expect([status, body]).toEqual(zip)
    if (tar !== undefined) {
      const answer = await upload(id, packed(await tarOf(entries)))
      expect([answer.status, answer.body]).toEqual(tar)
    }
    expect(await deploymentsOf(id)).toEqual([])
    const drafts = await run(Effect.map(Spools, ({ folder }) => folder))
    expect([await readdir(drafts), await sitesOf(id)]).toEqual([[], []])
  })

  it("that hides more than it may have where nothing is shown", async () => {
    const hidden = { name: "hidden", content: Buffer.alloc(17 * 1024 * 1024) }
    const archive = packed(await tarOf([{ name: "public/index.html" }, hidden]))
    const { body, status } = await upload(await newProject("hiding"), archive, { query: { root_directory: "public" } })
    const limit = 16 * 1024 ** 2
    expect([status, body]).toEqual(refused(`has more than ${limit} bytes when it is unpacked`))
  })

  it("with one file that cannot be read, whatever comes after it", async () => {
    const id = await newProject("damaged")
    const archive = Buffer.from(zipOf(entriesOf({ a: "a", "b.html": "b", c: "c" })))
    // The method of compression, in the header of the file and in the directory.
    const at = [0x04034b50, 0x02014b50]
      .map((mark) => Buffer.from(Uint32Array.of(mark).buffer))
      .map((mark) => archive.indexOf(mark))
    for (const [index, offset] of [8, 10].entries()) archive.writeUInt16LE(12, (at[index] ?? 0) + offset)
    const { body, status } = await upload(id, new Uint8Array(archive))
    expect([status, body]).toEqual([400, { message: expect.stringContaining("The archive cannot be unpacked: ") }])
    expect(await deploymentsOf(id)).toEqual([])
  })

  /** A zip of files of 5 kB, in which one that is deep below folders is not what the directory says. */
  const damaged = (damage: (archive: Buffer, row: number) => void): Uint8Array<ArrayBuffer> => {
    const others = Array.from({ length: 8 }, (_, index) => ({ name: `f${index}`, content: "hello".repeat(1_000) }))
    const archive = Buffer.from(zipOf([{ name: "a/b/c/d/index.html", content: "hello".repeat(1_000) }, ...others]))
    damage(archive, archive.indexOf(Buffer.from("PK\u0001\u0002")))
    return new Uint8Array(archive)
  }

  it.each<[string, (archive: Buffer, row: number) => void, string]>([
    ["more bytes than it says", (archive, row) => archive.writeUInt32LE(10, row + 24), "cannot be unpacked: too many bytes"],
    [
      "fewer bytes than it says",
      (archive, row) => archive.writeUInt32LE(6_000, row + 24),
      "cannot be unpacked: not enough bytes"
    ],
    ["bytes that cannot be inflated", (archive) => archive.fill(0xff, 49, 52), "cannot be unpacked: too many length"],
    ["other bytes than it says", (archive, row) => archive.writeUInt32LE(1, row + 16), "has a damaged entry: a/b/c/d/index.html"]
  ])("with an entry of %s", async (what, damage, reason) => {
    const id = await newProject(`damaged-${what.replace(/\W/g, "-")}`)
    const archive = damaged(damage)
    for (let round = 0; round < 5; round++) {
      const { body, status } = await upload(id, archive)
      expect([status, body]).toEqual([400, { message: expect.stringContaining(`The archive ${reason}`) }])
    }
    expect([await deploymentsOf(id), await sitesOf(id)]).toEqual([[], []])
  })

  it.each([
    ["letters", "x"],
    ["zeros", "\0"]
  ])("with large headers of %s", async (what, letter) => {
    const pax = { comment: letter.repeat(70_000) }
    const archive = packed(await tarOf([{ name: "index.html", content: "a", pax }]))
    const { body, status } = await upload(await newProject(`headers-of-${what}`), archive)
    expect([status, body]).toEqual(refused("has headers of more than 65536 bytes"))
  })

  it("with a sparse file", async () => {
    const id = await newProject("sparse")
    const answer = async (archive: Uint8Array<ArrayBuffer>) => answerOf(await upload(id, archive))
    const gnu = withHeader(await tarOf(entriesOf({ "holes.bin": "a" })), (header) => header.write("S", 156))
    const posix = (pax: Readonly<Record<string, string>>) => tarOf([{ name: "holes.bin", content: "a", pax }])
    const answers = [gnu, await posix({ "GNU.sparse.major": "1" }), await posix({ "GNU.sparse.name": "its.bin" })].map(answer)
    expect(await Promise.all(answers)).toEqual([
      refused("has a sparse file, or an entry of another type that is not supported: holes.bin"),
      refused("has a sparse file, which is not supported: holes.bin"),
      refused("has a sparse file, which is not supported: its.bin")
    ])
  })

  it("that is filled up with more zeros than a site may have bytes", async () => {
    const archive = packed(filledUp(await tarOf(entriesOf(files)), 17 * 1024 ** 2))
    const { body, status } = await upload(await newProject("filled"), archive)
    expect([status, body]).toEqual(refused(`has more than ${16 * 1024 ** 2} bytes when it is unpacked`))
  })

  it("that stands still on the way", async () => {
    const id = await newProject("still")
    const still = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(zipOf(entriesOf(files)).slice(0, 10))
    })
    const init = { method: "POST", headers: { "private-token": rootToken }, body: still, duplex: "half" } as const
    const response = await fetch(`${service.url}/api/v4${path(id, "/deployments")}`, init)
    expect([response.status, await response.json()]).toEqual([408, { error: "408 Request Timeout" }])
    const drafts = await run(Effect.map(Spools, ({ folder }) => folder))
    expect(await readdir(drafts)).toEqual([])
  })

  it("when the right is lost on the way", async () => {
    const id = await newProject("lost")
    const whole = zipOf(entriesOf(files))
    const sent = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        if (controller.desiredSize === 1) controller.enqueue(whole.slice(0, 10))
        await request("POST", `/projects/${id}/archive`)
        controller.enqueue(whole.slice(10))
        controller.close()
      }
    })
    const init = { method: "POST", headers: { "private-token": rootToken }, body: sent, duplex: "half" } as const
    const response = await fetch(`${service.url}/api/v4${path(id, "/deployments")}`, init)
    expect([response.status, await response.json(), await sitesOf(id)]).toEqual([403, { message: "403 Forbidden" }, []])
  })

  it("when its project is deleted on the way", async () => {
    const id = await newProject("deleted")
    const folder = await run(SiteStorage.use(({ folderOf }) => Effect.succeed(folderOf(id, ""))))
    const whole = zipOf(entriesOf(files))
    const sent = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        controller.enqueue(whole.slice(0, 10))
        await request("DELETE", `/projects/${id}`)
        controller.enqueue(whole.slice(10))
        controller.close()
      }
    })
    const init = { method: "POST", headers: { "private-token": rootToken }, body: sent, duplex: "half" } as const
    const response = await fetch(`${service.url}/api/v4${path(id, "/deployments")}`, init)
    expect([response.status, await response.json()]).toEqual([404, { message: "404 Project Not Found" }])
    expect(existsSync(folder)).toBe(false)
  })

  it("that is none, is cut off, or is larger than it may be", async () => {
    const id = await newProject("none")
    const answer = async (bytes: Uint8Array<ArrayBuffer>) => {
      const { body, status } = await upload(id, bytes)
      return [status, body]
    }
    expect(await answer(new Uint8Array())).toEqual([400, { message: "400 Bad request - The body has to be the archive" }])
    expect(await answer(new TextEncoder().encode("hello"))).toEqual(refused("is neither a zip nor a tar"))
    const whole = zipOf(entriesOf(files))
    expect(await answer(whole.slice(0, -30))).toEqual([
      400,
      { message: expect.stringContaining("The archive cannot be unpacked: ") }
    ])
    const tar = packed(await tarOf(entriesOf(files)))
    expect(await answer(tar.slice(0, -20))).toEqual(refused("cannot be unpacked: unexpected end of file"))
    expect(await answer(new Uint8Array(32 * 1024 ** 2 + 1))).toEqual([413, { message: "413 Request Entity Too Large" }])
  })
})

it("a key that was used for one archive is refused for another one", async () => {
  const id = await newProject("one-key")
  const sent = { headers: { "idempotency-key": "archive" } }
  const first = await upload(id, zipOf(entriesOf({ "index.html": "first" })), sent)
  const refused = [422, { message: "Idempotency-Key was used for another request: the file differs" }]
  for (const content of ["f1rst", "another one"]) {
    expect(answerOf(await upload(id, zipOf(entriesOf({ "index.html": content })), sent))).toEqual(refused)
  }
  const repeat = await upload(id, zipOf(entriesOf({ "index.html": "first" })), sent)
  expect([repeat.status, repeat.body]).toEqual([201, first.body])
})

it("a key whose archive was not received takes one that is, and no other from then on", async () => {
  const id = await newProject("not-received")
  const sent = { headers: { "idempotency-key": "not received" } }
  const statusOf = async (file: Uint8Array<ArrayBuffer>) => (await upload(id, file, sent)).status
  const site = (content: string) => zipOf(entriesOf({ "index.html": content }))
  expect(await statusOf(new Uint8Array(32 * 1024 ** 2 + 1))).toBe(413)
  expect([await statusOf(site("whole")), await statusOf(site("other"))]).toEqual([201, 422])
})
