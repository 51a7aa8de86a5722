import { setImmediate } from "node:timers/promises"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { PushLocks } from "#src/git/refs/pushLocks.ts"
import { makeRefTurns } from "#src/git/refs/refTurns.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { repositoryStream } from "#src/pushes/ids.ts"
import { commitSection } from "#src/repositories/changelog/commit.ts"
import { expectExactly, field } from "#test/support/exactly.ts"
import { issueTokenFor } from "#test/support/people/accounts.ts"
import { useService } from "#test/support/service.ts"
import { changed, changelogProject, failed, newUser } from "./useChangelog.ts"

const externalUrl = "https://forge.example.com"
const service = useService({ EXTERNAL_URL: externalUrl })
let projects = 0

type FileChanges = Record<string, string | Uint8Array | { readonly mode: "100755" | "120000"; readonly content: string }>

/** A project whose branch `main` has these files, and then a commit with the trailer. */
const newProject = async (files: FileChanges = {}, input: object = {}) => {
  const project = await changelogProject(service, { path: `p${projects++}`, ...input })
  project.commits([
    { mark: "a", files },
    { mark: "b", message: changed("B") }
  ])
  const entry = `- [B](${externalUrl}/root/p${projects - 1}/-/commit/${project.git(["rev-parse", "main"])})`
  /** The section of a version. */
  const section = (version: string) => `## ${version} (2021-01-05)\n\n### added (1 change)\n\n${entry}\n`
  const count = (branch = "main") => Number(project.git(["rev-list", "--count", branch]))
  const file = (path = "CHANGELOG.md", branch = "main") => project.gitBytes(["show", `${branch}:${path}`]).toString("latin1")
  return { ...project, section, count, file }
}

const ask = (version: string, more: object = {}) => ({ version, date: "2021-01-05", from: "main~1", ...more })

const events = (id: number) => service.run(EventStore.use((store) => store.read(repositoryStream(id))))

