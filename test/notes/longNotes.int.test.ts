import { Effect } from "effect"
import { expect, it } from "vitest"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { field } from "#test/support/exactly.ts"
import { bodiesOf, idOf, useNotes } from "./useNotes.ts"

const { ask, discuss, newRequest, note, put, service } = useNotes()

/** What JSON has to escape, and characters of two units. */
const long = '"\\\n"body":""\u2028ä😀'.repeat(60_000).slice(0, 900_000)

it("long notes come whole, however many: in lists, in discussions, and beside those of the service", async () => {
  const id = await newRequest("long-notes")
  await put(id, 1, { assignee_ids: [1] })
  await note(id, { body: "short" })
  const thread = idOf(await discuss(id, { body: `0 ${long}` }))
  const bodies = [`0 ${long}`]
  for (const number of [1, 2, 3, 4]) {
    bodies.push(`${number} ${long}`)
    await ask("POST", id, `/discussions/${thread}/notes`, { json: { body: bodies.at(-1) } })
  }
  const all = ["assigned to @root", "short", ...bodies]
  const listed = await ask("GET", id, "/notes", { query: { sort: "asc", per_page: "100" } })
  expect(listed.headers.get("x-total")).toBe(String(all.length))
  expect(bodiesOf(listed).map((body) => all.indexOf(String(body)))).toEqual([0, 1, 2, 3, 4, 5, 6])
  const discussions = await ask("GET", id, "/discussions")
  const shown = [discussions.body].flat().map((each) => bodiesOf({ body: field(each, "notes") }))
  expect(shown.map((some) => some.map((body) => all.indexOf(String(body))))).toEqual([[0], [1], [2, 3, 4, 5, 6]])
  expect([discussions.body].flat().map((each) => field(each, "individual_note"))).toEqual([true, true, false])
  const read = await ask("GET", id, `/discussions/${thread}`)
  expect([field(read.body, "id"), bodiesOf({ body: field(read.body, "notes") })]).toEqual([thread, bodies])
  expect([read.body]).toEqual([discussions.body].flat().slice(-1))
  expect((await ask("GET", id, `/discussions/${thread}/notes`)).body).toEqual(field(read.body, "notes"))
  const resolved = await ask("PUT", id, `/discussions/${thread}`, { json: { resolved: true } })
  expect([resolved.status, [field(resolved.body, "notes")].flat().length]).toEqual([200, 5])
  // What is read with the page is answered in the same form.
  const [whole] = [(await ask("GET", id, "/notes", { query: { sort: "asc", per_page: "1", page: "2" } })).body].flat()
  expect([listed.body].flat()[1]).toEqual(whole)
})

it("a merge request has at most 5,000 notes of people", async () => {
  const id = await newRequest("many-notes")
  const thread = idOf(await discuss(id, { body: "first" }))
  await service.run(
    Effect.flatMap(Sql, ({ client }) =>
      query(() => client`update rm_notes.counts set user_notes = 5000 where project_id = ${id} and iid = 1`)
    )
  )
  const refused = {
    status: 400,
    body: { message: '400 Bad request - Note {:base=>["Maximum number of comments exceeded"]}' }
  }
  expect(await note(id, { body: "more" })).toMatchObject(refused)
  expect(await ask("POST", id, `/discussions/${thread}/notes`, { json: { body: "more" } })).toMatchObject(refused)
})
