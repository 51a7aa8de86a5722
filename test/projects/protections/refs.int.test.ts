import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { Objects } from "#src/git/objects/Objects.ts"
import { Repositories } from "#src/git/Repositories.ts"
import { Projections } from "#src/platform/Projections.ts"
import { protectDefaultBranch } from "#src/projects/ProjectProtections.ts"
import { RepositoryStorage } from "#src/projects/repository/RepositoryStorage.ts"
import { anyId, anyTime, expectExactly, field } from "#test/support/exactly.ts"
import { gitFixture } from "#test/support/git/gitFixtures.ts"
import { requestForms } from "#test/support/requests/requestForms.ts"
import { answerOf } from "#test/support/service.ts"
import { until } from "#test/support/until.ts"
import { processesNaming } from "../../git/http/processes.ts"
import { simpleShape } from "../shape.ts"
import { idOf, useProjects } from "../useProjects.ts"

const { service, newGroup, newProject, newUser, put, read, remove } = useProjects()
const notFound = [404, { message: "404 Not found" }]

const repositoryOf = (id: number) => service.run(Repositories.use((repositories) => Effect.succeed(repositories.of(id))))
const exists = (id: number) => service.run(Repositories.use((repositories) => repositories.exists(id)))

/** Makes branches of one commit each, as a push would, and tells the project. */
const push = async (id: number, ...branches: ReadonlyArray<string>) => {
  const { commits, git } = gitFixture(await repositoryOf(id))
  commits([{ mark: "first", ref: `refs/heads/${branches[0]}`, files: { "README.md": "# Hello" } }])
  for (const branch of branches.slice(1)) git(["branch", branch, branches[0] ?? ""])
  const handled = await service.run(protectDefaultBranch(id, branches))
  await service.run(Projections.use((projections) => projections.awaitPosition(handled?.position ?? 0)))
  return handled
}

const level = (access_level: number, access_level_description: string) => ({
  id: anyId,
  access_level,
  access_level_description,
  deploy_key_id: null,
  user_id: null,
  group_id: null
})
const maintainers = level(40, "Maintainers")
const branchShape = (name: string, changed: object = {}) => ({
  id: anyId,
  name,
  push_access_levels: [maintainers],
  merge_access_levels: [maintainers],
  allow_force_push: false,
  ...changed
})

describe.each(requestForms)("protected branches as %s", (form, sent) => {
  it("are added, shown, changed and taken away", async () => {
    const path = `/projects/${await newProject(`protected-${form}`)}/protected_branches`
    const added = await service.request("POST", path, sent({ name: "main" }))
    expect(added.status).toBe(201)
    expectExactly(added.body, branchShape("main"))
    const pattern = await service.request(
      "POST",
      path,
      sent({ name: "release/*", push_access_level: 0, merge_access_level: 30, allow_force_push: true })
    )
    expectExactly(
      pattern.body,
      branchShape("release/*", {
        push_access_levels: [level(0, "No one")],
        merge_access_levels: [level(30, "Developers + Maintainers")],
        allow_force_push: true
      })
    )
    expect(answerOf(await service.request("POST", path, sent({ name: "main" })))).toEqual([
      409,
      { message: "Protected branch 'main' already exists" }
    ])
    expect(answerOf(await service.request("POST", path, sent({})))).toEqual([400, { error: "name is missing, name is empty" }])
    expect(answerOf(await service.request("POST", path, sent({ name: "x", push_access_level: 20 })))).toEqual([
      400,
      { error: "push_access_level does not have a valid value" }
    ])
    expect((await service.request("GET", path)).body).toEqual([added.body, pattern.body])
    expect((await service.request("GET", path, { query: { search: "REL" } })).body).toEqual([pattern.body])
    expect((await service.request("GET", `${path}/release%2F%2A`)).body).toEqual(pattern.body)
    const changed = await service.request("PATCH", `${path}/main`, sent({ allow_force_push: true }))
    expect(answerOf(changed)).toEqual([200, { ...(added.body as object), allow_force_push: true }])
    expect((await service.request("DELETE", `${path}/main`)).status).toBe(204)
    expect(answerOf(await service.request("DELETE", `${path}/main`))).toEqual(notFound)
    expect(answerOf(await service.request("GET", `${path}/main`))).toEqual(notFound)
  })

  it("of tags too", async () => {
    const path = `/projects/${await newProject(`tags-${form}`)}/protected_tags`
    const added = await service.request("POST", path, sent({ name: "v*", create_access_level: 30 }))
    expect(added.status).toBe(201)
    expectExactly(added.body, { name: "v*", create_access_levels: [level(30, "Developers + Maintainers")] })
    expect(answerOf(await service.request("POST", path, sent({ name: "v*" })))).toEqual([
      422,
      { message: ["Name has already been taken"] }
    ])
    expect((await service.request("GET", path)).body).toEqual([added.body])
    expect((await service.request("GET", `${path}/v*`)).body).toEqual(added.body)
    expect((await service.request("DELETE", `${path}/v*`)).status).toBe(204)
    expect(answerOf(await service.request("GET", `${path}/v*`))).toEqual(notFound)
  })
})

