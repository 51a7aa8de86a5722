import { mkdir, readdir, readFile } from "node:fs/promises"
import { createServer } from "node:net"
import { basename, dirname } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { Repositories } from "#src/git/Repositories.ts"
import { importAggregate } from "#src/imports/aggregate.ts"
import { remoteFault } from "#src/imports/remote/fault.ts"
import { probeRemote } from "#src/imports/remote/git.ts"
import { parseImportUrl } from "#src/imports/remote/url.ts"
import { performImport } from "#src/imports/work/perform.ts"
import { handle } from "#src/platform/Commands.ts"
import { Projections } from "#src/platform/Projections.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { RecordedRefs } from "#src/pushes/RecordedRefs.ts"
import { field } from "#test/support/exactly.ts"
import { gitFixture } from "#test/support/git/gitFixtures.ts"
import { useImports } from "./useImports.ts"
import { credentials, useRemote } from "./useRemote.ts"

const { events, find, importing, newProject, probe, remove, schedule, service } = useImports()
const remote = useRemote()

const repositoryOf = (id: number) => service.run(Repositories.use(({ of }) => Effect.succeed(of(id))))
/** What lies beside the repository under names of its own. */
const leftovers = async (id: number) => {
  const { path } = await repositoryOf(id)
  return (await readdir(dirname(path))).filter((name) => name.startsWith(basename(path)) && name !== basename(path))
}
const recordedRefs = (id: number) =>
  service.run(RecordedRefs.use((refs) => Effect.map(refs.of(id), (map) => Object.fromEntries(map))))
/** Until a request for objects has come to the remote. */
const fetching = (name: string) =>
  Effect.repeat(
    Effect.sync(() => remote.requests.filter(({ method, path }) => method === "POST" && path.startsWith(`/${name}.git/`)).length),
    { until: (count) => count > 1 }
  ).pipe(Effect.timeout("20 seconds"), Effect.orDie)
const polled = (name: string) => fetching(name).pipe(Effect.delay("20 millis"))

/** How many keys of secrets there are for the import into a project. */
const keysOf = (id: number) =>
  service.run(
    Sql.use(({ client }) => query(() => client`select 1 from chronoforge.data_keys where stream = ${`import-${id}`}`)).pipe(
      Effect.map((rows) => rows.length)
    )
  )

/** Whether the import into a project still has to be done, as a count. */
const pending = (id: number) =>
  service.run(
    Sql.use(({ client }) => query(() => client`select 1 from rm_imports.pending where id = ${id}`)).pipe(
      Effect.map((rows) => rows.length)
    )
  )

const oneCommit = (name: string) => remote.create(name).commits([{ mark: "one", files: { "README.md": "# One\n" } }])