describe("a changelog", () => {
  it("is committed by the caller, and the move of the branch recorded", async () => {
    const ann = await newUser(service, "ann", { name: "Ann Admin", admin: true })
    const { file, git, id, post, section } = await newProject()
    const before = git(["rev-parse", "main"])
    const { body, headers, status } = await post(ask("1.0.0"), { token: ann.token })
    expectExactly([status, body, headers.get("content-type")], [200, 200, "application/json"])
    const [parent, an, ae, cn, ce, message, offset] = git([
      "log",
      "-1",
      "--date=format:%z",
      "--format=%P%n%an%n%ae%n%cn%n%ce%n%s%n%cd"
    ]).split("\n")
    expect([parent, an, ae, cn, ce, message, offset]).toEqual([
      before,
      "Ann Admin",
      "ann@example.com",
      "Ann Admin",
      "ann@example.com",
      "Add changelog for version 1.0.0",
      "+0000"
    ])
    expect(git(["diff-tree", "-r", "--name-status", "--no-commit-id", "HEAD"])).toBe("A\tCHANGELOG.md")
    expect(file()).toBe(section("1.0.0"))
    const moved = { ref: "refs/heads/main", before, after: git(["rev-parse", "main"]) }
    expect((await events(id)).map(({ data, type }) => [type, data])).toEqual([["RefsUpdated", { updates: [moved], options: [] }]])
    git(["fsck", "--strict"])
  })

  it("is committed once for a version", async () => {
    const { count, file, id, post, section } = await newProject()
    await post(ask("v1.0.0"))
    for (const version of ["1.0.0", "v1.0.0"]) {
      const { body, status } = await post(ask(version, { from: "main~2", date: "2024-01-01" }))
      expect([status, body]).toEqual([200, 200])
    }
    expect([count(), file(), (await events(id)).length]).toEqual([3, section("1.0.0"), 1])
  })

  it("is made before it is known that there is one already", async () => {
    const { post } = await newProject()
    await post(ask("1.0.0"))
    const { body, status } = await post(ask("1.0.0", { from: "missing" }))
    expect([status, body]).toEqual(failed("Invalid or not found commit value in the given range"))
  })

  it("goes where it was sent, with the message that was sent", async () => {
    const { count, file, git, post, section } = await newProject({ "docs/OLD.md": "old\n" })
    git(["branch", "release/1.0", "main"])
    const sent = { branch: "release/1.0", file: "docs/CHANGES.md", message: "Two lines\n\nof it" }
    expect((await post(ask("1.0.0", sent))).status).toBe(200)
    expect([count(), count("release/1.0"), file("docs/CHANGES.md", "release/1.0")]).toEqual([2, 3, section("1.0.0")])
    expect(git(["log", "-1", "--format=%B", "release/1.0"])).toBe("Two lines\n\nof it")
    expect(file("docs/OLD.md", "release/1.0")).toBe("old\n")
  })

  it.each([
    ["the version as sent", "v1.0.0", {}, "Add changelog for version v1.0.0"],
    ["that for a blank one", "1.0.0", { message: " " }, "Add changelog for version 1.0.0"],
    ["that for null", "1.0.0", { message: null }, "Add changelog for version 1.0.0"]
  ])("has the usual message: %s", async (_, version, more, message) => {
    const { git, post } = await newProject()
    await post(ask(version, more))
    expect(git(["log", "-1", "--format=%B"])).toBe(message)
  })

  it("keeps the file's mode, and bytes of another encoding", async () => {
    const latin = Buffer.from("# \u00c4nderungen\r\n\r\n## 0.9.0 (alt)\r\n", "latin1")
    const { file, git, post, section } = await newProject({ "CHANGELOG.md": latin })
    git(["update-ref", "refs/heads/main", "main"])
    await post(ask("1.0.0"))
    expect(file()).toBe(`# \u00c4nderungen\r\n\r\n${section("1.0.0")}\n## 0.9.0 (alt)\r\n`)
    const executable = await newProject({ "CHANGELOG.md": { mode: "100755", content: "" } })
    await executable.post(ask("1.0.0"))
    expect(executable.git(["ls-tree", "main", "CHANGELOG.md"])).toMatch(/^100755 /)
  })

  it("of a private address is committed under another one", async () => {
    const bea = await newUser(service, "bea", { admin: true, commit_email: "_private" })
    const { git, post } = await newProject()
    await post(ask("1.0.0"), { token: bea.token })
    expect(git(["log", "-1", "--format=%ae"])).toBe(`${bea.id}-bea@users.noreply.forge.example.com`)
  })

  it("goes to the default branch of the project", async () => {
    const { count, git, post } = await newProject()
    git(["branch", "trunk", "main"])
    git(["symbolic-ref", "HEAD", "refs/heads/trunk"])
    await post(ask("1.0.0", { from: "trunk~1" }))
    expect([count(), count("trunk")]).toEqual([2, 3])
  })

  it("goes to the branch, not to the tag of the same name", async () => {
    const { count, file, git, post, section } = await newProject()
    git(["tag", "main", "refs/heads/main~1"])
    await post(ask("1.0.0", { from: "refs/heads/main~1" }))
    expect([count("refs/heads/main"), file("CHANGELOG.md", "refs/heads/main")]).toEqual([3, section("1.0.0")])
  })
})