describe("a protected name", () => {
  const badMerge = "merge_access_level is invalid, merge_access_level does not have a valid value"
  const badPush = "Push access levels access level is not included in the list"
  const names = ["release/*", "feature/x.json", "*-stable", "**", "a b", "ü%2F", "100%", "x?y#z"]

  it.each(names)("is found and taken away as it is: %s", async (name) => {
    const id = await newProject(`named-${names.indexOf(name)}`)
    for (const kind of ["branches", "tags"]) {
      const path = `/projects/${id}/protected_${kind}`
      const one = `${path}/${encodeURIComponent(name).replace(".", "%2E")}`
      const missing = ["GET", "DELETE", ...(kind === "branches" ? ["PATCH"] : [])]
      for (const method of missing) expect(answerOf(await service.request(method, one))).toEqual(notFound)
      const added = await service.request("POST", path, { json: { name } })
      expect([added.status, field(added.body, "name")]).toEqual([201, name])
      expect(answerOf(await service.request("GET", one))).toEqual([200, added.body])
      expect((await service.request("DELETE", one)).status).toBe(204)
      for (const method of missing) expect(answerOf(await service.request(method, one))).toEqual(notFound)
    }
  })

  it.each(["branches", "tags"])("is not taken away when it was changed since a time: of %s", async (kind) => {
    const path = `/projects/${await newProject(`since-${kind}`)}/protected_${kind}`
    await service.request("POST", path, { json: { name: "x" } })
    const removed = (since: string) =>
      service.request("DELETE", `${path}/x`, { headers: { "if-unmodified-since": since } }).then(answerOf)
    expect(await removed("Tue, 15 Nov 1994 08:12:31 GMT")).toEqual([412, { message: "412 Precondition Failed" }])
    expect(await removed("Tue, 01 Jan 2130 00:00:00 GMT")).toEqual([204, undefined])
  })

  it.each<[string, object, number, unknown]>([
    ["none", {}, 400, { error: "name is missing, name is empty" }],
    ["an empty one", { name: "" }, 400, { error: "name is empty" }],
    ["a long one", { name: "x".repeat(256) }, 422, { message: ["Name is too long (maximum is 255 characters)"] }],
    ["a level that is none", { name: "x", allowed_to_push: [{ access_level: 20 }] }, 422, { message: [badPush] }],
    ["a level of nobody known", { name: "x", allowed_to_push: [{ user_id: 1 }] }, 422, { message: [badPush] }],
    ["a word as a level", { name: "x", merge_access_level: "most" }, 400, { error: badMerge }]
  ])("is refused: %s", async (given, json, status, body) => {
    const id = await newProject(`refused-${given.replaceAll(" ", "-")}`)
    expect(answerOf(await service.request("POST", `/projects/${id}/protected_branches`, { json }))).toEqual([status, body])
    expect((await service.request("GET", `/projects/${id}/protected_branches`)).body).toEqual([])
  })
})

it("levels of a protected branch are added, changed and ended one by one", async () => {
  const path = `/projects/${await newProject("levels")}/protected_branches`
  const json = { name: "main", allowed_to_push: [{ access_level: 30 }, { access_level: 40 }] }
  const { body } = await service.request("POST", path, { json })
  const levels = (field(body, "push_access_levels") as ReadonlyArray<{ id: number; access_level: number }>).map(
    ({ access_level, id }) => [id, access_level] as const
  )
  expect(levels.map(([, access]) => access)).toEqual([30, 40])
  const [[first] = [0], [second] = [0]] = levels
  const allowed_to_push = [{ id: first, _destroy: true }, { id: second, access_level: 60 }, { access_level: 0 }]
  const changed = await service.request("PATCH", `${path}/main`, { json: { allowed_to_push } })
  expect(field(changed.body, "push_access_levels")).toEqual([{ ...level(60, "Administrators"), id: second }, level(0, "No one")])
})

