import { beforeAll, describe, expect, it } from "vitest"
import { expectExactly } from "#test/support/exactly.ts"
import { releaseShape } from "./shapes.ts"
import { listed, type Project, useReleases } from "./useReleases.ts"

const { ask, done, list, minute, moved, newProject, pathOf, release, service } = useReleases()

let project: Project
const tags = async (query: Readonly<Record<string, string>> = {}) => listed("tag_name", await list(project.id, query))

/** In the minutes 1 to 4: a release of now, one of the past, one to come, and one of now. */
beforeAll(async () => {
  project = await newProject("listed")
  const given = [
    ["now", {}],
    ["past", { released_at: "2020-01-01" }],
    ["upcoming", { released_at: "2031-01-01" }],
    ["last", {}]
  ] as const
  for (const [index, [tag, json]] of given.entries()) {
    minute(index + 1)
    await release(project.id, tag, json)
  }
})

describe("the releases of a project", () => {
  it("come by the time of their release, the newest first, upcoming ones before all", async () => {
    expectExactly((await list(project.id)).body, [
      releaseShape(
        service.url,
        project,
        { tag: "upcoming", made: 3 },
        { released_at: "2031-01-01T00:00:00.000Z", upcoming_release: true }
      ),
      releaseShape(service.url, project, { tag: "last", made: 4 }),
      releaseShape(service.url, project, { tag: "now", made: 1 }),
      releaseShape(service.url, project, { tag: "past", made: 2 }, { released_at: "2020-01-01T00:00:00.000Z" })
    ])
    expect(await moved(pathOf(project.id, undefined, "/permalink/latest"))).toBe(
      `/api/v4/projects/${project.id}/releases/upcoming`
    )
  })

  it("come in other orders", async () => {
    expect(await tags({ sort: "asc" })).toEqual(["past", "now", "last", "upcoming"])
    expect(await tags({ order_by: "released_at", sort: "desc" })).toEqual(["upcoming", "last", "now", "past"])
    expect(await tags({ order_by: "created_at" })).toEqual(["last", "upcoming", "past", "now"])
    expect(await tags({ order_by: "created_at", sort: "asc" })).toEqual(["now", "past", "upcoming", "last"])
  })

  it("come in pages", async () => {
    const received = await list(project.id, { per_page: "3", page: "2" })
    expect(listed("tag_name", received)).toEqual(["past"])
    const names = ["x-page", "x-per-page", "x-total", "x-total-pages", "x-prev-page", "x-next-page"]
    expect(names.map((name) => received.headers.get(name))).toEqual(["2", "3", "4", "2", "1", ""])
    const at = (page: number, rel: string) =>
      `<${service.url}/api/v4/projects/${project.id}/releases?id=${project.id}&include_html_description=false&order_by=released_at&page=${page}&per_page=3&sort=desc>; rel="${rel}"`
    expect(received.headers.get("link")).toBe([at(1, "prev"), at(1, "first"), at(2, "last")].join(", "))
  })

  it("are those that were changed in a span of time", async () => {
    expect(await tags({ updated_after: "2030-01-01T00:03:00Z" })).toEqual(["upcoming", "last"])
    expect(await tags({ updated_before: "2030-01-01T00:02:00Z" })).toEqual(["now", "past"])
    expect(await tags({ updated_after: "2030-01-01T00:01:30Z", updated_before: "2030-01-01T00:03:30Z" })).toEqual([
      "upcoming",
      "past"
    ])
    expect(await tags({ updated_after: "2030-01-02" })).toEqual([])
  })

  it("are refused for other values", async () => {
    const get = (query: Readonly<Record<string, string>>) => ask("GET", pathOf(project.id), { query })
    const invalid = (error: string) => [400, { error }]
    expect(await get({ order_by: "name" })).toEqual(invalid("order_by does not have a valid value"))
    expect(await get({ sort: "up" })).toEqual(invalid("sort does not have a valid value"))
    expect(await get({ updated_after: "soon" })).toEqual(invalid("updated_after is invalid"))
    expect(await get({ updated_before: "soon" })).toEqual(invalid("updated_before is invalid"))
    expect(await get({ include_html_description: "x" })).toEqual(invalid("include_html_description is invalid"))
  })

  it("are no longer upcoming when their time has come, and move when it changes", async () => {
    minute(5)
    await done("PUT", pathOf(project.id, "past"), { released_at: "2030-01-01T00:06:00Z" })
    expect(await tags()).toEqual(["upcoming", "past", "last", "now"])
    const upcoming = async () => listed("upcoming_release", await list(project.id))
    expect(await upcoming()).toEqual([true, true, false, false])
    minute(6)
    expect(await upcoming()).toEqual([true, false, false, false])
    expect(await tags({ updated_after: "2030-01-01T00:05:00Z" })).toEqual(["past"])
  })

  it("are none of a new project, and gone with a project", async () => {
    const { id } = await newProject("empty")
    const received = await list(id)
    expect([received.status, received.body, received.headers.get("x-total")]).toEqual([200, [], "0"])
    expect(await ask("GET", pathOf(999_999))).toEqual([404, { message: "404 Project Not Found" }])
  })
})
