import { beforeAll, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { type Project, useReleases } from "./useReleases.ts"

const { ask, list, make, minute, newProject, read, release, service } = useReleases()

const mebibyte = '"\\\n\u2028ä😀'.repeat(131_072).slice(0, 1_048_576)
const tags = ["v1", "v2", "v3", "v4"]
let group = 0

/** Releases in a group: what they say is told by `describe`. */
const newReleases = async (name: string, describe: (project: Project, tag: string) => Promise<object> | object) => {
  const project = await newProject(name, { namespace_id: group })
  for (const [index, tag] of tags.entries()) {
    minute(index)
    await release(project.id, tag, await describe(project, tag))
  }
  return project
}

/** Whole lists are compared as text: differences of mebibytes are no help to anybody. */
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

beforeAll(async () => {
  group = await make("/groups", { name: "Long", path: "long" })
})

it.each<[string, (project: Project, tag: string) => Promise<object> | object]>([
  ["descriptions", (_, tag) => ({ description: `${tag} ${mebibyte}`.slice(0, 1_048_576) })],
  [
    "milestones",
    async ({ id }, tag) => {
      const titlesOf = (each: string) => [1, 2, 3, 4].map((index) => `${each} ${index}`)
      for (const title of titlesOf(tag)) await make(`/projects/${id}/milestones`, { title, description: "a".repeat(65_536) })
      return { milestones: tags.slice(0, tags.indexOf(tag) + 1).flatMap(titlesOf) }
    }
  ],
  [
    "lists of milestones",
    async ({ id }, tag) => {
      const titles = Array.from({ length: 15 }, (_, index) => `${tag} ${index}`)
      for (const title of titles) await make(`/projects/${id}/milestones`, { title, description: title })
      return { milestones: titles }
    }
  ]
])("pages of long %s of releases are whole, and each release is as it is read", async (name, describe) => {
  const project = await newReleases(name.replaceAll(" ", "-"), describe)
  const each = await Promise.all(tags.toReversed().map(async (tag) => (await read(project.id, tag))[1]))
  const page = await list(project.id)
  expect([page.status, page.headers.get("x-total"), page.headers.get("content-type")]).toEqual([200, "4", "application/json"])
  // Nothing holds all of it at once.
  expect(page.headers.get("content-length")).toBeNull()
  expect((await list(project.id, { page: "2" })).headers.get("content-length")).toBe("2")
  expect(isSame(page.body, each)).toBe(true)
  const ofGroup = await ask("GET", `/groups/${group}/releases`, { query: { per_page: "4" } })
  expect(isSame(ofGroup, [200, each])).toBe(true)
  const short = await ask("GET", `/groups/${group}/releases`, { query: { per_page: "4", simple: "true" } })
  const names = ["name", "tag_name", "description", "created_at", "released_at", "upcoming_release"]
  expect(isSame(short, [200, each.map((one) => Object.fromEntries(names.map((key) => [key, field(one, key)])))])).toBe(true)
  await service.request("DELETE", `/projects/${project.id}`)
})
