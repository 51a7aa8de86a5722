import { beforeAll, expect, it } from "vitest"
import { MergeRequestEvent } from "#src/mergeRequests/events.ts"
import { field } from "#test/support/exactly.ts"
import { shortestOf } from "#test/support/longestTurn.ts"
import { type Received, useService } from "#test/support/service.ts"
import { opened } from "../samples.ts"
import { append } from "./append.ts"

const service = useService()
const count = 30
let projectId = 0

/** What JSON has to escape, and characters of two units, at each of the places where texts are taken apart. */
const mebibyte = '"\\\n\u2028ä😀'.repeat(131_072).slice(1, 1_048_577)
const descriptionOf = (iid: number): string | null => {
  if (iid % 10 === 0) return null
  return iid % 10 === 1 ? `short, "description":"", of ${iid}` : `${iid} ${mebibyte}`.slice(0, 1_048_576)
}

const checked = MergeRequestEvent.cases.MergeabilityChecked.make({
  headSha: "a",
  targetSha: "b",
  verdict: "mergeable",
  isFastForward: true
})

beforeAll(async () => {
  const { body } = await service.request("POST", "/projects", { json: { name: "long" } })
  projectId = Number(field(body, "id"))
  for (let iid = 1; iid <= count; iid++) {
    const title = `"description":"" of ${iid}`
    const event = {
      ...opened,
      id: 1000 + iid,
      source: { projectId, branch: `topic-${iid}` },
      title,
      description: descriptionOf(iid)
    }
    await append(service, { projectId, iid }, [event, checked])
  }
})

const path = (more = "") => `/projects/${projectId}/merge_requests?per_page=100&sort=asc${more}`

it.each(["", "&view=simple"])("a page of long descriptions has all of them%s", async (view) => {
  const { body, headers, status } = await service.request("GET", path(view))
  const rows = [body].flat()
  expect([status, headers.get("x-total"), headers.get("content-type")]).toEqual([200, String(count), "application/json"])
  expect(rows.map((row) => field(row, "title"))).toEqual(rows.map((row) => `"description":"" of ${field(row, "iid")}`))
  for (const row of rows) expect(field(row, "description") === descriptionOf(Number(field(row, "iid")))).toBe(true)
  // What is read with the page is answered in the same form.
  const { body: single } = await service.request("GET", path("&iids=1"))
  if (view === "") expect(rows[0]).toEqual([single].flat()[0])
})

it("is read in portions, and holds the event loop for moments only", async () => {
  const asked = async (): Promise<Received> => {
    // The client must not take it apart in the same thread.
    const answer = await fetch(`${service.url}/api/v4${path()}`, { headers: { "private-token": "glpat-root-token-of-tests" } })
    let length = 0
    for await (const chunk of answer.body ?? []) length += chunk.length
    return { status: answer.status, headers: answer.headers, body: length }
  }
  const before = service.statements.length
  const { most, received } = await shortestOf(3, asked)
  expect(received?.body).toBeGreaterThan(24 * 1_048_576)
  expect(service.statements.slice(before).filter((text) => text.includes("unnest")).length).toBeGreaterThanOrEqual(3 * 12)
  // All at once took more than a second. What is left is the driver's reading of one, and the collection of what was sent.
  expect(most).toBeLessThan(100)
})
