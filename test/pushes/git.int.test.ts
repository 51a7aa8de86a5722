import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { gitClient } from "#test/support/git/gitClient.ts"
import { issueTokenFor } from "#test/support/people/accounts.ts"
import { rootToken } from "#test/support/service.ts"
import { until } from "#test/support/until.ts"
import { usePushes } from "./usePushes.ts"

const { addMember, commit, git, newProject, newUser, place, realRefs, recorded, recordedRefs, service, urlFor, work } =
  usePushes()

const tokens: Record<string, string> = { root: rootToken }
const levels = { guest: 10, reporter: 20, developer: 30, maintainer: 40 } as const
const visibilities = ["private", "internal", "public"] as const
const ids: Record<string, number> = {}

beforeAll(async () => {
  for (const name of Object.keys(levels)) {
    const { id, token } = await newUser(name)
    tokens[name] = token
    ids[name] = id
  }
  tokens.outsider = (await newUser("outsider")).token
  tokens.external = (await newUser("external", { external: true })).token
  for (const visibility of visibilities) {
    const id = await newProject(visibility, { visibility })
    ids[visibility] = id
    for (const [name, level] of Object.entries(levels)) await addMember(`/projects/${id}`, ids[name] ?? 0, level)
    expect((await work("push", "-q", urlFor(rootToken, visibility), "main")).stderr).toBe("")
  }
})

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`

/** What the first request of git is answered: the status, and the text of a refusal. */
const ask = async (path: string, service_: "upload" | "receive", authorization?: string) => {
  const url = `${service.url}/${path}/info/refs?service=git-${service_}-pack`
  const response = await fetch(url, authorization === undefined ? {} : { headers: { authorization } })
  const text = await response.text()
  return response.status === 200 ? 200 : [response.status, text.trimEnd()]
}

const denied = [401, expect.stringMatching(/^HTTP Basic: Access denied\./)]
const missing = [404, "The project you were looking for could not be found or you don't have permission to view it."]
const noDownload = [403, "You are not allowed to download code from this project."]
const noPush = [403, "You are not allowed to push code to this project."]

describe("who may fetch and push", () => {
  const everybody = ["nobody", "outsider", "external", "guest", "reporter", "developer", "maintainer", "root"] as const
  const may = (fetch: unknown, push: unknown) => [fetch, push]
  const rows: Record<(typeof visibilities)[number], Record<(typeof everybody)[number], unknown>> = {
    private: {
      nobody: may(denied, denied),
      outsider: may(missing, missing),
      external: may(missing, missing),
      guest: may(noDownload, noPush),
      reporter: may(200, noPush),
      developer: may(200, 200),
      maintainer: may(200, 200),
      root: may(200, 200)
    },
    internal: {
      nobody: may(denied, denied),
      outsider: may(200, noPush),
      external: may(missing, missing),
      guest: may(200, noPush),
      reporter: may(200, noPush),
      developer: may(200, 200),
      maintainer: may(200, 200),
      root: may(200, 200)
    },
    public: {
      nobody: may(200, denied),
      outsider: may(200, noPush),
      external: may(200, noPush),
      guest: may(200, noPush),
      reporter: may(200, noPush),
      developer: may(200, 200),
      maintainer: may(200, 200),
      root: may(200, 200)
    }
  }
  it.each(visibilities.flatMap((visibility) => everybody.map((who) => [visibility, who] as const)))(
    "a %s project, %s",
    async (visibility, who) => {
      const token = tokens[who]
      const authorization = token === undefined ? undefined : basic("any", token)
      const path = `root/${visibility}.git`
      expect([await ask(path, "upload", authorization), await ask(path, "receive", authorization)]).toEqual(rows[visibility][who])
    }
  )

  it("to those without credentials nothing tells whether a project exists", async () => {
    expect([await ask("root/nothing.git", "upload"), await ask("root/private.git", "upload")]).toEqual([denied, denied])
    expect(await ask("root/nothing.git", "upload", basic("any", rootToken))).toEqual(missing)
  })

  it.each([
    ["read_repository", 200, denied],
    ["write_repository", 200, 200],
    ["read_api", denied, denied],
    ["api", 200, 200]
  ])("a token with the scope %s", async (scope, fetch_, push) => {
    const { text } = await issueTokenFor(service, ids.developer ?? 0, { scopes: [scope] })
    const authorization = basic("developer", text)
    expect([
      await ask("root/private.git", "upload", authorization),
      await ask("root/private.git", "receive", authorization)
    ]).toEqual([fetch_, push])
  })

  it("expired, revoked and unknown tokens, and blocked users", async () => {
    const path = "root/private.git"
    const expired = await issueTokenFor(service, ids.developer ?? 0, { expiresAt: "2020-01-01" })
    expect(await ask(path, "upload", basic("a", expired.text))).toEqual(denied)
    const revoked = await issueTokenFor(service, ids.developer ?? 0)
    await service.request("DELETE", `/personal_access_tokens/${revoked.id}`)
    expect(await ask(path, "upload", basic("a", revoked.text))).toEqual(denied)
    expect(await ask(path, "upload", basic("a", "glpat-unknown"))).toEqual(denied)
    const { id, token } = await newUser("blocked-one")
    await service.request("POST", `/users/${id}/block`)
    expect(await ask("root/public.git", "upload", basic("a", token))).toEqual([403, "Your account has been blocked."])
  })

  it("a user name or e-mail address with its password is as good as a token", async () => {
    const password = "correct horse battery"
    const { id } = await newUser("with-password", { force_random_password: false, password })
    const digits = await newUser("20261122", { force_random_password: false, password })
    for (const member of [id, digits.id]) await addMember(`/projects/${ids.private}`, member, levels.developer)
    const path = "root/private.git"
    expect([
      await ask(path, "receive", basic("With-Password", password)),
      await ask(path, "receive", basic("With-Password@example.com", password)),
      await ask(path, "receive", basic("20261122", password)),
      await ask(path, "receive", basic("with-password@example.com", "wrong")),
      await ask(path, "receive", basic("with-password@example.org", password)),
      await ask(path, "receive", basic("with-password", "wrong")),
      await ask(path, "receive", basic("nobody-of-this-name", password)),
      await ask(path, "receive", basic(String(id), password)),
      await ask(path, "receive", basic("with-password\0", password)),
      await ask(path, "receive", basic("with-password", "")),
      await ask(path, "receive", "Bearer with-password"),
      await ask(path, "receive", "Basic !")
    ]).toEqual([200, 200, 200, ...Array<unknown>(9).fill(denied)])
  })
})

describe("a push", () => {
  it("is recorded with who pushed, and the first one fills the project and protects its default branch", async () => {
    const id = await newProject("recorded")
    const first = (await work("rev-parse", "HEAD")).stdout.trim()
    await work("push", "-q", urlFor(rootToken, "recorded"), "main", "main:refs/tags/v1")
    const main = { ref: "refs/heads/main", before: null, after: first }
    const tag = { ref: "refs/tags/v1", before: null, after: first }
    expect(await recorded(id)).toEqual([["RefsUpdated", "user:1", { updates: [main, tag], options: [] }]])
    const { body } = await service.request("GET", `/projects/${id}`)
    expect(body).toMatchObject({ default_branch: "main", empty_repo: false })
    const protectedBranches = await service.request("GET", `/projects/${id}/protected_branches`)
    expect(protectedBranches.body).toMatchObject([
      {
        name: "main",
        push_access_levels: [{ access_level: 40 }],
        merge_access_levels: [{ access_level: 40 }],
        allow_force_push: false
      }
    ])
  })

  it("is logged with who pushed, under the id that the record tells", async () => {
    const id = await newProject("logged")
    const before = service.log.length
    await work("push", "-q", urlFor(tokens.root, "logged"), "main")
    await work("fetch", "-q", urlFor(undefined, "public"), "main")
    await until(() => service.log.length === before + 5)
    const lines = service.log.slice(before)
    expect(lines.map(({ caller, route, status }) => [route, status, caller])).toEqual([
      ["git.receive-pack", 401, undefined],
      ["git.receive-pack", 200, "user:1"],
      ["git.receive-pack", 200, "user:1"],
      ["git.upload-pack", 200, undefined],
      ["git.upload-pack", 200, undefined]
    ])
    const events = await service.run(EventStore.use((store) => store.read(`repository-${id}`)))
    expect(events.map(({ metadata }) => metadata.requestId)).toEqual([lines[2]?.id])
  })

  it("to a protected branch needs the role that it asks for; other branches are free", async () => {
    const id = ids.private ?? 0
    const next = await commit("next.txt", "next\n")
    const refused = await work("push", urlFor(tokens.developer, "private"), "main")
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining(
        "! [remote rejected] main -> main (You are not allowed to push code to protected branches on this project.)"
      )
    ])
    expect((await work("push", "-q", urlFor(tokens.developer, "private"), "main:feature")).status).toBe(0)
    expect((await work("push", "-q", urlFor(tokens.maintainer, "private"), "main")).status).toBe(0)
    const forced = await work("push", "--force", urlFor(tokens.maintainer, "private"), "main~1:main")
    expect(forced.stderr).toContain("You are not allowed to force push code to a protected branch on this project.")
    const deleted = await work("push", urlFor(tokens.maintainer, "private"), ":main")
    expect(deleted.stderr).toContain("The default branch of a project cannot be deleted.")
    expect(await realRefs(id)).toEqual({ "refs/heads/main": next, "refs/heads/feature": next })
    expect(await recordedRefs(id)).toEqual(await realRefs(id))
  })

  it("to a branch of several patterns may do what any of them allows", async () => {
    const id = await newProject("patterns")
    await addMember(`/projects/${id}`, ids.developer ?? 0, levels.developer)
    await work("push", "-q", urlFor(rootToken, "patterns"), "main", "main:release/1", "main:stable/1")
    const protect = (name: string, push_access_level: number, allow_force_push: boolean) =>
      service.request("POST", `/projects/${id}/protected_branches`, { json: { name, push_access_level, allow_force_push } })
    await protect("*/1", 0, false)
    await protect("release/*", 30, false)
    await protect("rel*", 0, true)
    const url = urlFor(tokens.developer, "patterns")
    await commit("patterns.txt", "1\n")
    expect((await work("push", url, "main:release/1")).status).toBe(0)
    expect((await work("push", "--force", url, "main~1:release/1")).status).toBe(0)
    expect((await work("push", url, "main:stable/1")).stderr).toContain(
      "(You are not allowed to push code to protected branches on this project.)"
    )
  })

  it("of any refs, as by semantic-release or a mirror, arrives, is recorded and fetched", async () => {
    const id = await newProject("mirror")
    await addMember(`/projects/${id}`, ids.developer ?? 0, levels.developer)
    await work("push", "-q", urlFor(rootToken, "mirror"), "main")
    const copy = (...args: ReadonlyArray<string>) => git("-C", "mirror", ...args)
    await git("clone", "-q", "--mirror", urlFor(rootToken, "mirror"), "mirror")
    for (const ref of ["refs/heads/topic", "refs/tags/v1", "refs/notes/semantic-release-v1", "refs/pull/1/head", "refs/meta/x"]) {
      await copy("update-ref", ref, "main")
    }
    const url = urlFor(tokens.developer, "mirror")
    expect(await copy("push", "-q", "--mirror", url)).toEqual({ status: 0, stderr: "", stdout: "" })
    const { stdout } = await git("ls-remote", url)
    const refs = await realRefs(id)
    expect(Object.keys(refs)).toEqual([
      "refs/heads/main",
      "refs/heads/topic",
      "refs/meta/x",
      "refs/notes/semantic-release-v1",
      "refs/pull/1/head",
      "refs/tags/v1"
    ])
    expect(stdout.split("\n").slice(1, -1)).toEqual(Object.entries(refs).map(([ref, commit_]) => `${commit_}\t${ref}`))
    expect(await recordedRefs(id)).toEqual(refs)
    await copy("update-ref", "-d", "refs/pull/1/head")
    expect((await copy("push", "-q", "--mirror", url)).status).toBe(0)
    expect(await recordedRefs(id)).toEqual(await realRefs(id))
  })

  it("to refs/replace changes nothing of what others see", async () => {
    const id = await newProject("replaced")
    const first = await commit("replaced.txt", "1\n")
    const other = (await work("commit-tree", "-m", "Replaced", "HEAD^{tree}")).stdout.trim()
    const pushed = await work(
      "push",
      "-q",
      urlFor(rootToken, "replaced"),
      `${first}:refs/heads/main`,
      `${other}:refs/replace/${first}`
    )
    expect(pushed.status).toBe(0)
    const { body } = await service.request("GET", `/projects/${id}/repository/commits?ref_name=main`)
    const ids = (await work("rev-list", first)).stdout.trimEnd().split("\n")
    expect(body).toMatchObject(ids.map((it) => ({ id: it })))
  })

  it("can be cloned, by anybody where the project is public", async () => {
    const cloned = await git("clone", "-q", urlFor(undefined, "public"), "clone")
    expect([cloned.status, (await gitClient(join(place(), "clone"), ["log", "--format=%s"])).stdout]).toEqual([
      0,
      "Write README.md\n"
    ])
  })

  it("to an old path arrives, and tells the new one", async () => {
    const id = await newProject("renamed")
    await service.request("PUT", `/projects/${id}`, { json: { path: "now" } })
    const { stderr } = await work("push", urlFor(rootToken, "renamed"), "main")
    const told = stderr.split("\n").filter((line) => line.startsWith("remote:"))
    expect(told.map((line) => line.slice("remote: ".length).trimEnd())).toEqual([
      "Project 'root/renamed' was moved to 'root/now'.",
      "",
      "Please update your Git remote:",
      "",
      "  git remote set-url origin https://forge.example.com/root/now.git"
    ])
    const heads = (await work("rev-parse", "main")).stdout.trim()
    expect((await git("ls-remote", "--heads", urlFor(rootToken, "renamed"))).stdout).toBe(`${heads}\trefs/heads/main\n`)
    const again = await work("push", urlFor(rootToken, "NOW"), "main:other")
    expect(again.stderr).not.toContain("moved")
    expect(await recordedRefs(id)).toEqual(await realRefs(id))
  })

  it("finds the project under its full path in any case, and not under its id", async () => {
    expect((await git("ls-remote", urlFor(rootToken, "PUBLIC"))).stdout).toContain("refs/heads/main")
    expect(await ask(`${ids.public}.git`, "upload", basic("a", rootToken))).not.toBe(200)
  })
})
