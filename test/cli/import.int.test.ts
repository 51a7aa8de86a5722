import { execFileSync } from "node:child_process"
import { chownSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { until } from "#test/support/until.ts"
import { credentials, useRemote } from "../imports/useRemote.ts"
import { chronoforge, start } from "./chronoforge.ts"
import { useInstallation } from "./useInstallation.ts"

const installation = useInstallation()
const { request } = installation
const remote = useRemote()
let folder = ""

const run = (...args: ReadonlyArray<string>) =>
  chronoforge(["import", ...args], { ...installation.settings, IMPORT_ALLOW_PRIVATE: "true", IMPORT_ENABLED: "false" })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chronoforge-import-"))
  const files = Array.from({ length: 200 }, (_, index) => [`${index}.txt`, `${index}\n`] as const)
  const { commits, git } = remote.create("demo")
  remote.create("private/demo").commits([{ mark: "one" }])
  remote.create("other").commits([{ mark: "one" }])
  const demo = commits([{ mark: "one", ref: "refs/heads/trunk", files: Object.fromEntries(files) }])
  git(["update-ref", "refs/tags/v1", demo.one])
  git(["symbolic-ref", "HEAD", "refs/heads/trunk"])
  await request("POST", "/groups", { json: { name: "team", path: "team" } })
  await request("POST", "/users", {
    json: { username: "ada", name: "Ada", email: "ada@example.com", force_random_password: true }
  })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe("import", () => {
  it("brings a folder of the machine into a new project, and shows how far it is", async () => {
    const { code, stderr, stdout } = await run(join(remote.root, "demo.git"), "team/demo")
    assert.deepStrictEqual([code, stdout], [0, "Imported 1 branch and 1 tag into team/demo\n"], stderr)
    assert.match(stderr, /^( *\d+%.*\n)*Packing it for fast reading; stop this, and the service does it\n$/)
    const { body } = await request("GET", "/projects/team%2Fdemo")
    assert.deepStrictEqual(
      [field(body, "default_branch"), field(body, "empty_repo"), field(body, "creator_id")],
      ["trunk", false, 1]
    )
    const tree = await request("GET", "/projects/team%2Fdemo/repository/tree")
    assert.strictEqual(Array.isArray(tree.body) && tree.body.length, 20)
  })

  it("refuses a project that is not empty", async () => {
    const { code, stderr, stdout } = await run(join(remote.root, "other.git"), "team/demo")
    assert.deepStrictEqual([code, stdout], [1, ""])
    assert.include(stderr, "The project team/demo is not empty")
  })

  it("brings a repository of a server into an empty project, for a user", async () => {
    await request("POST", "/projects/user/2", { json: { name: "mine" } })
    const file = join(folder, "credentials")
    await writeFile(file, `${credentials.user}:${credentials.password}\n`)
    const { code, stderr, stdout } = await run(`${remote.url}/private/demo.git`, "ada/mine", "--as", "ada", "--credentials", file)
    assert.deepStrictEqual([code, stdout], [0, "Imported 1 branch and 0 tags into ada/mine\n"], stderr)
    const rows = await installation.sql(
      "select metadata::jsonb ->> 'actor', data::text from chronoforge.events where stream like 'import-%' and data::text like '%private%'"
    )
    assert.deepStrictEqual([rows.length, rows[0]?.[0], JSON.stringify(rows).includes("s3cret")], [1, "user:2", false])
  })

  it("that is interrupted is over, and can be repeated", async () => {
    const release = remote.hold()
    const args = ["import", `${remote.url}/other.git`, "team/other"]
    const running = start(args, { ...installation.settings, IMPORT_ALLOW_PRIVATE: "true" })
    const begun = () =>
      remote.requests.filter(({ method, path }) => method === "POST" && path.startsWith("/other.git/")).length > 2
    await until(begun)
    const other = await run(`${remote.url}/other.git`, "team/other")
    assert.deepStrictEqual(other.code, 1)
    assert.include(other.stderr, "Another process is importing into the project")
    running.signal("SIGINT")
    assert.strictEqual((await running.ended).code, 130)
    const [reason] = await installation.sql("select error from rm_imports.imports where import_url like '%other.git'")
    assert.deepStrictEqual(reason, ["The command that was importing was stopped"])
    release()
    const { code, stdout } = await run(`${remote.url}/other.git`, "team/other")
    assert.deepStrictEqual([code, stdout], [0, "Imported 1 branch and 0 tags into team/other\n"])
  })

  const refusals: ReadonlyArray<readonly [number, string, ReadonlyArray<string>]> = [
    [1, "There is no /nowhere/at-all.git", ["/nowhere/at-all.git", "team/new"]],
    [1, "/etc cannot be imported: There is no repository at this address", ["/etc", "team/new"]],
    [1, "/etc/passwd cannot be imported: ", ["/etc/passwd", "team/new"]],
    [2, "--credentials are for a URL, and /etc is a path", ["/etc", "team/new", "--credentials", "/nowhere"]],
    [1, "There is no group or user nobody", ["<demo>", "nobody/new"]],
    [1, "ada may not create projects in team", ["<demo>", "team/new", "--as", "ada"]],
    [1, "Name the project with its namespace", ["<demo>", "new"]],
    [1, "The import URL must begin with http:// or https://", ["file:///etc", "team/new"]],
    [1, "The server could not be reached", ["http://127.0.0.1:1031/demo.git", "team/new"]],
    [1, "The credentials could not be read from /nowhere", ["https://example.com/a", "team/new", "--credentials", "/nowhere"]],
    [2, "project", ["/etc"]]
  ]
  for (const [code, message, args] of refusals) {
    it(`${args.join(" ")}: ${message}`, async () => {
      const ended = await run(...args.map((arg) => (arg === "<demo>" ? join(remote.root, "demo.git") : arg)))
      assert.deepStrictEqual([ended.code, ended.stdout], [code, code === 2 ? ended.stdout : ""])
      assert.include((ended.stderr + ended.stdout).replaceAll(/\s+/g, " "), message)
      assert.strictEqual((await request("GET", "/projects/team%2Fnew")).status, 404)
    })
  }

  it("takes a folder that belongs to another user, and one without commits", async () => {
    const path = join(folder, "empty.git")
    execFileSync("git", ["init", "--quiet", "--bare", path])
    // Only root may give a folder away.
    if (process.getuid?.() === 0) chownSync(path, 65_534, 65_534)
    const { code, stderr, stdout } = await run(path, "team/empty")
    assert.deepStrictEqual([code, stdout], [0, "Imported 0 branches and 0 tags into team/empty\n"], stderr)
  })

  it("says that the project stays where an import fails", async () => {
    const path = join(folder, "sha256.git")
    execFileSync("git", ["init", "--quiet", "--bare", "--object-format=sha256", path])
    const git = (...args: ReadonlyArray<string>) =>
      execFileSync("git", ["-C", path, "-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
        encoding: "utf8",
        input: ""
      }).trim()
    git("update-ref", "refs/heads/main", git("commit-tree", "-m", "One", git("mktree")))
    const { code, stderr } = await run(path, "team/sha256")
    assert.strictEqual(code, 1)
    assert.include(
      stderr.replaceAll(/\s+/g, " "),
      "The repository has ids of another kind: sha256. The project team/sha256 stays, empty: the same command tries again"
    )
    assert.strictEqual((await request("GET", "/projects/team%2Fsha256")).status, 200)
  })

  it("asks no private address unless that is allowed", async () => {
    const { code, stderr } = await installation.run("import", `${remote.url}/demo.git`, "team/private")
    assert.strictEqual(code, 1)
    assert.include(stderr, "The import URL leads to an address that is not public, which is not allowed")
    assert.strictEqual((await request("GET", "/projects/team%2Fprivate")).status, 404)
  })
})
