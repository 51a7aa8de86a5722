import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { Repositories } from "#src/git/Repositories.ts"
import { record } from "#src/platform/Commands.ts"
import { EventStore, type NewEvent } from "#src/platform/eventStore/EventStore.ts"
import { projectIdOf } from "#src/projects/ids.ts"
import { PushEvent, pushCodec } from "#src/pushes/events.ts"
import { repositoryStream } from "#src/pushes/ids.ts"
import { reconcile } from "#src/pushes/reconcile.ts"
import { expectExactly, field } from "#test/support/exactly.ts"
import { gitClient } from "#test/support/git/gitClient.ts"
import { type GitFixture, gitFixture } from "#test/support/git/gitFixtures.ts"
import { requestEvents } from "#test/support/requests/requestEvents.ts"
import { requestForms } from "#test/support/requests/requestForms.ts"
import { answerOf, type Interceptors, rootToken } from "#test/support/service.ts"
import { fullShape } from "../shape.ts"
import { externalUrl, idOf, useProjects } from "../useProjects.ts"

/** Called with the id of each project that was just created. */
let onCreated = async (_id: number): Promise<void> => {}
const interceptors: Interceptors = {
  client: (client) => client,
  log: Layer.effect(
    EventStore,
    Effect.map(EventStore, (store) => {
      const told = (events: ReadonlyArray<NewEvent>, stream: string) =>
        Effect.promise(async () => {
          if (events[0]?.type === "ProjectCreated") await onCreated(projectIdOf(stream) ?? 0)
        })
      return EventStore.of({
        ...store,
        append: (...order) => Effect.tap(store.append(...order), () => told(order[2], order[0]))
      })
    })
  )
}
const { service, create, newGroup, newProject, newUser, read, eventTypes } = useProjects({}, interceptors)

const get = (path: string) => service.request("GET", path)
const fixtureOf = (id: number): Promise<GitFixture> =>
  service.run(Repositories.use((repositories) => Effect.succeed(gitFixture(repositories.of(id)))))
const pushes = async (id: number) => {
  const events = await service.run(EventStore.use((store) => store.read(repositoryStream(id))))
  return events.map(({ data, metadata }) => [metadata.actor, field(data, "updates")])
}
const branches = async (id: number) => {
  const { body } = await get(`/projects/${id}/repository/branches`)
  return Array.isArray(body) ? body.map((one) => [field(one, "name"), field(one, "default"), field(one, "protected")]) : body
}
const readmeOf = async (id: number, branch = "main") =>
  (await get(`/projects/${id}/repository/files/README.md/raw?ref=${branch}`)).body

describe.each(requestForms)("initialize_with_readme as %s", (form, sent) => {
  it("begins the repository with a commit of the caller, recorded as a push", async () => {
    const name = `Tool as ${form}`
    const description = 'Größe <b> & "more"'
    const path = `tool-as-${form}`
    const made = await create(sent({ name, path, description, initialize_with_readme: true }))
    const id = idOf(made)
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ id, name, description, empty_repo: false, default_branch: "main", import_status: "none" })
    expect(field(made.body, "readme_url")).toBe(`${externalUrl}/root/${path}/-/blob/main/README.md`)
    expect(Object.keys(made.body as object)).toEqual(Object.keys(fullShape({ id, name, path })))
    expect(await readmeOf(id)).toBe(`# ${name}\n\n${description}`)
    const { body } = await get(`/projects/${id}/repository/commits`)
    const [commit] = body as [{ id: string }]
    const person = { author_name: "Administrator", author_email: "admin@example.com" }
    const committer = { committer_name: "Administrator", committer_email: "admin@example.com" }
    expect(body).toMatchObject([{ title: "Initial commit", message: "Initial commit", parent_ids: [], ...person, ...committer }])
    expect(await branches(id)).toEqual([["main", true, true]])
    expect(await pushes(id)).toEqual([["user:1", [{ ref: "refs/heads/main", before: null, after: commit.id }]]])
    expect(await eventTypes(id)).toEqual(expect.arrayContaining(["ProjectCreated", "RepositoryFilled", "RefProtected"]))
  })
})

