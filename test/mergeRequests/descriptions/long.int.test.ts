import { expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { rootToken } from "#test/support/service.ts"
import { useMergeRequests } from "../useMergeRequests.ts"

const { newProject, open, pathOf, put, service } = useMergeRequests()
const { request } = service

/** What JSON has to escape, and characters of two units, at each of the places where texts are taken apart. */
const mebibyte = '"\\\n\u2028ä😀'.repeat(131_072).slice(1, 1_048_577)

/** Descriptions by what they are; up to 16,384 octets one is read with its merge request. */
const descriptions = {
  none: null,
  short: "ü".repeat(8_192),
  "an octet longer": `${"ü".repeat(8_192)}a`,
  "a mebibyte": mebibyte
}

it.each(Object.entries(descriptions))("a description is shown wherever its merge request is: %s", async (name, description) => {
  const id = await newProject(name.replaceAll(" ", "-"))
  const blocking = field((await open(id, { title: "First", target_branch: "main" })).body, "id")
  await service.request("POST", `/projects/${id}/repository/branches`, { query: { branch: "other", ref: "topic" } })
  await open(id, { title: "Second", source_branch: "other", description: "before" })
  const path = (more = "") => pathOf(id, 2, more)
  const written = await put(id, 2, { description })
  await put(id, 1, { description })
  const block = await request("POST", path("/blocks"), { json: { blocking_merge_request_id: blocking } })
  const blocks = [block.body, ...[(await request("GET", path("/blocks"))).body].flat()]
  const answers = [
    written,
    await request("GET", path()),
    await request("GET", path(), { query: { render_html: "true" } }),
    await request("GET", path("/changes")),
    await request("GET", path("/approvals")),
    await request("POST", path("/unsubscribe")),
    await request("POST", path("/subscribe")),
    await request("DELETE", path(`/blocks/${field(block.body, "id")}`)).then(() => request("PUT", path("/merge")))
  ]
  const shown = [
    ...answers.map(({ body }) => field(body, "description")),
    ...blocks.flatMap((body) =>
      ["blocking_merge_request", "blocked_merge_request"].map((name) => field(field(body, name), "description"))
    )
  ]
  // Compared by identity of text: megabytes would be printed when it fails.
  expect(shown.map((text) => text === description)).toEqual(shown.map(() => true))
  expect([shown.length, answers.map(({ status }) => status)]).toEqual([12, [200, 200, 200, 200, 200, 201, 201, 200]])
})

it("the answer to a change of a long one is remembered for a repeat of the request, to the byte", async () => {
  const id = await newProject("repeated")
  await open(id)
  const change = async () => {
    const headers = { "private-token": rootToken, "content-type": "application/json", "idempotency-key": "long" }
    const body = JSON.stringify({ description: mebibyte })
    const answer = await fetch(`${service.url}/api/v4${pathOf(id, 1)}`, { method: "PUT", headers, body })
    return { status: answer.status, length: answer.headers.get("content-length"), text: await answer.text() }
  }
  const first = await change()
  await put(id, 1, { description: "changed since" })
  const repeated = await change()
  expect([repeated.status, repeated.length, repeated.text === first.text]).toEqual([200, first.length, true])
  expect(field(JSON.parse(first.text), "description") === mebibyte).toBe(true)
  expect(field((await request("GET", pathOf(id, 1))).body, "description")).toBe("changed since")
})
