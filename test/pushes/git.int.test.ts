import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Repositories } from "#src/git/Repositories.ts"
import { handle, record } from "#src/platform/Commands.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { projectAggregate } from "#src/projects/handle.ts"
import { RepositoryStorage } from "#src/projects/RepositoryStorage.ts"
import { defaultSettings } from "#src/projects/settings.ts"
import { changeProject, createProject } from "#src/projects/writes.ts"
import { appendRefs } from "#src/pushes/appendRefs.ts"
import { PushEvent, pushCodec } from "#src/pushes/events.ts"
import { repositoryStream } from "#src/pushes/ids.ts"
import { loggedRefs } from "#src/pushes/loggedRefs.ts"
import { Reconciliation } from "#src/pushes/Reconciliation.ts"
import { RecordedRefs } from "#src/pushes/RecordedRefs.ts"
import { reconcile } from "#src/pushes/reconcile.ts"
import { issueTokenFor } from "#test/support/accounts.ts"
import { field } from "#test/support/exactly.ts"
import { type GitRun, gitClient } from "#test/support/gitClient.ts"
import { holdProjects } from "#test/support/holdUsers.ts"
import { rootToken } from "#test/support/service.ts"
import { settled } from "#test/support/settled.ts"
import { until } from "#test/support/until.ts"
import { useProjects } from "../projects/useProjects.ts"

const { addMember, newProject, newUser, service } = useProjects()

let folder = ""
const tokens: Record<string, string> = { root: rootToken }
const levels = { guest: 10, reporter: 20, developer: 30, maintainer: 40 } as const
const visibilities = ["private", "internal", "public"] as const
const ids: Record<string, number> = {}

const git = (...args: ReadonlyArray<string>): Promise<GitRun> => gitClient(folder, args)
const work = (...args: ReadonlyArray<string>): Promise<GitRun> => gitClient(join(folder, "work"), args)
/** URL of a project of root for somebody with a token as the password. */
const urlFor = (token: string | undefined, path: string): string => {
  const { host } = new URL(service.url)
  return `http://${token === undefined ? "" : `somebody:${token}@`}${host}/root/${path}.git`
}

