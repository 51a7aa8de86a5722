import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { load } from "#src/platform/Commands.ts"
import { projectAggregate } from "#src/projects/aggregate.ts"
import { namesOf, reserveNames } from "#src/projects/names.ts"
import { placeOf, presentIn } from "#src/projects/state.ts"
import { expectExactly, field } from "#test/support/exactly.ts"
import { forgetAnswer } from "#test/support/forgetAnswer.ts"
import { answerOf, type Sent } from "#test/support/service.ts"
import { fullShape } from "../shape.ts"
import { externalUrl, useProjects } from "../useProjects.ts"

const { service, addMember, eventTypes, newGroup, newProject, newUser, put, read } = useProjects()

const transfer = (id: number | string, namespace: unknown, sent: Sent = {}) =>
  service.request("PUT", `/projects/${id}/transfer`, { json: { namespace }, ...sent })
const failed = (reason: string) => [400, { message: `Failed to transfer project {:new_namespace=>["${reason}"]}` }]
const notAllowed = failed("You don't have permission to transfer projects into that namespace.")

/** Whether another project could reserve the names of this one, as the log stands. */
const isFree = (id: number) =>
  service.run(
    Effect.gen(function* () {
      const { state } = yield* load(projectAggregate, id)
      const project = presentIn(state)
      const names = project === undefined ? [] : namesOf(placeOf(project))
      return yield* Effect.forEach(names, (name) => Effect.isSuccess(reserveNames([name], id + 1_000_000)))
    })
  )

const taken = ["has already been taken"]

describe("PUT /projects/:id/transfer", () => {
  it("gives a project to a group, which its former path leads to", async () => {
    const group = await newGroup("target", { name: "Target" })
    const id = await newProject("moving")
    const answer = await transfer(id, "target")
    expect(answer.status).toBe(200)
    const { owner: _, ...shape } = fullShape({ id, name: "moving", path: "moving" })
    expectExactly(answer.body, {
      ...shape,
      name_with_namespace: "Target / moving",
      path_with_namespace: "target/moving",
      ssh_url_to_repo: "git@forge.example.com:target/moving.git",
      http_url_to_repo: `${externalUrl}/target/moving.git`,
      web_url: `${externalUrl}/target/moving`,
      namespace: {
        id: group,
        name: "Target",
        path: "target",
        kind: "group",
        full_path: "target",
        parent_id: null,
        avatar_url: null,
        web_url: `${externalUrl}/groups/target`
      }
    })
    const moved = await read("root%2Fmoving")
    expect([moved.status, moved.headers.get("location")]).toEqual([301, `${externalUrl}/api/v4/projects/${id}`])
    expect(answerOf(await put("root%2Fmoving", { json: { name: "x" } }))).toEqual([
      405,
      { message: "Non GET methods are not allowed for moved projects" }
    ])
    const pull = await fetch(`${service.url}/root/moving.git/info/refs?service=git-upload-pack`, {
      headers: { authorization: `Basic ${btoa("any:glpat-root-token-of-tests")}` }
    })
    expect(pull.status).toBe(200)
    await pull.body?.cancel()
    expect((await service.request("GET", "/groups/target/projects")).body).toMatchObject([{ id }])
    expect((await service.request("GET", `/projects/${id}/members`)).body).toMatchObject([{ username: "root", access_level: 50 }])
    const another = await newProject("moving")
    expect((await read("root%2Fmoving")).body).toMatchObject({ id: another })
  })

  it("gives it to a user, who becomes its owner, and back again", async () => {
    const { id: user, token } = await newUser("taker")
    const group = await newGroup("giver")
    const id = await newProject("given", { namespace_id: group })
    expect((await transfer(id, "taker")).body).toMatchObject({ path_with_namespace: "taker/given", owner: { id: user } })
    expect((await read(id, { token })).body).toMatchObject({
      permissions: { project_access: { access_level: 50 }, group_access: null }
    })
    await addMember("/groups/giver", user, 40)
    const back = await transfer(id, group, { token })
    expect(back.body).toMatchObject({ path_with_namespace: "giver/given" })
    expect(await eventTypes(id)).toEqual(["ProjectCreated", "ProjectTransferred", "MemberAdded", "ProjectTransferred"])
    expect((await read("giver%2Fgiven")).status).toBe(200)
    expect((await read("taker%2Fgiven")).status).toBe(301)
  })

  it("shows no more than the group", async () => {
    const group = await newGroup("quiet", { visibility: "internal" })
    const id = await newProject("loud", { visibility: "public" })
    expect((await transfer(id, group)).body).toMatchObject({ visibility: "internal" })
    expect((await transfer(id, "root")).body).toMatchObject({ visibility: "internal" })
  })

  it("frees its names where it was, and takes them where it comes to", async () => {
    const group = await newGroup("names")
    const id = await newProject("wanted")
    const other = await newProject("wanted", { namespace_id: group })
    const refused = failed("Project with same name or path in target namespace already exists")
    expect(answerOf(await transfer(id, group))).toEqual(refused)
    await put(other, { json: { path: "elsewhere" } })
    expect(answerOf(await transfer(id, group))).toEqual(refused)
    await put(other, { json: { name: "elsewhere" } })
    expect((await transfer(id, group)).status).toBe(200)
    const { body, status } = await service.request("POST", "/projects", { json: { name: "wanted", namespace_id: group } })
    expect([status, field(body, "message")]).toEqual([400, expect.objectContaining({ path: taken })])
    expect((await service.request("POST", "/projects", { json: { name: "wanted" } })).status).toBe(201)
  })

  it("of twenty requests at once moves once", async () => {
    const group = await newGroup("once")
    const id = await newProject("contended")
    const answers = await Promise.all(Array.from({ length: 20 }, () => transfer(id, group)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 400)])
    expect(await eventTypes(id)).toEqual(["ProjectCreated", "MemberAdded", "ProjectTransferred"])
  })

  it("at the same time as changes of its path leaves it with names that nobody else gets", async () => {
    const group = await newGroup("meeting")
    for (const round of Array.from({ length: 8 }, (_, index) => index)) {
      const id = await newProject(`moved-${round}`)
      const renamed = (path: string) => put(id, { json: { path: `${path}-${round}` } })
      const answers = await Promise.all([transfer(id, group), renamed("one"), renamed("two")])
      expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([])
      expect(await isFree(id)).toEqual([false, false])
    }
  })

  it("answers a request that is repeated after a crash as the first one, even to whom it took the right", async () => {
    const { id: user, token } = await newUser("former")
    const [source, target] = [await newGroup("source"), await newGroup("sink")]
    await addMember(`/groups/${source}`, user, 50)
    await addMember(`/groups/${target}`, user, 40)
    const id = await newProject("repeated", { namespace_id: source })
    const send = () => transfer("source%2Frepeated", target, { token, headers: { "idempotency-key": "k" } })
    const first = await send()
    expect(first.status).toBe(200)
    await forgetAnswer(service, "k")
    expect(answerOf(await send())).toEqual(answerOf(first))
    expect((await eventTypes(id)).slice(1)).toEqual(["ProjectTransferred"])
    expect(answerOf(await transfer(id, source, { token }))).toEqual([403, { message: "403 Forbidden" }])
  })

  it("is refused to others and elsewhere", async () => {
    const { id: user, token } = await newUser("limited", { projects_limit: 0 })
    const id = await newProject("refused", { namespace_id: await newGroup("home") })
    const ask = async (namespace: unknown, sent: Sent = { token }) => answerOf(await transfer(id, namespace, sent))
    expect(await ask("home", { token: null })).toEqual([401, { message: "401 Unauthorized" }])
    expect(await ask("home")).toEqual([404, { message: "404 Project Not Found" }])
    await addMember(`/projects/${id}`, user, 40)
    expect(await ask("home")).toEqual([403, { message: "403 Forbidden" }])
    await service.request("PUT", `/projects/${id}/members/${user}`, { json: { access_level: 50 } })
    expect(await ask("home")).toEqual(failed("Project is already in this namespace."))
    expect(await ask("nowhere")).toEqual([404, { message: "404 Namespace Not Found" }])
    expect(await ask("")).toEqual([404, { message: "404 Namespace Not Found" }])
    await newGroup("hidden", { visibility: "private" })
    expect(await ask("hidden")).toEqual([404, { message: "404 Namespace Not Found" }])
    const open = await newGroup("open", { visibility: "public", project_creation_level: "developer" })
    expect(await ask("open")).toEqual(notAllowed)
    await addMember(`/groups/${open}`, user, 30)
    expect(await ask("open")).toEqual(notAllowed)
    const closed = await newGroup("closed", { visibility: "public", project_creation_level: "noone" })
    await addMember(`/groups/${closed}`, user, 50)
    expect(await ask(closed)).toEqual(notAllowed)
    expect(await ask("root")).toEqual(notAllowed)
    expect(await ask("limited")).toEqual(notAllowed)
    expect(await ask(undefined)).toEqual([400, { error: "namespace is missing" }])
    expect(await eventTypes(id)).toEqual(["ProjectCreated", "MemberAdded", "MemberChanged"])
  })
})

