import { createHash } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { expectExactly, field } from "#test/support/exactly.ts"
import { bigFile, oddPaths } from "#test/support/git/gitStandard.ts"
import { issueTokenFor } from "#test/support/people/accounts.ts"
import { requestForms } from "#test/support/requests/requestForms.ts"
import { answerOf, type Sent } from "#test/support/service.ts"
import { useProjects } from "../../projects/useProjects.ts"
import { useFilledCode } from "../useFilledCode.ts"

const { newUser, service } = useProjects()
const code = useFilledCode(service)
const encoded = (path: string) => encodeURIComponent(path).replaceAll(".", "%2E")
const pathOf = (file: string, below = "") => `/projects/${code().id}/repository/files/${encoded(file)}${below}`
const ask = (method: string, file: string, sent?: Sent, below = "") => service.request(method, pathOf(file, below), sent)
const read = (file: string, ref = "main") => ask("GET", file, { query: { ref } })
const git = (...args: ReadonlyArray<string>) => code().fixture.git(args)
const bytesAt = (revision: string, path: string) => code().fixture.gitBytes(["cat-file", "blob", `${revision}:${path}`])
const lastOf = (path: string, revision = "main") => git("rev-list", "-1", revision, "--", path)

const factsOf = (path: string, revision = "main") => {
  const bytes = bytesAt(revision, path)
  return {
    file_name: path.split("/").at(-1),
    file_path: path,
    size: bytes.length,
    encoding: "base64",
    content_sha256: createHash("sha256").update(bytes).digest("hex"),
    ref: revision,
    blob_id: git("rev-parse", `${revision}:${path}`),
    commit_id: git("rev-parse", `${revision}^{commit}`),
    last_commit_id: lastOf(path, revision),
    execute_filemode: git("ls-tree", revision, path).startsWith("100755")
  }
}

const texts = [
  "README.md",
  "data/latin1.txt",
  "data/nul.bin",
  "data/empty",
  "data/crlf.txt",
  "src/lib/deep/er/file.txt",
  "link-to-readme"
]