const commit = async (file: string, text: string): Promise<string> => {
  await writeFile(join(folder, "work", file), text)
  await work("add", ".")
  await work("commit", "-q", "-m", `Write ${file}`)
  return (await work("rev-parse", "HEAD")).stdout.trim()
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chronoforge-git-"))
  await git("init", "-q", "-b", "main", "work")
  await commit("README.md", "# Demo\n")
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
afterAll(() => rm(folder, { recursive: true, force: true }))

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

/** Types, actors and data of what was recorded of pushes. */
const recorded = (id: number) =>
  service.run(
    Effect.map(
      EventStore.use((store) => store.read(`repository-${id}`)),
      (events) => events.map(({ data, metadata, type }) => [type, metadata.actor, data])
    )
  )
const recordedRefs = (id: number) =>
  service.run(RecordedRefs.use((refs) => Effect.map(refs.of(id), (map) => Object.fromEntries(map))))
const realRefs = async (id: number) => {
  const { path } = await service.run(Repositories.use((repositories) => Effect.succeed(repositories.of(id))))
  const { stdout } = await git(`--git-dir=${path}`, "for-each-ref", "--format=%(refname) %(objectname)")
  return Object.fromEntries(
    stdout
      .split("\n")
      .slice(0, -1)
      .map((line) => line.split(" "))
  )
}

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

  it("can be cloned, by anybody where the project is public", async () => {
    const cloned = await git("clone", "-q", urlFor(undefined, "public"), "clone")
    expect([cloned.status, (await gitClient(join(folder, "clone"), ["log", "--format=%s"])).stdout]).toEqual([
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

/** Runs while the log takes no events. */
const withoutLog = async <A>(use: () => Promise<A>): Promise<A> => {
  const change = (statement: string) => service.run(Sql.use(({ client }) => query(() => client.unsafe(statement))))
  await change(`create function chronoforge.refuse() returns trigger language plpgsql as $$ begin raise 'no log'; end $$;
    create trigger refuse before insert on chronoforge.events execute function chronoforge.refuse()`)
  return use().finally(() => change("drop function chronoforge.refuse cascade"))
}

describe("refs that moved without being recorded", () => {
  it("are recorded at the next start", async () => {
    const id = await newProject("unrecorded")
    await work("push", "-q", urlFor(rootToken, "unrecorded"), "main", "main:kept", "main:lost")
    const { path } = await service.run(Repositories.use((repositories) => Effect.succeed(repositories.of(id))))
    const moved = (await work("rev-parse", "main~1")).stdout.trim()
    await git(`--git-dir=${path}`, "update-ref", "refs/heads/main", moved)
    await git(`--git-dir=${path}`, "update-ref", "-d", "refs/heads/lost")
    const before = (await recorded(id)).length
    await service.run(reconcile)
    expect(await recordedRefs(id)).toEqual(await realRefs(id))
    expect((await recorded(id)).slice(before)).toEqual([
      [
        "RefsUpdated",
        "system:reconcile",
        {
          updates: [
            { ref: "refs/heads/lost", before: expect.any(String), after: null },
            { ref: "refs/heads/main", before: expect.any(String), after: moved }
          ],
          options: []
        }
      ]
    ])
    await service.run(reconcile)
    expect((await recorded(id)).length).toBe(before + 1)
  })

  it("are not recorded behind what came in meanwhile, such as a late record of the same", async () => {
    const id = await newProject("overtaken")
    await work("push", "-q", urlFor(rootToken, "overtaken"), "main")
    const before = await recorded(id)
    const updates = Object.entries(await realRefs(id)).map(([ref, after]) => ({ ref, before: null, after: String(after) }))
    const exit = await service.run(Effect.exit(appendRefs(id, { updates, options: [] }, "noStream")))
    expect([String(exit), await recorded(id)]).toEqual([expect.stringContaining("WrongExpectedRevision"), before])
  })

  it("are recorded of a project that read models do not know yet", async () => {
    const release = await holdProjects(service)
    const wish = {
      namespaceId: 1,
      creatorId: 1,
      ownerId: 1,
      path: "unknown",
      defaultBranch: null,
      forkedFrom: null,
      ceilings: []
    }
    const { id } = await service.run(createProject({ ...wish, settings: defaultSettings("unknown") })).catch(async (error) => {
      await release()
      throw error
    })
    const { path } = await service.run(Repositories.use((repositories) => Effect.succeed(repositories.of(id))))
    await git(`--git-dir=${path}`, "fetch", "-q", join(folder, "work"), "main:main")
    await service.run(Reconciliation.use((reconciliation) => reconciliation.soon(id)))
    await until(async () => (await recorded(id)).length > 0).finally(release)
    expect(await recorded(id)).toEqual([
      [
        "RefsUpdated",
        "system:reconcile",
        { updates: [{ ref: "refs/heads/main", before: null, after: (await realRefs(id))["refs/heads/main"] }], options: [] }
      ]
    ])
  })

  it("are compared with all that was recorded, however much that is", async () => {
    const [project, ids] = [1_000_000, Array.from({ length: 250 }, (_, index) => String(index).padStart(40, "0"))]
    const updates = ids.map((after, index) => ({ ref: `refs/tags/${index % 3}`, before: ids[index - 3] ?? null, after }))
    const events = updates.map((update) => PushEvent.cases.RefsUpdated.make({ updates: [update], options: [] }))
    await service.run(record(pushCodec, repositoryStream(project), events))
    const refs = new Map([0, 1, 2].map((tag) => [`refs/tags/${tag}`, ids.findLast((_, index) => index % 3 === tag)]))
    expect(await service.run(loggedRefs(project))).toEqual({ refs, revision: 249 })
    expect(await service.run(loggedRefs(project + 1))).toEqual({ refs: new Map(), revision: "noStream" })
  })

  it("are recorded by the running service once the log takes events again", async () => {
    const [pushed, written] = [await newProject("log-away"), await newProject("log-away-too")]
    await work("push", "-q", urlFor(rootToken, "log-away-too"), "main")
    const file = { branch: "main", content: "x", commit_message: "m" }
    const texts = await withoutLog(async () => [
      (await work("push", urlFor(rootToken, "log-away"), "main")).stderr,
      (await service.request("POST", `/projects/${written}/repository/files/x.txt`, { json: file })).status
    ])
    expect(texts).toEqual([expect.stringContaining("(moved, but the service could not record it"), 500])
    const main = (await work("rev-parse", "main")).stdout.trim()
    await until(async () => (await recorded(pushed)).length > 0 && (await recorded(written)).length > 1)
    const updates = [{ ref: "refs/heads/main", before: null, after: main }]
    expect(await recorded(pushed)).toEqual([["RefsUpdated", "system:reconcile", { updates, options: [] }]])
    const { "refs/heads/main": after } = await realRefs(written)
    expect((await recorded(written)).slice(1)).toEqual([
      ["RefsUpdated", "system:reconcile", { updates: [{ ref: "refs/heads/main", before: main, after }], options: [] }]
    ])
    const shown = { default_branch: "main", empty_repo: false, readme_url: expect.stringContaining("/README.md") }
    await expect.poll(async () => (await service.request("GET", `/projects/${pushed}`)).body).toMatchObject(shown)
  })
})

it("a start while the log takes nothing goes on to record what moved", async () => {
  const id = await newProject("log-away-at-start")
  await work("push", "-q", urlFor(rootToken, "log-away-at-start"), "main")
  const { path } = await service.run(Repositories.use((repositories) => Effect.succeed(repositories.of(id))))
  await git(`--git-dir=${path}`, "branch", "unrecorded", "main")
  await withoutLog(() => service.run(reconcile))
  await expect.poll(() => recordedRefs(id)).toEqual(await realRefs(id))
})

describe("a default branch and HEAD that differ", () => {
  it("are the same after the next start: what the log has", async () => {
    const id = await newProject("two-heads")
    await work("push", "-q", urlFor(rootToken, "two-heads"), "main", "main:next")
    const { path } = await service.run(Repositories.use((repositories) => Effect.succeed(repositories.of(id))))
    await git(`--git-dir=${path}`, "symbolic-ref", "HEAD", "refs/heads/next")
    await service.run(reconcile)
    const head = async () => (await git(`--git-dir=${path}`, "symbolic-ref", "HEAD")).stdout
    const shown = async () => (await service.request("GET", `/projects/${id}`)).body
    expect([await head(), await shown()]).toEqual(["refs/heads/main\n", expect.objectContaining({ default_branch: "main" })])
    const changed = await withoutLog(() => service.request("PUT", `/projects/${id}`, { json: { default_branch: "next" } }))
    expect([changed.status, await head()]).toEqual([500, "refs/heads/main\n"])
  })

  it("are the same as soon as HEAD can be set", async () => {
    const id = await newProject("stuck-head")
    await work("push", "-q", urlFor(rootToken, "stuck-head"), "main", "main:next")
    const { path } = await service.run(Repositories.use((repositories) => Effect.succeed(repositories.of(id))))
    const changed = Effect.gen(function* () {
      const storage = { ...(yield* RepositoryStorage), setDefaultBranch: () => Effect.die("stuck") }
      const change = changeProject(id, { defaultBranch: "next", changes: {}, ceilings: [] })
      const failed = Effect.catchDefect(change, (defect) => Effect.fail(defect))
      return yield* Effect.flip(Effect.provideService(failed, RepositoryStorage, storage))
    })
    expect(await service.run(changed)).toBe("stuck")
    await expect.poll(async () => (await git(`--git-dir=${path}`, "symbolic-ref", "HEAD")).stdout).toBe("refs/heads/next\n")
  })
})

it("a README that was not noted is at the next start", async () => {
  const id = await newProject("unnoted")
  await work("push", "-q", urlFor(rootToken, "unnoted"), "main")
  await service.run(Effect.andThen(handle(projectAggregate, id, { _tag: "NoteReadme", readme: null }), settled))
  const readme = async () => field((await service.request("GET", `/projects/${id}`)).body, "readme_url")
  expect(await readme()).toBeNull()
  await service.run(Effect.andThen(reconcile, settled))
  expect(await readme()).toBe("https://forge.example.com/root/unnoted/-/blob/main/README.md")
})