describe("a section is put", () => {
  it.each<[string, string, string, (section: string) => string]>([
    ["into an empty file", "", "1.0.0", (it) => it],
    ["before the next lower version", "# Log\n\n## 0.9.0\n\nold\n", "1.0.0", (it) => `# Log\n\n${it}\n## 0.9.0\n\nold\n`],
    ["between", "## 2.0.0\n\nnew\n\n## 0.9.0\n\nold\n", "1.0.0", (it) => `## 2.0.0\n\nnew\n\n${it}\n## 0.9.0\n\nold\n`],
    [
      "by version, not by date",
      "## 10.0.0 (2020-01-01)\n\n## 9.0.0 (2030-01-01)\n",
      "9.5.0",
      (it) => `## 10.0.0 (2020-01-01)\n\n${it}\n## 9.0.0 (2030-01-01)\n`
    ],
    ["at the end, behind a blank line", "## 2.0.0\n\nnew\n", "1.0.0", (it) => `## 2.0.0\n\nnew\n\n${it}`],
    ["at the end of a file without headers, close to it", "# Log\n\ntext", "1.0.0", (it) => `# Log\n\ntext${it}`],
    ["at the end where headers have a v", "## v0.9.0\n\nold\n", "1.0.0", (it) => `## v0.9.0\n\nold\n${it}`],
    ["at the end behind other headers", "# 0.9.0\n### 0.8.0\n##0.7.0\n", "1.0.0", (it) => `# 0.9.0\n### 0.8.0\n##0.7.0\n${it}`],
    ["before the last of two headers", "## 0.9.0\na\n## 0.9.0\nb\n", "1.0.0", (it) => `## 0.9.0\na\n${it}\n## 0.9.0\nb\n`],
    ["although a preview is there", "## 1.0.0-rc1 (x)\n", "1.0.0", (it) => `${it}\n## 1.0.0-rc1 (x)\n`]
  ])("%s", async (_, old, version, expected) => {
    const { file, post, section } = await newProject({ "CHANGELOG.md": old })
    expect((await post(ask(version))).status).toBe(200)
    expect(file()).toBe(expected(section(version)))
  })

  it.each([["## 1.0.0"], ["##1.0.0 x\n"], ["text\n##   1.0.0\t(today)\n"]])(
    "nowhere when there is one already: %j",
    async (old) => {
      const { count, post } = await newProject({ "CHANGELOG.md": old })
      expect([(await post(ask("v1.0.0"))).status, count()]).toEqual([200, 2])
    }
  )
})

describe("refusals", () => {
  it.each([
    ["a blank path", { file: "" }, "invalid path: ''"],
    ["a path upwards", { file: "../CHANGELOG.md" }, "Path cannot include directory traversal"],
    ["a path of git's own", { file: ".git/config" }, "invalid path: '.git/config'"],
    ["an absolute path", { file: "/etc/passwd" }, "invalid path: '/etc/passwd'"],
    ["a directory", { file: "docs" }, "A directory with this name already exists"],
    ["a path below a file", { file: "README.md/x" }, "A file with this name already exists"],
    ["a symbolic link, whose target it would become", { file: "LINK.md" }, "The file is a symbolic link"]
  ])("%s", async (_, more, reason) => {
    const { count, id, post } = await newProject({
      "docs/a.md": "a",
      "README.md": "r",
      "LINK.md": { mode: "120000", content: "README.md" }
    })
    const { body, status } = await post(ask("1.0.0", more))
    expect([status, body, count(), (await events(id)).length]).toEqual([...failed(reason), 2, 0])
  })

  it("an absolute path of a file that has the version", async () => {
    const { count, post } = await newProject({ "CHANGELOG.md": "## 1.0.0\n" })
    const { body, status } = await post(ask("1.0.0", { file: "/CHANGELOG.md" }))
    expect([status, body, count()]).toEqual([...failed("invalid path: '/CHANGELOG.md'"), 2])
  })

  it("a file that is too large", async () => {
    const { count, post } = await newProject({ "CHANGELOG.md": "x".repeat(4 * 1024 * 1024 + 1) })
    const { body, status } = await post(ask("1.0.0"))
    expect([status, body, count()]).toEqual([...failed("The file is too large"), 2])
  })
})

it("follows a branch that moves meanwhile, while nobody else may push", async () => {
  const project = await newProject()
  let pushes = 0
  const push = Effect.sync(() => project.commits([{ mark: "x", files: { [`f${pushes++}`]: "x" }, message: "pushed" }]))
  const locks = PushLocks.of({
    withPushLock: (_, effect) => Effect.andThen(push, effect),
    turns: makeRefTurns(),
    withMaintenanceLock: (_, effect) => effect,
    tryWithMaintenanceLock: (_, __, effect) => Effect.asSome(effect),
    losses: Effect.succeed(0)
  })
  const wanted = {
    projectId: project.id,
    branch: "main",
    file: "CHANGELOG.md",
    version: "1.0.0",
    section: "## 1.0.0\n\nNo changes.\n\n",
    message: "log",
    author: { name: "A", email: "a@example.com" }
  }
  await service.run(Effect.provideService(commitSection(wanted), PushLocks, locks))
  expect(project.git(["log", "--format=%s"]).split("\n")).toEqual(["log", "pushed", "pushed", "B", "a"])
})