describe("an import", () => {
  it("brings all branches and tags, and the default branch of the remote", async () => {
    const { commits, git } = remote.create("plain")
    const ids = commits([
      { mark: "one", ref: "refs/heads/trunk", files: { "README.md": "# One\n" } },
      { mark: "two", ref: "refs/heads/trunk" },
      { mark: "other", ref: "refs/heads/main", parents: ["one"] }
    ])
    git(["symbolic-ref", "HEAD", "refs/heads/trunk"])
    git(["tag", "-a", "-m", "First", "v1", ids.one])
    git(["update-ref", "refs/merge-requests/1/head", ids.two])
    const id = await newProject("plain")
    await schedule(id, `${remote.url}/plain.git`)
    expect(await importing(id)).toEqual({
      id,
      import_url: `${remote.url}/plain.git`,
      status: "finished",
      error: null,
      progress: 100
    })
    const branches = await service.request("GET", `/projects/${id}/repository/branches`)
    expect(branches.body).toMatchObject([
      { name: "main", commit: { id: ids.other }, default: false, protected: false },
      { name: "trunk", commit: { id: ids.two }, default: true, protected: true }
    ])
    const tags = await service.request("GET", `/projects/${id}/repository/tags`)
    expect(tags.body).toMatchObject([{ name: "v1", commit: { id: ids.one } }])
    const { body } = await service.request("GET", `/projects/${id}`)
    expect([field(body, "default_branch"), field(body, "empty_repo")]).toEqual(["trunk", false])
    expect(await events(id)).toEqual([
      ["ImportScheduled", { source: { url: `${remote.url}/plain.git`, credentials: null } }],
      ["ImportStarted", {}],
      ["ImportFinished", { branches: 2, tags: 1 }]
    ])
    const real = gitFixture(await repositoryOf(id)).git(["for-each-ref", "--format=%(refname) %(objectname)"])
    expect(Object.fromEntries(real.split("\n").map((line) => line.split(" ")))).toEqual(await recordedRefs(id))
    expect(await leftovers(id)).toEqual([])
  })

  it("of an empty repository leaves the project empty", async () => {
    remote.create("empty")
    const id = await newProject("empty")
    await schedule(id, `${remote.url}/empty.git`)
    expect(await importing(id)).toMatchObject({ status: "finished" })
    expect((await events(id)).at(-1)).toEqual(["ImportFinished", { branches: 0, tags: 0 }])
    const { body } = await service.request("GET", `/projects/${id}`)
    expect(field(body, "empty_repo")).toBe(true)
  })

  it("keeps the default branch that was query for the project", async () => {
    remote.create("query").commits([{ mark: "one" }, { mark: "two", ref: "refs/heads/input", parents: ["one"] }])
    const id = await newProject("query", { default_branch: "input" })
    await schedule(id, `${remote.url}/query.git`)
    await importing(id)
    const { body } = await service.request("GET", `/projects/${id}`)
    expect(field(body, "default_branch")).toBe("input")
  })

  it("tells how far it has come", async () => {
    const files = Array.from({ length: 300 }, (_, index) => [`${index}.txt`, `${index}\n`.repeat(index)] as const)
    remote.create("many").commits([{ mark: "one", files: Object.fromEntries(files) }])
    const id = await newProject("many")
    const url = `${remote.url}/many.git`
    await schedule(id, url)
    const parsed = parseImportUrl(url)
    if (parsed._tag === "Failure") throw new Error(parsed.failure)
    const seen: Array<number> = []
    const { outcome } = await service.run(
      performImport(id, { _tag: "Server", remote: parsed.success }, (percent) => seen.push(percent))
    )
    expect(outcome).toEqual({ _tag: "Finished", branches: 1, tags: 0 })
    expect(seen.length).toBeGreaterThan(10)
    expect(seen).toEqual(seen.toSorted((one, other) => one - other))
    expect(seen.at(-1)).toBeGreaterThanOrEqual(80)
  })

  it("while it lasts the repository is as an empty one", async () => {
    oneCommit("slow")
    const id = await newProject("slow")
    await schedule(id, `${remote.url}/slow.git`)
    expect(await find(id)).toMatchObject({ status: "scheduled" })
    const release = remote.hold()
    const finished = importing(id)
    await Effect.runPromise(polled("slow"))
    expect(await find(id)).toMatchObject({ status: "started" })
    expect((await service.request("GET", `/projects/${id}/repository/tree`)).status).toBe(404)
    expect((await service.request("GET", `/projects/${id}/repository/branches`)).body).toEqual([])
    release()
    expect(await finished).toMatchObject({ status: "finished" })
  })

  it("fails when something is pushed meanwhile", async () => {
    oneCommit("raced")
    const id = await newProject("raced")
    await schedule(id, `${remote.url}/raced.git`)
    const release = remote.hold()
    const ended = importing(id)
    await Effect.runPromise(polled("raced"))
    const { commits } = gitFixture(await repositoryOf(id))
    const { pushed } = commits([{ mark: "pushed" }])
    release()
    expect(await ended).toMatchObject({ status: "failed", error: "Something was pushed to the project during the import" })
    expect(gitFixture(await repositoryOf(id)).git(["for-each-ref", "--format=%(objectname)"])).toBe(pushed)
  })
})

describe("an import that was stopped", () => {
  it("begins anew", async () => {
    oneCommit("resumed")
    const id = await newProject("resumed")
    await schedule(id, `${remote.url}/resumed.git`)
    const release = remote.hold()
    await importing(id, polled("resumed"))
    expect([await find(id), await leftovers(id)]).toMatchObject([{ status: "started" }, []])
    await mkdir(`${(await repositoryOf(id)).path}.import-of-a-killed-process/objects`, { recursive: true })
    release()
    expect(await importing(id)).toMatchObject({ status: "finished" })
    expect((await events(id)).map(([type]) => type)).toEqual(["ImportScheduled", "ImportStarted", "ImportFinished"])
    expect(await leftovers(id)).toEqual([])
  })

  it("after its refs had moved, but before that was recorded, records it", async () => {
    const { one } = oneCommit("landed")
    const id = await newProject("landed")
    await schedule(id, `${remote.url}/landed.git`)
    const { git } = gitFixture(await repositoryOf(id))
    git(["-c", "protocol.file.allow=always", "fetch", "-q", `${remote.root}/landed.git`, "+refs/heads/*:refs/heads/*"])
    expect(await importing(id)).toMatchObject({ status: "finished" })
    expect(await recordedRefs(id)).toEqual({ "refs/heads/main": one })
    const { body } = await service.request("GET", `/projects/${id}`)
    expect(field(body, "default_branch")).toBe("main")
  })

  it("with the command that did it, is over", async () => {
    const id = await newProject("commanded")
    const source = { url: null, credentials: null }
    const { position } = await service.run(Effect.orDie(handle(importAggregate, id, { _tag: "Schedule", source })))
    await service.run(Effect.orDie(Projections.use((projections) => projections.awaitPosition(position))))
    expect(await importing(id)).toMatchObject({
      status: "failed",
      import_url: null,
      error: "The command that was importing ended before it was done"
    })
  })

  it.each([
    ["while it fetches", "deleted", false],
    ["just before it has all", "deleted-late", true]
  ] as const)("because its project was deleted %s leaves nothing", async (_, name, isLate) => {
    oneCommit(name)
    const id = await newProject(name)
    const url = new URL(`${remote.url}/${name}.git`)
    url.password = "of-the-deleted"
    await schedule(id, url.href)
    const release = remote.hold()
    const cleared = Effect.repeat(
      Effect.promise(() => pending(id)),
      { until: (count) => count === 0 }
    )
    const removed = Effect.promise(() => remove(id)).pipe(Effect.tap(() => Effect.sync(isLate ? release : () => {})))
    await importing(id, polled(name).pipe(Effect.andThen(removed), Effect.andThen(cleared)))
    release()
    expect([await find(id), await leftovers(id)]).toEqual([undefined, []])
    expect((await events(id)).at(-1)).toEqual(["ImportCancelled", {}])
    expect(await keysOf(id)).toBe(0)
  })
})