it("what a change does not name stays as another one leaves it at the same time", async () => {
  const path = `/projects/${await newProject("at-once")}/protected_branches`
  const levels = { allowed_to_push: [{ access_level: 30 }] }
  for (const name of ["a", "b", "c", "d", "e", "f"]) {
    await service.request("POST", path, { json: { name } })
    const changes = [levels, { allow_force_push: true }, { allowed_to_merge: [{ access_level: 0 }] }]
    await Promise.all(changes.map((json) => service.request("PATCH", `${path}/${name}`, { json })))
    expect((await service.request("GET", `${path}/${name}`)).body).toEqual(
      branchShape(name, {
        push_access_levels: [maintainers, level(30, "Developers + Maintainers")],
        merge_access_levels: [maintainers, level(0, "No one")],
        allow_force_push: true
      })
    )
  }
})

it("what a change at the branch itself does not name stays too", async () => {
  const id = await newProject("at-branches")
  const names = ["main", "a", "b", "c", "d"]
  await push(id, ...names)
  for (const name of names) {
    const protect = (json: object) => service.request("PUT", `/projects/${id}/repository/branches/${name}/protect`, { json })
    await protect({})
    await Promise.all([protect({ developers_can_push: true }), protect({ developers_can_merge: true })])
    const developers = [level(30, "Developers + Maintainers")]
    const { body } = await service.request("GET", `/projects/${id}/protected_branches/${name}`)
    expect(body).toEqual(branchShape(name, { push_access_levels: developers, merge_access_levels: developers }))
  }
})

describe("the repository", () => {
  it("comes and goes with its project", async () => {
    const id = await newProject("stored", { default_branch: "trunk" })
    const { git } = gitFixture(await repositoryOf(id))
    expect([await exists(id), git(["symbolic-ref", "HEAD"])]).toEqual([true, "refs/heads/trunk"])
    const storage = await service.run(RepositoryStorage.use(Effect.succeed))
    expect(await service.run(Effect.all([storage.isEmpty(id), storage.defaultBranch(id)]))).toEqual([true, "trunk"])
    const { path } = await repositoryOf(id)
    await service.run(Objects.use((objects) => objects.info({ path }, "HEAD")))
    await remove(id)
    await until(() => processesNaming(path).length === 0)
    expect(await exists(id)).toBe(false)
    expect(await service.run(Effect.all([storage.isEmpty(id), storage.defaultBranch(id)]))).toEqual([true, undefined])
  })

  it.each([
    ["the pushed one", undefined, ["feature"], "feature"],
    ["main among several", undefined, ["feature", "main"], "main"],
    ["the preferred one", "trunk", ["main", "trunk"], "trunk"],
    ["another than the preferred one, which was not pushed", "trunk", ["dev"], "dev"]
  ])("has a protected default branch after the first push: %s", async (_, preferred, branches, chosen) => {
    const id = await newProject(
      `pushed-${branches.join("-")}-${chosen}`,
      preferred === undefined ? {} : { default_branch: preferred }
    )
    await push(id, ...branches)
    expect((await read(id)).body).toMatchObject({ default_branch: chosen, empty_repo: false })
    expect((await service.request("GET", `/projects/${id}/protected_branches`)).body).toEqual([branchShape(chosen)])
    expect(gitFixture(await repositoryOf(id)).git(["symbolic-ref", "HEAD"])).toBe(`refs/heads/${chosen}`)
    expect(await service.run(protectDefaultBranch(id, ["later"]))).toBeUndefined()
  })

  it("changes its default branch to one that is there", async () => {
    const id = await newProject("switching")
    await push(id, "main", "next")
    expect((await put(id, { json: { default_branch: "next" } })).body).toMatchObject({ default_branch: "next" })
    expect(gitFixture(await repositoryOf(id)).git(["symbolic-ref", "HEAD"])).toBe("refs/heads/next")
    expect((await put(id, { json: { default_branch: "--help" } })).status).toBe(400)
  })
})