describe("many at once", () => {
  it("of different versions: each section is there once, in order", async () => {
    const { file, git, id, post } = await newProject()
    const to = git(["rev-parse", "main"])
    const versions = ["1.0.0", "1.2.0", "1.10.0", "2.0.0", "0.9.0"]
    const answers = await Promise.all(versions.map((version) => post(ask(version, { from: `${to}~1`, to }))))
    expect(answers.map(({ body, status }) => [status, body])).toEqual(versions.map(() => [200, 200]))
    expect([...file().matchAll(/^## (\S+)/gm)].map(([, version]) => version)).toEqual([
      "2.0.0",
      "1.10.0",
      "1.2.0",
      "1.0.0",
      "0.9.0"
    ])
    expect(git(["rev-list", "--count", "main"])).toBe("7")
    const updates = (await events(id)).flatMap(({ data }) => field(data, "updates"))
    expect([updates.length, field(updates.at(-1), "after")]).toEqual([5, git(["rev-parse", "main"])])
  })

  it("of one version: one commit", async () => {
    const { count, file, git, post, section } = await newProject()
    const to = git(["rev-parse", "main"])
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(ask("1.0.0", { from: `${to}~1`, to }))))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect([count(), file()]).toEqual([3, section("1.0.0")])
  })

  it("while others commit: nothing of theirs is lost", async () => {
    const { file, git, post } = await newProject()
    const to = git(["rev-parse", "main"])
    const versions = ["1.0.0", "2.0.0", "3.0.0"]
    const asking = Promise.all(versions.map((version) => post(ask(version, { from: `${to}~1`, to }))))
    const pushed: Array<string> = []
    for (const title of ["f0", "f1", "f2", "f3", "f4"]) {
      await setImmediate()
      const parent = git(["rev-parse", "main"])
      const commit = git(["commit-tree", "-p", parent, "-m", title, `${parent}^{tree}`])
      try {
        git(["update-ref", "refs/heads/main", commit, parent])
        pushed.push(title)
      } catch {
        // Its turn was lost to a changelog.
      }
    }
    const answers = await asking
    const kept = versions.filter((_, index) => answers[index]?.status === 200).reverse()
    // Each push takes at most one try, and there are nine.
    expect(kept.length).toBeGreaterThan(1)
    for (const { body, status } of answers) {
      expect([[200, 200], failed("Could not update refs/heads/main. Please refresh and try again.")]).toContainEqual([
        status,
        body
      ])
    }
    expect([...file().matchAll(/^## (\S+)/gm)].map(([, version]) => version)).toEqual(kept)
    const titles = git(["log", "--format=%s"]).split("\n")
    expect(titles.filter((title) => title.startsWith("Add changelog"))).toHaveLength(kept.length)
    expect(titles.filter((title) => /^f\d$/.test(title))).toEqual(pushed.reverse())
  })
})

describe("who may commit", () => {
  const mayNot = [403, { message: "403 Forbidden - You are not allowed to commit a changelog on this branch" }]
  const notFound = [404, { message: "404 Project Not Found" }]
  const forbidden = [403, { message: "403 Forbidden" }]
  const unauthorized = [401, { message: "401 Unauthorized" }]
  const ok = [200, 200]
  /** Users with each role, and a project of this visibility. */
  const withRoles = async (visibility: "public" | "internal" | "private", more: object = {}) => {
    const names = ["guest", "reporter", "developer", "maintainer"]
    const users = await Promise.all(names.map((name) => newUser(service, `${name}-${projects}`)))
    const outsider = await newUser(service, `outsider-${projects}`)
    const members = Object.fromEntries(users.map(({ id }, index) => [id, (index + 1) * 10]))
    const project = await newProject({}, { settings: { visibility, ...more }, members })
    const tokens = [null, outsider.token, ...users.map(({ token }) => token), undefined]
    const answers = async (method: "get" | "post", query: Readonly<Record<string, string>>) => {
      const found: Array<unknown> = []
      for (const [index, token] of tokens.entries()) {
        const version = query.version ?? `${index}.0.0`
        const { body, status } = await project[method]({ from: "main~1", ...query, version }, { token })
        found.push(status === 200 && method === "get" ? 200 : [status, body])
      }
      return found
    }
    return { project, answers, maintainer: users[3], developer: users[2] }
  }

  it.each([
    ["public", [unauthorized, 200, 200, 200, 200, 200, 200], [unauthorized, mayNot, mayNot, mayNot, ok, ok, ok]],
    ["internal", [unauthorized, 200, 200, 200, 200, 200, 200], [unauthorized, mayNot, mayNot, mayNot, ok, ok, ok]],
    ["private", [unauthorized, notFound, forbidden, 200, 200, 200, 200], [unauthorized, notFound, forbidden, mayNot, ok, ok, ok]]
  ] as const)("in a %s project", async (visibility, reading, committing) => {
    const { answers } = await withRoles(visibility)
    expect(await answers("get", {})).toEqual(reading)
    expect(await answers("post", {})).toEqual(committing)
  })

  it("is asked in front of parameters, but for the right to push", async () => {
    const { answers } = await withRoles("private")
    const bad = [400, { error: "version is invalid" }]
    const expected = [unauthorized, notFound, forbidden, bad, bad, bad, bad]
    expect(await answers("get", { version: "x" })).toEqual(expected)
    expect(await answers("post", { version: "x" })).toEqual(expected)
  })

  it("is told by protected branches", async () => {
    const { answers, developer, project } = await withRoles("public")
    project.git(["branch", "stable", "main"])
    for (const [name, level] of [
      ["main", 40],
      ["closed", 0]
    ] as const) {
      const { status } = await service.request("POST", `/projects/${project.id}/protected_branches`, {
        json: { name, push_access_level: level }
      })
      expect(status).toBe(201)
    }
    expect(await answers("post", {})).toEqual([unauthorized, mayNot, mayNot, mayNot, mayNot, ok, ok])
    const onStable = await project.post(ask("1.0.0", { branch: "stable" }), { token: developer?.token ?? null })
    expect(onStable.status).toBe(200)
    project.git(["branch", "closed", "main"])
    const closed = await project.post(ask("1.0.0", { branch: "closed" }))
    expect([closed.status, closed.body]).toEqual(mayNot)
  })

  it("is nobody in an archived project, or where the repository is switched off", async () => {
    const { project } = await withRoles("public")
    expect((await service.request("POST", `/projects/${project.id}/archive`)).status).toBe(201)
    const answers = [await project.post(ask("1.0.0")), await project.get({ version: "1.0.0", from: "main~1" })]
    expect(answers.map(({ status }) => status)).toEqual([403, 200])
    expect(answers[0]?.body).toEqual(mayNot[1])
    const { status } = await service.request("PUT", `/projects/${project.id}`, { json: { repository_access_level: "disabled" } })
    const off = [await project.get({}), await project.post({})]
    expect([status, ...off.map(({ body, status: each }) => [each, body])]).toEqual([200, forbidden, forbidden])
  })

  it("an unknown project, another path, and a token that may not write", async () => {
    const { project } = await withRoles("public")
    const unknown = await service.request("GET", "/projects/999999/repository/changelog")
    expect([unknown.status, unknown.body]).toEqual(notFound)
    const byPath = await service.request("GET", `/projects/root%2Fp${projects - 1}/repository/changelog`, {
      query: { version: "1.0.0", from: "main~1" }
    })
    expect(byPath.status).toBe(200)
    const { text } = await issueTokenFor(service, 1, { scopes: ["read_api"] })
    expect((await project.get({ version: "1.0.0", from: "main~1" }, { token: text })).status).toBe(200)
    expect((await project.post(ask("1.0.0"), { token: text })).status).toBe(403)
  })
})

afterAll(() => {
  expect(service.log.filter(({ status }) => status >= 500)).toEqual([])
})