describe("credentials", () => {
  const withCredentials = (path: string, password: string = credentials.password) => {
    const url = new URL(`${remote.url}${path}`)
    url.username = credentials.user
    url.password = encodeURIComponent(password)
    return url.href
  }
  /** Command lines of all processes of this machine. */
  const commandLines = async () => {
    const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name))
    return Promise.all(ids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")))
  }

  it("are sent to the remote and seen nowhere else", async () => {
    oneCommit("private/secret")
    const id = await newProject("secret")
    await schedule(id, withCredentials("/private/secret.git"))
    expect(await keysOf(id)).toBe(1)
    const release = remote.hold()
    const ended = importing(id)
    await Effect.runPromise(polled("private/secret"))
    const lines = await commandLines()
    release()
    expect(await ended).toMatchObject({ status: "finished", import_url: `${remote.url}/private/secret.git` })
    expect(lines.filter((line) => line.includes("/private/secret.git")).length).toBeGreaterThan(0)
    const encoded = Buffer.from(`${credentials.user}:${credentials.password}`).toString("base64")
    const shown = JSON.stringify([
      lines,
      await events(id),
      await find(id),
      service.log,
      await service.request("GET", `/projects/${id}`)
    ])
    for (const secret of [credentials.password, encodeURIComponent(credentials.password), "s3cret", encoded]) {
      expect(shown).not.toContain(secret)
    }
    expect(await keysOf(id)).toBe(0)
  })

  it("that are wrong, or forgotten, are said to be so, without them", async () => {
    const wrong = await newProject("wrong")
    await schedule(wrong, withCredentials("/private/secret.git", "hunter2"))
    expect(await importing(wrong)).toMatchObject({ status: "failed", error: "The server refused the credentials, or needs some" })
    expect([JSON.stringify(await events(wrong)).includes("hunter2"), await keysOf(wrong)]).toEqual([false, 0])
    const lost = await newProject("lost")
    await schedule(lost, withCredentials("/private/secret.git"))
    await service.run(
      Sql.use(({ client }) => query(() => client`delete from chronoforge.data_keys where stream = ${`import-${lost}`}`))
    )
    expect(await importing(lost)).toMatchObject({
      status: "failed",
      error: "The credentials of the import cannot be read any more"
    })
  })
})

describe("a remote", () => {
  it.each([
    ["/plain.git", "reachable"],
    ["/missing.git", "There is no repository at this address"],
    ["/private/secret.git", "The server refused the credentials, or needs some"],
    ["/moved/plain.git", "The address leads on to another one, which is not followed; often it only lacks .git at its end"],
    ["/page/plain.git", "The server does not answer as git does"]
  ])("%s: %s", async (path, answer) => {
    expect(await probe(`${remote.url}${path}`)).toBe(answer)
  })

  it.each([
    ["http://127.0.0.1:1031/a.git", "The server could not be reached"],
    ["https://127.0.0.1:1031/a.git", "The server could not be reached"],
    ["http://name.invalid/a.git", "The host of the import URL has no address"],
    ["file:///etc", "The import URL must begin with http:// or https://"]
  ])("%s: %s", async (url, answer) => {
    expect(await probe(url)).toBe(answer)
  })

  it("that cannot be reached makes the import fail", async () => {
    const id = await newProject("unreachable")
    await schedule(id, "http://127.0.0.1:1031/a.git")
    expect(await importing(id)).toMatchObject({ status: "failed", error: "The server could not be reached", progress: 0 })
  })

  it("is asked at the address that was looked at, whatever its name leads to later", async () => {
    const { host, port } = new URL(remote.url)
    const url = remote.url.replace(host, `pinned.invalid:${port}`)
    const asked = {
      _tag: "Server",
      url: `${url}/plain.git`,
      credentials: null,
      pinned: `pinned.invalid:${port}:127.0.0.1`
    } as const
    expect(await Effect.runPromise(Effect.result(probeRemote(asked)))).toMatchObject({ _tag: "Success" })
  })

  it("is let go when it says nothing", async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const bound = server.address()
    const url = `http://127.0.0.1:${typeof bound === "object" ? bound?.port : ""}/silent.git`
    const asked = { _tag: "Server", url, credentials: null, pinned: undefined } as const
    const failure = await Effect.runPromise(Effect.flip(probeRemote(asked, { timeLimit: "300 millis" })))
    server.close()
    expect(remoteFault(failure.stderr)).toBe("The server did not answer in time")
  })
})