describe("GET /projects/:id/transfer_locations", () => {
  it("lists the groups to which the caller may transfer it, by name", async () => {
    const { id: user, token } = await newUser("mover")
    const id = await newProject("here", {}, token)
    const make = async (path: string, level: number, more: Readonly<Record<string, unknown>> = {}) => {
      const group = await newGroup(path, more)
      await addMember(`/groups/${group}`, user, level)
      return group
    }
    const parent = await make("zulu", 40, { name: "alpha" })
    const child = await newGroup("inner", { parent_id: parent, name: "Beta" })
    await make("junior", 30, { project_creation_level: "developer" })
    await make("nobody", 50, { project_creation_level: "noone" })
    const list = async (query: Record<string, string> = {}, as = token) => {
      const { body, headers, status } = await service.request("GET", `/projects/${id}/transfer_locations`, { query, token: as })
      return [status, headers.get("x-total"), body]
    }
    const [alpha, beta] = [
      { id: parent, name: "alpha", full_name: "alpha", full_path: "zulu" },
      { id: child, name: "Beta", full_name: "alpha / Beta", full_path: "zulu/inner" }
    ].map(({ full_path, ...rest }) => ({
      id: rest.id,
      web_url: `${externalUrl}/groups/${full_path}`,
      name: rest.name,
      avatar_url: null,
      full_name: rest.full_name,
      full_path
    }))
    expect(await list()).toEqual([200, "2", [alpha, beta]])
    expect(await list({ search: "INNER" })).toEqual([200, "1", [beta]])
    expect(await list({ per_page: "1", page: "2" })).toEqual([200, "2", [beta]])
    expect((await transfer(id, parent, { token })).status).toBe(200)
    expect(await list()).toEqual([200, "1", [beta]])
    const { id: developer, token: second } = await newUser("developer")
    await addMember(`/projects/${id}`, developer, 30)
    expect(await list({}, second)).toEqual([403, null, { message: "403 Forbidden" }])
  })
})
