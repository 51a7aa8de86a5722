import { describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import type { Received } from "#test/support/service.ts"
import { answerTo, useJobs } from "../useJobs.ts"

const { configured, create, service } = useJobs()

const names = ["a", "b", "c", "d", "e"]
const configuration = names
  .map((name) => `${name}:\n  script: make\n  when: ${name === "c" ? "manual" : "on_success"}\n`)
  .join("")

/** The names of the jobs of all pages, by the links from page to page, and the headers that tell of pages. */
const walk = async (id: unknown, query: Readonly<Record<string, string>>) => {
  const pages: Array<ReadonlyArray<unknown>> = []
  const told = new Set<string>()
  let path: string | undefined = `/projects/${id}/jobs?${new URLSearchParams(query)}`
  while (path !== undefined && pages.length < 9) {
    const { body, headers }: Received = await service.request("GET", path)
    pages.push([body].flat().map((job) => field(job, "name")))
    for (const name of headers.keys()) if (/^(?:link|x-(?:.*page.*|total))$/.test(name)) told.add(name)
    const links: string = headers.get("link") ?? ""
    expect(links.match(/rel="[^"]+"/g) ?? []).toEqual(links === "" ? [] : ['rel="next"'])
    path = /\/api\/v4([^>]+)>/.exec(links)?.[1]
  }
  return { pages, headers: [...told] }
}

describe("the jobs of a project, from key to key", () => {
  it("come in the order of their ids, with a link to the next page and no other header of pages", async () => {
    const id = await configured("keys", configuration)
    await create(id)
    const keyset = { pagination: "keyset", per_page: "2" }
    const [newestFirst, headers] = [[["e", "d"], ["c", "b"], ["a"]], ["link"]]
    expect(await walk(id, keyset)).toEqual({ pages: newestFirst, headers })
    expect(await walk(id, { ...keyset, order_by: "id", sort: "desc" })).toEqual({ pages: newestFirst, headers })
    expect(await walk(id, { ...keyset, sort: "asc" })).toEqual({ pages: [["a", "b"], ["c", "d"], ["e"]], headers })
    expect(await walk(id, { ...keyset, scope: "pending" })).toEqual({
      pages: [
        ["e", "d"],
        ["b", "a"]
      ],
      headers
    })
    expect(await walk(id, { pagination: "keyset" })).toEqual({ pages: [["e", "d", "c", "b", "a"]], headers: [] })
  })

  it("have no other order", async () => {
    const id = await configured("orders", configuration)
    const told = (query: Readonly<Record<string, string>>) => answerTo(service.request("GET", `/projects/${id}/jobs`, { query }))
    const refused = [405, { error: "Keyset pagination is not yet available for this type of request" }]
    expect(await told({ pagination: "keyset", order_by: "created_at" })).toEqual(refused)
    expect(await told({ order_by: "created_at" })).toEqual([200, []])
    expect(await told({ pagination: "pages" })).toEqual([400, { error: "pagination does not have a valid value" }])
  })
})