describe("a fork", () => {
  const fork = (id: number | string, json: object = {}, token?: string) =>
    service.request("POST", `/projects/${id}/fork`, { json, token })

  it("has the branches of its source, and names it", async () => {
    const source = await newProject("source", { visibility: "public", description: "d", merge_method: "ff" })
    await push(source, "main", "next")
    const { token } = await newUser("forker")
    const made = await fork(source, {}, token)
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      path_with_namespace: "forker/source",
      name: "source",
      description: "d",
      merge_method: "ff",
      visibility: "public",
      import_status: "finished",
      import_error: null,
      empty_repo: false,
      default_branch: "main",
      mr_default_target_self: false,
      forked_from_project: { id: source, path_with_namespace: "root/source", forks_count: 1, created_at: anyTime }
    })
    expect(gitFixture(await repositoryOf(idOf(made))).git(["for-each-ref", "--format=%(refname)"])).toBe(
      "refs/heads/main\nrefs/heads/next"
    )
    expect((await read(source)).body).toMatchObject({ forks_count: 1 })
    expect((await service.request("GET", `/projects/${idOf(made)}/protected_branches`, { token })).body).toEqual([
      branchShape("main")
    ])
    const taken = ["has already been taken"]
    expect(answerOf(await fork(source, {}, token))).toEqual([409, { message: { name: taken, path: taken } }])
    const single = await fork(source, { path: "single", name: "Single", branches: "next", visibility: "private" }, token)
    expect(single.body).toMatchObject({ default_branch: "next", path: "single", name: "Single", visibility: "private" })
    expect(answerOf(await fork(source, { path: "none", branches: "nope" }, token))).toEqual([
      404,
      { message: "404 Branch Not Found" }
    ])
    const sourceShown = async (as: string | null) => field((await read(idOf(made), { token: as })).body, "forked_from_project")
    const given = { id: source, name: "source", path: "source" }
    const withCode = { ...simpleShape(given), description: "d", forks_count: 2, last_activity_at: anyTime }
    for (const as of [token, null]) expectExactly(await sourceShown(as), withCode)
    await service.request("PUT", `/projects/${source}`, { json: { visibility: "internal" } })
    expect([field(await sourceShown(token), "id"), await sourceShown(null)]).toEqual([source, undefined])
    await remove(source)
    expect(await sourceShown(token)).toBeUndefined()
  })

  it("shows no more than its source, and needs the right to fork and a place", async () => {
    const source = await newProject("guarded", { visibility: "internal" })
    const { id: eager, token } = await newUser("eager")
    const inherited = ["public is not allowed since the fork source project is internal."]
    expect(answerOf(await fork(source, { visibility: "public" }, token))).toEqual([
      409,
      { message: { visibility_level: inherited } }
    ])
    const group = await newGroup("closed")
    const unknown = [404, { message: "404 Namespace Not Found" }]
    expect(answerOf(await fork(source, { namespace_id: group }, token))).toEqual(unknown)
    for (const place of [{ namespace_path: "nowhere" }, { namespace: "nowhere" }, { namespace_id: 987654 }]) {
      expect(answerOf(await fork(source, place, token))).toEqual(unknown)
    }
    await service.request("POST", `/groups/${group}/members`, { json: { user_id: eager, access_level: 10 } })
    expect(answerOf(await fork(source, { namespace_id: group }, token))).toEqual([
      404,
      { message: "404 Target Namespace Not Found" }
    ])
    const named = { namespace: "nowhere", namespace_id: group }
    expect((await fork(source, named)).body).toMatchObject({ path_with_namespace: "closed/guarded" })
    const inPath = { namespace: "nowhere", namespace_path: "closed", path: "again", name: "Again" }
    expect((await fork(source, inPath)).body).toMatchObject({ path_with_namespace: "closed/again" })
    await put(source, { json: { forking_access_level: "disabled" } })
    expect(answerOf(await fork(source, {}, token))).toEqual([404, { message: "404 Not Found" }])
    expect(answerOf(await fork(4711, {}, token))).toEqual([404, { message: "404 Project Not Found" }])
    expect(answerOf(await fork(source, { namespace_path: "a", namespace_id: 1 }))).toEqual([
      400,
      { error: "namespace_id, namespace_path are mutually exclusive" }
    ])
  })
})
