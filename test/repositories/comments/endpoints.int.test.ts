import { beforeAll, describe, expect, it } from "vitest"
import { anyTime, expectExactly, field } from "#test/support/exactly.ts"
import { userReference } from "#test/support/people/userReference.ts"
import { requestForms } from "#test/support/requests/requestForms.ts"
import { answerOf, type Sent } from "#test/support/service.ts"
import { useProjects } from "../../projects/useProjects.ts"
import { useFilledCode } from "../useFilledCode.ts"

const { newUser, service } = useProjects()
const code = useFilledCode(service)
const marks = () => code().fixture.ids
const ask = (method: string, sha: string, sent: Sent = {}) =>
  service.request(method, `/projects/${code().id}/repository/commits/${encodeURIComponent(sha)}/comments`, sent)
const comment = (sha: string, json: unknown, sent: Sent = {}) => ask("POST", sha, { json, ...sent })
let guest = { id: 0, token: "" }

beforeAll(async () => {
  guest = await newUser("commenter", { name: "Com Menter" })
})

const author = () => userReference("https://forge.example.com", guest.id, "commenter", "Com Menter")
const shown = (note: string, place: object = { path: null, line: null, line_type: null }) => ({
  note,
  ...place,
  author: author(),
  created_at: anyTime
})

describe("comments on a commit", () => {
  it("are shown, oldest first, page by page, whatever names the commit", async () => {
    expect(answerOf(await ask("GET", marks().second))).toEqual([200, []])
    const first = await comment("v1.0.0", { note: "First\n" }, { token: guest.token })
    expect(first.status).toBe(201)
    expectExactly(first.body, shown("First\n"))
    await comment(marks().second.slice(0, 10), { note: "Second" }, { token: guest.token })
    await comment(marks().third, { note: "Elsewhere" })
    const all = await ask("GET", marks().second, { token: null })
    expectExactly(answerOf(all), [200, [shown("First\n"), shown("Second")]])
    expect(field((all.body as ReadonlyArray<unknown>)[0], "created_at")).toBe(field(first.body, "created_at"))
    const page = await ask("GET", marks().second, { query: { per_page: "1", page: "2" } })
    expectExactly(page.body, [shown("Second")])
    expect([page.headers.get("x-total"), page.headers.get("x-next-page")]).toEqual(["2", ""])
  })

  it.each(requestForms)("by %s", async (name, form) => {
    const sent = { ...form({ note: `By ${name}`, path: "src/main.ts", line: "21" }), token: guest.token }
    expectExactly(answerOf(await ask("POST", marks().fifth, sent)), [
      201,
      shown(`By ${name}`, { path: "src/main.ts", line: 21, line_type: "new" })
    ])
  })

  it.each([
    ["an added line", { path: "src/main.ts", line: 21, line_type: "new" }, true],
    ["a line around it", { path: "src/main.ts", line: 20 }, false],
    ["a removed line that is none", { path: "src/main.ts", line: 21, line_type: "old" }, false],
    ["a file whose lines stay", { path: "bin/run", line: 1 }, false],
    ["a file that stays", { path: "README.md", line: 1 }, false],
    ["no path", { path: "", line: 21, line_type: "new" }, false],
    ["a line of nothing", { line: 21 }, false]
  ])("on %s", async (_, place, isKept) => {
    const { body, status } = await comment(marks().fifth, { note: "Here", ...place }, { token: guest.token })
    expectExactly([status, body], [201, isKept ? shown("Here", place) : shown("Here")])
  })

  it("keep what was written, also when it is long", async () => {
    const note = `\u{1f680} <b>&amp;</b>\r\n${"é".repeat(999_980)}`
    expect((await comment(marks().first, { note })).body).toMatchObject({ note })
    const most = "\u{1f680}".repeat(1_000_000)
    expect((await comment(marks().first, { note: most })).status).toBe(201)
    expect(answerOf(await comment(marks().first, { note: `${most}x` }))).toEqual([
      400,
      { message: 'Failed to save note {:note=>["is too long (maximum is 1000000 characters)"]}' }
    ])
  })

  it("are refused where they make no sense", async () => {
    const blank = [400, { message: `Failed to save note {:note=>["can't be blank"]}` }]
    expect(answerOf(await comment("main", {}))).toEqual([400, { error: "note is missing" }])
    expect(answerOf(await comment("main", { note: " \n" }))).toEqual(blank)
    expect(answerOf(await comment("main", { note: null }))).toEqual(blank)
    expect(answerOf(await comment("main", { note: "n", path: "a" }))).toEqual([400, { error: "line is missing" }])
    expect(answerOf(await comment("main", { note: "n", path: "a", line: "x", line_type: "both" }))).toEqual([
      400,
      { error: "line is invalid, line_type does not have a valid value" }
    ])
    expect(answerOf(await comment("nothing", { note: "n" }))).toEqual([404, { message: "404 Commit Not Found" }])
    expect(answerOf(await comment("main", { note: "n" }, { token: null }))).toEqual([401, { message: "401 Unauthorized" }])
  })

  it("stay when their author goes", async () => {
    const other = await newUser("leaving")
    await comment(marks().fourth, { note: "Bye" }, { token: other.token })
    await service.request("DELETE", `/users/${other.id}`, { query: { hard_delete: "true" } })
    expect((await ask("GET", marks().fourth)).body).toEqual([{ ...shown("Bye"), author: null }])
  })

  it("are not written twice by a repeat", async () => {
    const headers = { "idempotency-key": "comment-once" }
    const first = await comment(marks().topicA, { note: "Once" }, { headers })
    expect(answerOf(await comment(marks().topicA, { note: "Once" }, { headers }))).toEqual(answerOf(first))
    expect((await ask("GET", marks().topicA)).headers.get("x-total")).toBe("1")
  })
})
