import { Gitlab } from "@gitbeaker/rest"
import { expect, it } from "vitest"
import { useReleases } from "#test/releases/useReleases.ts"
import { rootToken } from "#test/support/service.ts"

const { newProject, service } = useReleases()
const client = () => new Gitlab({ host: service.url, token: rootToken })

it("a client creates a release, finds it, changes it, and removes it", async () => {
  const { ProjectReleases } = client()
  const { id } = await newProject("client")
  const links = [{ name: "Tool", url: "https://example.com/tool" }]
  const made = await ProjectReleases.create(id, { tag_name: "debian/2.4", ref: "main", name: "First", assets: { links } })
  expect(made).toMatchObject({ tag_name: "debian/2.4", name: "First", assets: { count: 5, links } })
  expect(await ProjectReleases.all(id, { order_by: "created_at", sort: "asc" })).toEqual([made])
  expect(await ProjectReleases.show(id, "debian/2.4")).toEqual(made)
  expect(await ProjectReleases.edit(id, "debian/2.4", { name: "Second" })).toEqual({ ...made, name: "Second" })
  await ProjectReleases.remove(id, "debian/2.4")
  expect(await ProjectReleases.all(id)).toEqual([])
})

it("a client adds links to a release, finds them, changes them, and removes them", async () => {
  const { ProjectReleases, ReleaseLinks } = client()
  const { id } = await newProject("client-links")
  await ProjectReleases.create(id, { tag_name: "v1", ref: "main" })
  const made = await ReleaseLinks.create(id, "v1", "Tool", "https://example.com/tool", { linkType: "package" })
  expect(made).toEqual({
    id: expect.any(Number),
    name: "Tool",
    url: "https://example.com/tool",
    direct_asset_url: "https://example.com/tool",
    link_type: "package"
  })
  expect(await ReleaseLinks.all(id, "v1")).toEqual([made])
  expect(await ReleaseLinks.show(id, "v1", made.id)).toEqual(made)
  const changed = { ...made, name: "Tools", link_type: "other" }
  expect(await ReleaseLinks.edit(id, "v1", made.id, { name: "Tools" })).toEqual(changed)
  await ReleaseLinks.remove(id, "v1", made.id)
  expect(await ReleaseLinks.all(id, "v1")).toEqual([])
})

it("a client lists the releases of a group", async () => {
  const { GroupReleases, Groups, ProjectReleases } = client()
  const { id: namespace_id } = await Groups.create("Clients", "clients")
  const { id } = await newProject("in-group", { namespace_id })
  const made = await ProjectReleases.create(id, { tag_name: "v1", ref: "main" })
  expect(await GroupReleases.all(namespace_id)).toEqual([made])
})
