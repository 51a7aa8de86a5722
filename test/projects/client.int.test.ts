import { Gitlab } from "@gitbeaker/rest"
import { expect, it } from "vitest"
import { createUser } from "#test/support/people/accounts.ts"
import { rootToken, useService } from "#test/support/service.ts"

const service = useService()
const client = () => new Gitlab({ host: service.url, token: rootToken })

it("@gitbeaker/rest creates, shows, edits, lists, forks, stars, archives and removes projects", async () => {
  const { Projects, Users } = client()
  const made = await Projects.create({ name: "Client", path: "client", visibility: "public", topics: ["a", "b"] })
  expect(made).toMatchObject({ path_with_namespace: "root/client", visibility: "public", topics: ["a", "b"] })
  expect(await Projects.show(made.id)).toMatchObject({ id: made.id, permissions: { project_access: { access_level: 50 } } })
  expect(await Projects.show("root/client")).toMatchObject({ id: made.id })
  expect(await Projects.edit(made.id, { description: "Ünï", mergeMethod: "ff" })).toMatchObject({
    description: "Ünï",
    merge_method: "ff"
  })
  for (const name of ["one", "two", "three"]) await Projects.create({ name })
  expect((await Projects.all({ perPage: 2, orderBy: "id", sort: "asc" })).map(({ path }) => path)).toEqual([
    "client",
    "one",
    "two",
    "three"
  ])
  const keyset = await Projects.all({ pagination: "keyset", perPage: 2, orderBy: "id", sort: "asc" })
  expect(keyset.map(({ path }) => path)).toEqual(["client", "one", "two", "three"])
  expect(await Projects.fork(made.id, { path: "forked", name: "forked" })).toMatchObject({
    forked_from_project: { id: made.id }
  })
  expect(await Projects.star(made.id)).toMatchObject({ star_count: 1 })
  expect(await Projects.allStarrers(made.id)).toMatchObject([{ user: { username: "root" } }])
  expect((await Projects.all({ starred: true })).map(({ path }) => path)).toEqual(["client"])
  expect((await Users.allStarredProjects("root")).map(({ path }) => path)).toEqual(["client"])
  expect(await Projects.unstar(made.id)).toMatchObject({ star_count: 0 })
  expect(await Projects.archive(made.id)).toMatchObject({ archived: true })
  expect(await Projects.unarchive(made.id)).toMatchObject({ archived: false })
  expect(await Projects.allUsers(made.id)).toMatchObject([{ username: "root" }])
  await Projects.remove(made.id)
  await expect(Projects.show(made.id)).rejects.toThrow("404 Project Not Found")
})

it("@gitbeaker/rest transfers projects, and tells their forks, licences and statistics", async () => {
  const { Groups, Projects } = client()
  const { id: group } = await Groups.create("Target", "target")
  const { id } = await Projects.create({ name: "Moving", path: "moving", initializeWithReadme: true })
  expect(await Projects.allTransferLocations(id)).toMatchObject([{ id: group, full_path: "target" }])
  expect(await Projects.transfer(id, group)).toMatchObject({ path_with_namespace: "target/moving" })
  const fork = await Projects.fork(id, { path: "fork", name: "Fork" })
  expect((await Projects.allForks(id)).map((one) => one.id)).toEqual([fork.id])
  expect(await Projects.show(id, { statistics: true, license: true })).toMatchObject({
    readme_url: expect.stringMatching(/\/target\/moving\/-\/blob\/main\/README\.md$/),
    license: null,
    statistics: { commit_count: 1 }
  })
})

it("@gitbeaker/rest begins a project with a README, and tells its languages", async () => {
  const { Commits, Projects, RepositoryFiles } = client()
  const { empty_repo, id } = await Projects.create({ name: "Begun", description: "d", initializeWithReadme: true })
  expect([empty_repo, await RepositoryFiles.showRaw(id, "README.md", "main")]).toEqual([false, "# Begun\n\nd"])
  expect(await Projects.showLanguages(id)).toEqual({})
  await Commits.create(id, "main", "Add", [
    { action: "create", filePath: "a.ts", content: "123" },
    { action: "create", filePath: "b.sh", content: "4" }
  ])
  expect(Object.entries(await Projects.showLanguages(id))).toEqual([
    ["TypeScript", 75],
    ["Shell", 25]
  ])
})

it("@gitbeaker/rest manages members and protected branches", async () => {
  const { ProjectMembers, Projects, ProtectedBranches } = client()
  const { id } = await Projects.create({ name: "Managed" })
  const user = await createUser(service, "ada")
  expect(await ProjectMembers.add(id, 30, { userId: user })).toMatchObject({ id: user, access_level: 30 })
  expect(await ProjectMembers.edit(id, user, 40, { expiresAt: "2999-01-01" })).toMatchObject({
    access_level: 40,
    expires_at: "2999-01-01"
  })
  expect((await ProjectMembers.all(id, { includeInherited: true })).map((one) => one.id)).toEqual([1, user])
  await ProjectMembers.remove(id, user)
  await expect(ProjectMembers.show(id, user)).rejects.toThrow("404 Not found")
  expect(await ProtectedBranches.create(id, "release/*", { pushAccessLevel: 0 })).toMatchObject({
    name: "release/*",
    push_access_levels: [{ access_level: 0 }]
  })
  expect(await ProtectedBranches.all(id)).toHaveLength(1)
  await ProtectedBranches.unprotect(id, "release/*")
  expect(await ProtectedBranches.all(id)).toEqual([])
})
