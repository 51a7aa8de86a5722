import { AccessLevel, Gitlab } from "@gitbeaker/rest"
import { beforeAll, expect, it } from "vitest"
import { createUser } from "#test/support/people/accounts.ts"
import { rootToken, useService } from "#test/support/service.ts"

const service = useService()
const root = () => new Gitlab({ host: service.url, token: rootToken })

let ada = 0
beforeAll(async () => {
  ada = await createUser(service, "ada")
})

it("Groups: creates, shows, lists, edits and removes", async () => {
  const { Groups } = root()
  const parent = await Groups.create("Acme Corp", "acme", { visibility: "public", description: "Makes & ships." })
  expect(parent).toMatchObject({ full_path: "acme", description: "Makes & ships.", visibility: "public" })
  const child = await Groups.create("Tools", "tools", { parentId: parent.id, defaultBranchProtection: 1 })
  expect(child).toMatchObject({ full_path: "acme/tools", full_name: "Acme Corp / Tools", parent_id: parent.id })
  expect(await Groups.show("acme/tools")).toMatchObject({ id: child.id, projects: [] })
  expect(await Groups.show(parent.id, { withProjects: false })).not.toHaveProperty("projects")
  expect((await Groups.all({ topLevelOnly: true })).map(({ path }) => path)).toEqual(["acme"])
  expect((await Groups.all({ search: "tools" })).map(({ id }) => id)).toEqual([child.id])
  expect((await Groups.allSubgroups("acme")).map(({ id }) => id)).toEqual([child.id])
  expect((await Groups.allDescendantGroups("acme", {})).map(({ id }) => id)).toEqual([child.id])
  expect(await Groups.edit(child.id, { name: "Gadgets", path: "gadgets" })).toMatchObject({ full_path: "acme/gadgets" })
  expect(await Groups.show("acme/tools")).toMatchObject({ id: child.id, path: "gadgets" })
  await Groups.remove("acme")
  expect(await Groups.all()).toEqual([])
})

it("GroupMembers: adds, shows, lists, edits and removes", async () => {
  const { GroupMembers, Groups } = root()
  const group = await Groups.create("Members", "members-of")
  const below = await Groups.create("Below", "below", { parentId: group.id })
  const added = await GroupMembers.add(group.id, AccessLevel.DEVELOPER, { userId: ada, expiresAt: "2100-01-01" })
  expect(added).toMatchObject({ id: ada, username: "ada", access_level: 30, expires_at: "2100-01-01" })
  expect(await GroupMembers.show(below.id, ada, { includeInherited: true })).toMatchObject({ id: ada, access_level: 30 })
  expect((await GroupMembers.all("members-of/below", { includeInherited: true, query: "ada" })).map(({ id }) => id)).toEqual([
    ada
  ])
  expect((await GroupMembers.all(group.id)).map(({ username }) => username)).toEqual(["root", "ada"])
  expect(await GroupMembers.edit(group.id, ada, AccessLevel.MAINTAINER)).toMatchObject({ access_level: 40 })
  await GroupMembers.remove(group.id, ada)
  expect((await GroupMembers.all(group.id)).map(({ username }) => username)).toEqual(["root"])
})

it("Namespaces: lists and shows", async () => {
  const { Groups, Namespaces } = root()
  const { id } = await Groups.create("Space", "space")
  expect(await Namespaces.show("space")).toMatchObject({ id, kind: "group", full_path: "space" })
  expect((await Namespaces.all({ search: "space" })).map((found) => found.id)).toEqual([id])
  expect(await Namespaces.show("ada")).toMatchObject({ kind: "user", path: "ada" })
})