describe("initialize_with_readme", () => {
  it("takes the preferred branch, and makes no text where there is no description", async () => {
    const made = await create({ json: { name: "plain", default_branch: "trunk", initialize_with_readme: "1" } })
    expect(made.body).toMatchObject({ default_branch: "trunk", empty_repo: false })
    const id = idOf(made)
    expect([await readmeOf(id, "trunk"), await branches(id)]).toEqual(["# plain\n\n", [["trunk", true, true]]])
  })

  it("gives what git clones, and pushes to", async () => {
    const id = await newProject("cloned", { initialize_with_readme: true })
    const folder = await mkdtemp(join(tmpdir(), "chronoforge-readme-"))
    onTestFinished(() => rm(folder, { recursive: true }))
    const url = `http://root:${rootToken}@${new URL(service.url).host}/root/cloned.git`
    expect((await gitClient(folder, ["clone", "-q", url])).status).toBe(0)
    const place = join(folder, "cloned")
    expect((await gitClient(place, ["log", "--format=%an %s %D"])).stdout).toBe(
      "Administrator Initial commit HEAD -> main, origin/main, origin/HEAD\n"
    )
    await gitClient(place, ["commit", "-q", "--allow-empty", "-m", "Second"])
    expect((await gitClient(place, ["push", "-q"])).status).toBe(0)
    expect(await pushes(id)).toHaveLength(2)
    const { git } = await fixtureOf(id)
    expect(git(["fsck", "--strict"])).toBe("")
  })

  it("is done for Developers too, who may not push to the branch afterwards", async () => {
    const group = await newGroup("developing", { project_creation_level: "developer" })
    const { id: user, token } = await newUser("dev", { name: "Dev Eloper", commit_email: "_private" })
    await service.request("POST", `/groups/${group}/members`, { json: { user_id: user, access_level: 30 } })
    const id = await newProject("begun", { namespace_id: group, initialize_with_readme: true }, token)
    expect((await get(`/projects/${id}/repository/commits`)).body).toMatchObject([
      { author_name: "Dev Eloper", author_email: `${user}-dev@users.noreply.forge.example.com` }
    ])
    const commit = { branch: "main", commit_message: "m", content: "x" }
    const { status } = await service.request("POST", `/projects/${id}/repository/files/a`, { json: commit, token })
    expect(status).toBe(403)
  })

  it("writes in the name of the user for whom an administrator creates the project", async () => {
    const { id: user } = await newUser("owner")
    const json = { name: "gift", initialize_with_readme: true }
    const id = idOf(await service.request("POST", `/projects/user/${user}`, { json }))
    expect((await get(`/projects/${id}/repository/commits`)).body).toMatchObject([{ author_name: "owner" }])
    expect((await pushes(id)).map(([actor]) => actor)).toEqual(["user:1"])
  })

  it("excludes an import, before anything is created", async () => {
    const json = { name: "both", import_url: "https://example.com/a.git", initialize_with_readme: true }
    const refused = [400, { error: "import_url, initialize_with_readme are mutually exclusive" }]
    expect(answerOf(await create({ json }))).toEqual(refused)
    expect(answerOf(await service.request("POST", "/projects/user/1", { json }))).toEqual(refused)
    expect((await read("root%2Fboth")).status).toBe(404)
    // What clients send that name all parameters.
    expect((await create({ json: { ...json, import_url: "ftp://x", initialize_with_readme: false } })).status).toBe(422)
    expectExactly((await create({ json: { ...json, import_url: "" } })).status, 201)
  })

  it.each([
    [{ initialize_with_readme: "maybe" }, { error: "initialize_with_readme is invalid" }],
    [{ initialize_with_readme: true, default_branch: "a..b" }, { message: { default_branch: ["is invalid"] } }]
  ])("%j is refused, and leaves nothing", async (fields, body) => {
    expect(answerOf(await create({ json: { name: "refused", ...fields } }))).toEqual([400, body])
    expect((await read("root%2Frefused")).status).toBe(404)
  })
})