describe("read", () => {
  it.each(texts)("%s", async (path) => {
    const { body, status } = await read(path)
    expect(status).toBe(200)
    expectExactly(body, { ...factsOf(path), content: bytesAt("main", path).toString("base64") })
  })

  it("a large one, piece by piece", async () => {
    const { body } = await read("data/big.bin")
    expectExactly(body, { ...factsOf("data/big.bin"), content: bigFile.toString("base64") })
  })

  it.each([
    ["v1.0.0", "docs/guide.md"],
    ["refs/heads/feature/topic", "topic.txt"],
    ["main~3", "bin/run"]
  ])("of %s", async (ref, path) => {
    const { body, status } = await read(path, ref)
    expect([status, body]).toMatchObject([200, factsOf(path, ref)])
  })

  it.each(oddPaths.filter((path) => typeof path === "string"))("with the name %j, also raw and blamed", async (path) => {
    expect((await read(path, "odd")).body).toMatchObject({ file_path: path, content: Buffer.from("odd\n").toString("base64") })
    expect((await ask("GET", path, { query: { ref: "odd" } }, "/raw")).body).toBe("odd\n")
    expect((await ask("GET", path, { query: { ref: "odd" } }, "/blame")).body).toMatchObject([{ lines: ["odd"] }])
    expect((await ask("HEAD", path, { query: { ref: "odd" } })).status).toBe(200)
  })

  it("HEAD tells the same in headers", async () => {
    for (const [path, below] of [
      ["README.md", ""],
      ["data/big.bin", ""],
      ["data/big.bin", "/raw"],
      ["README.md", "/blame"]
    ] as const) {
      const received = await ask("HEAD", path, { query: { ref: "main" } }, below)
      expect([received.status, received.body]).toEqual([200, undefined])
      for (const [name, value] of Object.entries(factsOf(path))) {
        expect(received.headers.get(`x-gitlab-${name.replaceAll("_", "-")}`)).toBe(String(value))
      }
    }
    const odd = await ask("HEAD", "\u{1f600} emoji/\u{1f680}.txt", { query: { ref: "odd" } })
    expect(Buffer.from(odd.headers.get("x-gitlab-file-name") ?? "", "latin1").toString()).toBe("\u{1f680}.txt")
    const line = await ask("HEAD", "new\nline.txt", { query: { ref: "odd" } })
    expect(line.headers.get("x-gitlab-file-name")).toBe("new%0Aline.txt")
  })

  it("is conditional", async () => {
    const { headers } = await read("README.md")
    const again = await ask("GET", "README.md", {
      query: { ref: "main" },
      headers: { "if-none-match": headers.get("etag") ?? "" }
    })
    expect(again.status).toBe(304)
    expect((await ask("HEAD", "README.md", { query: { ref: "main" } })).headers.get("etag")).toBe(headers.get("etag"))
  })

  it.each([
    ["nothing", "main", 404, { message: "404 File Not Found" }],
    ["src", "main", 404, { message: "404 File Not Found" }],
    ["sub", "main", 404, { message: "404 File Not Found" }],
    ["README.md/x", "main", 404, { message: "404 File Not Found" }],
    ["README.md", "nothing", 404, { message: "404 Commit Not Found" }],
    ["README.md", "main:README.md", 404, { message: "404 Commit Not Found" }],
    ["README.md", "refs/internal/keep", 404, { message: "404 Commit Not Found" }],
    ["README.md", "--all", 404, { message: "404 Commit Not Found" }],
    ["README.md", "", 400, { error: "ref is empty" }],
    ["../README.md", "main", 400, { error: "file_path should be a valid file path" }],
    ["src/../README.md", "main", 400, { error: "file_path should be a valid file path" }],
    ["src/..", "main", 400, { error: "file_path should be a valid file path" }],
    ["..\\README.md", "main", 400, { error: "file_path should be a valid file path" }],
    ["/etc/passwd.rb", "main", 400, { error: "file_path should be a valid file path" }],
    ["/README.md", "main", 400, { error: "file_path should be a valid file path" }],
    ["//README.md", "main", 400, { error: "file_path should be a valid file path" }],
    [".git/config", "main", 404, { message: "404 File Not Found" }]
  ])("%j of %j: %d", async (path, ref, status, body) => {
    expect(answerOf(await read(path, ref))).toEqual([status, body])
    expect(answerOf(await ask("GET", path, { query: { ref } }, "/blame"))).toEqual([status, body])
    expect(answerOf(await ask("GET", path, { query: { ref, lfs: "true" } }, "/raw"))).toEqual([status, body])
  })

  it("needs a ref, but not for the bytes", async () => {
    expect(answerOf(await ask("GET", "README.md"))).toEqual([400, { error: "ref is missing, ref is empty" }])
    expect(answerOf(await ask("GET", "README.md", {}, "/blame"))).toEqual([400, { error: "ref is missing, ref is empty" }])
    const raw = await ask("GET", "README.md", {}, "/raw")
    expect(answerOf(raw)).toEqual([200, "# Read me\n\nMore\n"])
    expect(raw.headers.get("content-type")).toBe("text/plain")
    expect(raw.headers.get("content-disposition")).toBe(`inline; filename="README.md"; filename*=UTF-8''README.md`)
    expect(raw.headers.get("x-gitlab-ref")).toBe("main")
    expect(["cache-control", "expires", "pragma"].map((name) => raw.headers.get(name))).toEqual([
      "max-age=0, private, must-revalidate, no-store, no-cache",
      "Fri, 01 Jan 1990 00:00:00 GMT",
      "no-cache"
    ])
  })

  it("large bytes come whole", async () => {
    const response = await fetch(`${service.url}/api/v4${pathOf("data/big.bin", "/raw")}?ref=main`)
    expect(Buffer.from(await response.arrayBuffer()).equals(bigFile)).toBe(true)
  })

  it("tells where lines come from", async () => {
    const { body, status } = await ask("GET", "src/main.ts", { query: { ref: "main" } }, "/blame")
    const { fifth, first, head } = code().fixture.ids
    expect(status).toBe(200)
    const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`)
    expect(body).toMatchObject([
      { commit: { id: first }, lines: lines(1, 20) },
      { commit: { id: fifth }, lines: ["line 21"] },
      { commit: { id: head }, lines: ["line 22"] }
    ])
    const [range] = Array.isArray(body) ? body : []
    expect(Object.keys(Object(field(range, "commit")))).toEqual([
      "id",
      "parent_ids",
      "message",
      "authored_date",
      "author_name",
      "author_email",
      "committed_date",
      "committer_name",
      "committer_email"
    ])
  })

  it("of some lines only", async () => {
    const ranged = (start: string, end: string) =>
      ask("GET", "src/main.ts", { query: { ref: "main", "range[start]": start, "range[end]": end } }, "/blame")
    expect((await ranged("20", "21")).body).toMatchObject([{ lines: ["line 20"] }, { lines: ["line 21"] }])
    expect(answerOf(await ranged("500", "501"))).toEqual([200, []])
    expect(answerOf(await ranged("3", "2"))).toEqual([400, { message: "range[start] must be less than or equal to range[end]" }])
    expect(answerOf(await ranged("0", "x"))).toEqual([400, { error: "range[end] is invalid" }])
    expect(answerOf(await ranged("0", "2"))).toEqual([400, { error: "range[start] does not have a valid value" }])
    expect(answerOf(await ranged("", " "))).toEqual([
      400,
      { error: "range[start] is empty, range[end] is invalid, range[end] is empty" }
    ])
    expect(answerOf(await ranged("1", ""))).toEqual([400, { error: "range[end] is empty" }])
    const half = await ask("GET", "src/main.ts", { query: { ref: "main", "range[start]": "1" } }, "/blame")
    expect(answerOf(half)).toEqual([400, { error: "range[end] is missing, range[end] is empty" }])
  })

  it("of an empty file has no lines", async () => {
    expect(answerOf(await ask("GET", "data/empty", { query: { ref: "main" } }, "/blame"))).toEqual([200, []])
    expect((await ask("GET", "data/crlf.txt", { query: { ref: "main" } }, "/blame")).body).toMatchObject([
      { lines: ["one\r", "two\r"] }
    ])
  })

  it("needs no more than the scope for repositories", async () => {
    const user = await newUser("scoped")
    const { text } = await issueTokenFor(service, user.id, { scopes: ["read_repository"] })
    expect((await ask("GET", "README.md", { query: { ref: "main" }, token: text })).status).toBe(200)
    const write = { token: text, json: { branch: "main", commit_message: "m", content: "" } }
    expect(answerOf(await ask("PUT", "README.md", write))).toMatchObject([403, { scope: "read_repository api read_api" }])
    const { text: other } = await issueTokenFor(service, user.id, { scopes: ["read_user"] })
    expect((await ask("GET", "README.md", { query: { ref: "main" }, token: other })).status).toBe(403)
  })
})

describe("write", () => {
  const write = (more: object = {}) => ({ branch: "work", commit_message: "By file", ...more })
  let token = ""
  beforeAll(async () => {
    await service.request("POST", `/projects/${code().id}/repository/branches`, { json: { branch: "work", ref: "main" } })
    const developer = await newUser("file-developer")
    token = developer.token
    await service.request("POST", `/projects/${code().id}/members`, { json: { user_id: developer.id, access_level: 30 } })
  })

  it.each(requestForms)("creates, updates and deletes by %s", async (form, sent) => {
    const path = `by/${form}.txt`
    const created = await ask("POST", path, { ...sent({ ...write(), content: "one\n" }), token })
    expectExactly(answerOf(created), [201, { file_path: path, branch: "work" }])
    expect(bytesAt("work", path).toString()).toBe("one\n")
    const updated = await ask("PUT", path, {
      ...sent({ ...write(), content: Buffer.from([0, 200]).toString("base64"), encoding: "base64", execute_filemode: true }),
      token
    })
    expectExactly(answerOf(updated), [200, { file_path: path, branch: "work" }])
    expect(bytesAt("work", path)).toEqual(Buffer.from([0, 200]))
    expect((await read(path, "work")).body).toMatchObject({ execute_filemode: true, last_commit_id: git("rev-parse", "work") })
    expect(answerOf(await ask("DELETE", path, { ...sent({ ...write({ commit_message: "Bye" }) }), token }))).toEqual([
      204,
      undefined
    ])
    expect(git("show", "-s", "--format=%s|%an|%ae|%cn", "work")).toBe(
      "Bye|file-developer|file-developer@example.com|file-developer"
    )
    expect((await read(path, "work")).status).toBe(404)
  })

  it.each(["!!!not base64!!!", "YWJj\u00e9", "YWJjZ", "YQ===", "Y=Q="])(
    "refuses %j as Base64, and writes nothing",
    async (content) => {
      const before = git("rev-parse", "work")
      const json = write({ content, encoding: "base64" })
      expect(answerOf(await ask("POST", "bad64", { json }))).toEqual([400, { message: "The content of bad64 is not Base64" }])
      const actions = [{ action: "create", file_path: "bad64", content, encoding: "base64" }]
      const commit = { branch: "work", commit_message: "m", actions }
      const sent = await service.request("POST", `/projects/${code().id}/repository/commits`, { json: commit })
      expect(answerOf(sent)).toEqual([400, { message: "The content of bad64 is not Base64" }])
      expect(git("rev-parse", "work")).toBe(before)
    }
  )

  it("tells nothing of a content to those who may not push", async () => {
    const reporter = await newUser("file-reporter")
    await service.request("POST", `/projects/${code().id}/members`, { json: { user_id: reporter.id, access_level: 20 } })
    const bad = { content: "!", encoding: "base64" }
    const [path, { token }] = [`/projects/${code().id}/repository/commits`, reporter]
    const actions = [{ action: "create", file_path: "bad64", ...bad }]
    const answers = [
      await ask("POST", "bad64", { json: write(bad), token }),
      await ask("PUT", "README.md", { json: write(bad), token }),
      await service.request("POST", path, { json: { branch: "work", commit_message: "m", actions }, token })
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
  })

  it("looks at no content of an action that writes none", async () => {
    const bad = { content: "!", encoding: "base64" }
    const actions = [
      { action: "create", file_path: "idle64", content: "x" },
      { action: "chmod", file_path: "idle64", execute_filemode: true, ...bad }
    ]
    const commit = (more: ReadonlyArray<object>) => ({ json: { branch: "work", commit_message: "m", actions: more } })
    const path = `/projects/${code().id}/repository/commits`
    expect((await service.request("POST", path, commit(actions))).status).toBe(201)
    const removal = [{ action: "delete", file_path: "idle64", ...bad }]
    expect((await service.request("POST", path, commit(removal))).status).toBe(201)
  })

  it("takes Base64 in lines, and without its padding", async () => {
    for (const content of ["YWJj\nZGU=\n", "YWJjZGU"]) {
      await ask(content.includes("=") ? "POST" : "PUT", "lines64", { json: write({ content, encoding: "base64" }) })
      expect(bytesAt("work", "lines64").toString()).toBe("abcde")
    }
  })

  it("changes and deletes a file whose name is not UTF-8, and makes no second one", async () => {
    await service.request("POST", `/projects/${code().id}/repository/branches`, { json: { branch: "odd-names", ref: "odd" } })
    const [path, json] = ["latin-\u00e9.txt", { branch: "odd-names", commit_message: "m", content: "changed\n" }]
    const taken = { message: "A file with this name already exists" }
    expect(answerOf(await ask("POST", path, { json }))).toEqual([400, taken])
    expect(answerOf(await ask("PUT", path, { json }))).toEqual([200, { file_path: path, branch: "odd-names" }])
    expect(answerOf(await ask("GET", path, { query: { ref: "odd-names" } }, "/blame"))).toEqual([
      404,
      { message: "404 File Not Found" }
    ])
    expect((await read(path, "odd-names")).body).toMatchObject({ content: Buffer.from("changed\n").toString("base64") })
    expect((await ask("DELETE", path, { json })).status).toBe(204)
    expect(git("-c", "core.quotePath=true", "diff", "--name-status", "odd", "odd-names")).toBe('D\t"latin-\\351.txt"')
  })

  it("keeps a mode, and takes authors and a start", async () => {
    const json = write({ branch: "begun", start_branch: "main~0", content: "x" })
    expect((await ask("PUT", "README.md", { json })).body).toEqual({
      message: "You can only create or edit files when you are on a branch"
    })
    const started = write({ branch: "begun", start_branch: "work", content: "x", author_name: "Ann", author_email: "ann@x.y" })
    expect((await ask("PUT", "README.md", { json: started })).status).toBe(200)
    expect(git("show", "-s", "--format=%P|%an|%ae|%cn", "begun")).toBe(`${git("rev-parse", "work")}|Ann|ann@x.y|Administrator`)
    await ask("POST", "tool", { json: write({ content: "1", execute_filemode: true }) })
    await ask("PUT", "tool", { json: write({ content: "2" }) })
    expect((await read("tool", "work")).body).toMatchObject({ execute_filemode: true })
    await ask("PUT", "link-to-readme", { json: write({ content: "LICENSE" }) })
    expect(git("ls-tree", "work", "link-to-readme")).toMatch(/^120000/)
  })

  it.each([
    ["POST", "README.md", {}, "A file with this name already exists"],
    ["POST", "src", {}, "A directory with this name already exists"],
    ["POST", "README.md/x", {}, "A file with this name already exists"],
    ["POST", ".git/config", {}, "invalid path: '.git/config'"],
    ["PUT", "nothing", {}, "A file with this name doesn't exist"],
    ["DELETE", "nothing", {}, "A file with this name doesn't exist"],
    ["PUT", "sub", {}, "A file with this name doesn't exist"],
    ["POST", "x", { branch: "nothing" }, "You can only create or edit files when you are on a branch"],
    [
      "PUT",
      "README.md",
      { last_commit_id: "0".repeat(40) },
      "You are attempting to update a file that has changed since you started editing it."
    ],
    [
      "DELETE",
      "README.md",
      { last_commit_id: "0".repeat(40) },
      "You are attempting to delete a file that has been previously updated."
    ]
  ])("%s %s %j: 400", async (method, path, more, message) => {
    expect(answerOf(await ask(method, path, { json: write({ content: "", ...more }) }))).toEqual([400, { message }])
  })

  it("knows the last commit of a file", async () => {
    await ask("POST", "known", { json: write({ content: "1" }) })
    const last_commit_id = git("rev-parse", "work")
    await ask("POST", "other", { json: write({ content: "1" }) })
    expect((await ask("PUT", "known", { json: write({ content: "2", last_commit_id }) })).status).toBe(200)
    expect((await ask("DELETE", "known", { json: write({ last_commit_id }) })).status).toBe(400)
  })

  it.each(["/etc/passwd.rb", "//x", "../x"])("refuses the path %j, and writes nothing", async (path) => {
    const [before, json] = [git("rev-parse", "work"), write({ content: "" })]
    for (const method of ["POST", "PUT", "DELETE"]) {
      expect(answerOf(await ask(method, path, { json }))).toEqual([400, { error: "file_path should be a valid file path" }])
    }
    expect(git("rev-parse", "work")).toBe(before)
  })

  it("judges parameters", async () => {
    const missing = "branch is missing, branch is empty, commit_message is missing, commit_message is empty"
    expect(answerOf(await ask("POST", "x", { json: {} }))).toEqual([400, { error: `${missing}, content is missing` }])
    expect(answerOf(await ask("DELETE", "x", { json: {} }))).toEqual([400, { error: missing }])
    expect(answerOf(await ask("PUT", "x", { json: write({ content: "", encoding: "rot13" }) }))).toEqual([
      400,
      { error: "encoding does not have a valid value" }
    ])
    expect(answerOf(await ask("POST", "../x", { json: write({ content: "" }) }))).toEqual([
      400,
      { error: "file_path should be a valid file path" }
    ])
  })

  it("of a protected branch is for those who may push", async () => {
    const json = write({ branch: "main", content: "" })
    const refused = [403, { message: "403 Forbidden - You are not allowed to push into this branch" }]
    for (const method of ["POST", "PUT", "DELETE"]) {
      expect(answerOf(await ask(method, "README.md", { json, token }))).toEqual(refused)
    }
    expect((await ask("POST", "by-root", { json })).status).toBe(201)
  })

  it.each(["a b/ü c", "-dash", "new\nline", "a%2Fb", "$(id)", "\u{1f680}", "x.json", "back\\slash", ":(top)y"])(
    "writes %j",
    async (path) => {
      const created = await ask("POST", path, { json: write({ content: "w" }) })
      expect(answerOf(created)).toEqual([201, { file_path: path, branch: "work" }])
      expect((await read(path, "work")).body).toMatchObject({ file_path: path })
      expect((await ask("DELETE", path, { json: write() })).status).toBe(204)
    }
  )
})