describe("a project whose creation ended before its commit", () => {
  const send = (name: string) =>
    create({ json: { name, description: "d", initialize_with_readme: true }, headers: { "idempotency-key": name } })

  /** Creates a project, but its repository takes no object: as after a kill between the two. Answers its id. */
  const cutShort = async (name: string) => {
    let created = 0
    onCreated = async (id) => {
      created = id
      const { repository } = await fixtureOf(id)
      await rm(`${repository.path}/objects`, { recursive: true })
      await writeFile(`${repository.path}/objects`, "")
    }
    expect((await send(name)).status).toBe(500)
    onCreated = async () => {}
    // Nobody waited for it to be shown.
    await expect.poll(async () => (await read(created)).status).toBe(200)
    const { git, repository } = await fixtureOf(created)
    await rm(`${repository.path}/objects`)
    git(["init", "--quiet", "--bare", "--template="])
    return created
  }
  const repeated = async (name: string, id: number) => {
    const { body, status } = await send(name)
    const readme_url = `${externalUrl}/root/${name}/-/blob/main/README.md`
    expect([status, body]).toEqual([201, expect.objectContaining({ id, empty_repo: false, readme_url })])
    expect(await branches(id)).toEqual([["main", true, true]])
    const before = await requestEvents(service)
    expect((await send(name)).status).toBe(201)
    expect(await requestEvents(service)).toBe(before)
  }
  /** A commit that git has, as the killed run would have left it. */
  const moved = async (id: number) => {
    const { commits } = await fixtureOf(id)
    return commits([{ mark: "made", ref: "refs/heads/main", files: { "README.md": "x" } }]).made
  }
  const update = (after: string) => ({ ref: "refs/heads/main", before: null, after })

  it("is there and empty; a repeat of the request makes the commit", async () => {
    const id = await cutShort("uncommitted")
    expect((await read(id)).body).toMatchObject({ empty_repo: true })
    await repeated("uncommitted", id)
    expect([await readmeOf(id), (await pushes(id)).length]).toEqual(["# uncommitted\n\nd", 1])
  })

  it("with a commit that was not recorded: a repeat records it, and makes no other", async () => {
    const id = await cutShort("unrecorded")
    const commit = await moved(id)
    await repeated("unrecorded", id)
    expect(await pushes(id)).toEqual([["user:1", [update(commit)]]])
  })

  it("with a commit that the project was not told of: a repeat tells it", async () => {
    const id = await cutShort("untold")
    const updates = [update(await moved(id))]
    await service.run(record(pushCodec, repositoryStream(id), [PushEvent.cases.RefsUpdated.make({ updates, options: [] })]))
    await repeated("untold", id)
    expect(await pushes(id)).toHaveLength(1)
  })

  it.each(["unrecorded", "untold"])("with a commit that is %s: the next start repairs it", async (state) => {
    const id = await cutShort(`${state}-start`)
    const updates = [update(await moved(id))]
    const recorded = PushEvent.cases.RefsUpdated.make({ updates, options: [] })
    if (state === "untold") await service.run(record(pushCodec, repositoryStream(id), [recorded]))
    await service.run(reconcile)
    await expect.poll(() => branches(id)).toEqual([["main", true, true]])
    const readme_url = `${externalUrl}/root/${state}-start/-/blob/main/README.md`
    await expect.poll(async () => (await read(id)).body).toMatchObject({ empty_repo: false, readme_url })
    await repeated(`${state}-start`, id)
    expect(await pushes(id)).toHaveLength(1)
  })

  it("that somebody pushed to meanwhile gets no second beginning", async () => {
    const id = await cutShort("pushed")
    const json = { branch: "other", commit_message: "m", content: "x" }
    expect((await service.request("POST", `/projects/${id}/repository/files/a`, { json })).status).toBe(201)
    const { body, status } = await send("pushed")
    expect([status, field(body, "default_branch"), await branches(id)]).toEqual([201, "other", [["other", true, true]]])
  })
})
