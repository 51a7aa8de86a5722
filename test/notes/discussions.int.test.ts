import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { findLine } from "#src/mergeRequests/diffs/lines.ts"
import { field, picked } from "#test/support/exactly.ts"
import { bodiesOf, idOf, useNotes } from "./useNotes.ts"

const { as, ask, at, commit, discuss, member, newRequest, note, open, person, service } = useNotes()
const { request } = service

const notesOf = (discussion: unknown): ReadonlyArray<unknown> => [field(discussion, "notes")].flat()
const noteId = (discussion: unknown): string => String(field(notesOf(discussion)[0], "id"))
const resolutions = (discussion: unknown) => notesOf(discussion).map((each) => field(each, "resolved"))

describe("a discussion", () => {
  it("is a thread, or a note that stands alone until somebody replies", async () => {
    const id = await newRequest("threads")
    const alone = await note(id, { body: "alone" })
    const { body: thread, status } = await discuss(id, { body: "thread" })
    expect([status, Object.keys(thread as object), field(thread, "individual_note")]).toEqual([
      201,
      ["id", "individual_note", "notes"],
      false
    ])
    expect(field(thread, "id")).toMatch(/^[0-9a-f]{40}$/)
    expect(picked(notesOf(thread)[0], "type", "resolvable", "resolved", "resolved_by", "resolved_at")).toEqual({
      type: "DiscussionNote",
      resolvable: true,
      resolved: false,
      resolved_by: null,
      resolved_at: null
    })
    const { body: listed } = await ask("GET", id, "/discussions")
    const [first] = [listed].flat()
    expect([listed].flat().map((each) => field(each, "individual_note"))).toEqual([true, false])
    const path = `/discussions/${field(first, "id")}`
    const replied = await ask("POST", id, `${path}/notes`, { json: { body: "reply" } })
    expect([replied.status, picked(replied.body, "type", "resolvable", "body")]).toEqual([
      201,
      { type: "DiscussionNote", resolvable: true, body: "reply" }
    ])
    const { body: read } = await ask("GET", id, path)
    expect([field(read, "individual_note"), bodiesOf({ body: field(read, "notes") })]).toEqual([false, ["alone", "reply"]])
    expect(picked(notesOf(read)[0], "id", "type")).toEqual({ id: field(alone.body, "id"), type: "DiscussionNote" })
    expect((await ask("GET", id, `${path}/notes`)).body).toEqual(field(read, "notes"))
    expect((await ask("GET", id, `${path}/notes/${field(replied.body, "id")}`)).body).toEqual(replied.body)
    expect((await ask("GET", id, `/discussions/${field(thread, "id")}/notes/${field(replied.body, "id")}`)).status).toBe(404)
  })

  it("is listed by page in the order in which they began", async () => {
    const id = await newRequest("pages-of-threads")
    for (const body of ["a", "b", "c"]) await discuss(id, { body })
    const answer = await ask("GET", id, "/discussions", { query: { per_page: "2", page: "2" } })
    expect([
      answer.headers.get("x-total"),
      [answer.body].flat().flatMap((each) => bodiesOf({ body: field(each, "notes") }))
    ]).toEqual(["3", ["c"]])
  })

  it("is unknown by another id", async () => {
    const id = await newRequest("unknown-threads")
    const path = `/discussions/${"0".repeat(40)}`
    const unknown = { status: 404, body: { message: "404 Discussion Not Found" } }
    expect(await ask("GET", id, path)).toMatchObject(unknown)
    expect(await ask("GET", id, `${path}/notes`)).toMatchObject(unknown)
    expect(await ask("POST", id, `${path}/notes`, { json: { body: "a" } })).toMatchObject(unknown)
    expect(await ask("PUT", id, path, { json: { resolved: true } })).toMatchObject(unknown)
  })

  it("goes away with its last note, and goes on with the next one otherwise", async () => {
    const id = await newRequest("ended-threads")
    const { body: thread } = await discuss(id, { body: "first" })
    const path = `/discussions/${field(thread, "id")}`
    const { body: reply } = await ask("POST", id, `${path}/notes`, { json: { body: "second" } })
    expect((await ask("DELETE", id, `${path}/notes/${noteId(thread)}`)).status).toBe(204)
    const { body: left } = await ask("GET", id, "/discussions")
    expect([left].flat().map((each) => [field(each, "id"), bodiesOf({ body: field(each, "notes") })])).toEqual([
      [field(thread, "id"), ["second"]]
    ])
    expect((await ask("DELETE", id, `/notes/${field(reply, "id")}`)).status).toBe(204)
    expect((await ask("GET", id, path)).status).toBe(404)
    expect((await ask("GET", id, "/discussions")).body).toEqual([])
  })

  it("is internal with all its notes", async () => {
    const id = await newRequest("internal-threads")
    const guest = await member(id, "guest", "guest-of-threads")
    await note(id, { body: "secret", internal: true })
    const { body } = await ask("GET", id, "/discussions")
    const path = `/discussions/${field([body].flat()[0], "id")}`
    const { body: reply } = await ask("POST", id, `${path}/notes`, { json: { body: "too" } })
    expect(field(reply, "internal")).toBe(true)
    expect((await ask("GET", id, "/discussions", as(guest))).body).toEqual([])
    expect((await ask("POST", id, `${path}/notes`, { json: { body: "a" }, ...as(guest) })).status).toBe(404)
  })
})

describe("resolving", () => {
  it("is for all notes of a thread, or for one, and is taken back so", async () => {
    const id = await newRequest("resolved")
    const { body: thread } = await discuss(id, { body: "first" })
    const path = `/discussions/${field(thread, "id")}`
    const { body: second } = await ask("POST", id, `${path}/notes`, { json: { body: "second" } })
    const one = await ask("PUT", id, `${path}/notes/${field(second, "id")}`, { json: { resolved: true } })
    expect(picked(one.body, "resolved")).toEqual({ resolved: true })
    const { body: resolved } = await ask("PUT", id, path, { json: { resolved: true } })
    expect(resolutions(resolved)).toEqual([true, true])
    expect(field(field(notesOf(resolved)[0], "resolved_by"), "username")).toBe("root")
    expect(field(notesOf(resolved)[0], "updated_at")).toBe(field(notesOf(resolved)[0], "resolved_at"))
    const { body: third } = await ask("POST", id, `${path}/notes`, { json: { body: "third" } })
    expect(field(third, "resolved")).toBe(true)
    expect(resolutions((await ask("PUT", id, path, { json: { resolved: false } })).body)).toEqual([false, false, false])
    expect((await ask("PUT", id, `${path}/notes/${field(third, "id")}`, { json: {} })).body).toEqual({
      error: "body, resolved are missing, exactly one parameter must be provided"
    })
    expect((await ask("PUT", id, `${path}/notes/${field(third, "id")}`, { json: { body: "a", resolved: true } })).body).toEqual({
      error: "body, resolved are mutually exclusive"
    })
    expect((await ask("PUT", id, `${path}/notes/${field(third, "id")}`, { json: { body: " " } })).body).toEqual({
      message: `400 Bad request - Failed to save note {:note=>["can't be blank"]}`
    })
  })

  it("is for Developers, the author of the merge request, and of a note", async () => {
    const id = await newRequest("resolvers")
    const [developer, reporter] = [await member(id, "developer", "resolver"), await member(id, "reporter", "no-resolver")]
    const { body: thread } = await discuss(id, { body: "mine" }, reporter)
    const path = `/discussions/${field(thread, "id")}`
    const resolving = { json: { resolved: true } }
    expect((await ask("PUT", id, path, { ...resolving, ...as(reporter) })).status).toBe(403)
    expect((await ask("PUT", id, `${path}/notes/${noteId(thread)}`, { ...resolving, ...as(reporter) })).status).toBe(200)
    expect((await ask("PUT", id, path, { json: { resolved: false }, ...as(developer) })).status).toBe(200)
    const alone = await note(id, { body: "alone" })
    const { body: listed } = await ask("GET", id, "/discussions")
    const last = [listed].flat().at(-1)
    expect((await ask("PUT", id, `/discussions/${field(last, "id")}`, resolving)).status).toBe(403)
    expect(await ask("PUT", id, `/discussions/${field(last, "id")}/notes/${idOf(alone)}`, resolving)).toMatchObject({
      status: 400,
      body: { message: "400 Bad request - Note is not resolvable" }
    })
  })
})

describe("a position", () => {
  const setUp = async (name: string) => {
    const id = await newRequest(name)
    await commit(id, "lines", { "dir/a.txt": "one\ntwo\n" })
    await open(id, { source_branch: "lines" })
    const { body } = await request("GET", `/projects/${id}/merge_requests/2`)
    const position = { ...(field(body, "diff_refs") as object), position_type: "text", new_path: "dir/a.txt" }
    const post = (json: object) => request("POST", `/projects/${id}/merge_requests/2/discussions`, { json })
    return { id, position, post }
  }

  it("is a line that a version shows", async () => {
    const { position, post } = await setUp("positions")
    const { body, status } = await post({ body: "here", position: { ...position, new_line: 2 } })
    expect(status).toBe(201)
    const expected = {
      base_sha: expect.any(String),
      start_sha: expect.any(String),
      head_sha: expect.any(String),
      old_path: "dir/a.txt",
      new_path: "dir/a.txt",
      position_type: "text",
      old_line: null,
      new_line: 2,
      line_range: null
    }
    const [first] = notesOf(body)
    expect(picked(first, "type", "commit_id", "position")).toEqual({ type: "DiffNote", commit_id: null, position: expected })
    expect(Object.keys(field(first, "position") as object)).toEqual(Object.keys(expected))
    const keys = Object.keys(first as object)
    expect(keys.slice(keys.indexOf("project_id"), keys.indexOf("confidential"))).toEqual([
      ...["project_id", "commit_id", "position", "resolvable", "resolved", "resolved_by", "resolved_at"]
    ])
  })

  it("may be of a version whose SHAs are in capital letters", async () => {
    const { position, post } = await setUp("capital-positions")
    const capital = Object.entries(position).map(([name, value]) => [
      name,
      name.endsWith("_sha") ? String(value).toUpperCase() : value
    ])
    const { body, status } = await post({ body: "here", position: { ...Object.fromEntries(capital), new_line: 2 } })
    expect(status).toBe(201)
    expect(field(notesOf(body)[0], "position")).toMatchObject({ ...position, new_line: 2 })
  })

  it.each([
    [{ new_line: 3 }],
    [{ new_line: 2, old_line: 1 }],
    [{ old_line: 1 }],
    [{}],
    [{ new_line: 1, new_path: "other.txt" }],
    [{ new_line: 1, new_path: "*" }],
    [{ new_line: 1, new_path: "", old_path: "" }],
    [{ new_line: 1, new_path: "/etc/passwd" }],
    [{ new_line: 1, old_path: "../x" }],
    [{ new_line: 1, head_sha: "0".repeat(40) }]
  ])("is no line: %j", async (more) => {
    const { position, post } = await setUp(
      `no-position-${JSON.stringify(more).replace(/\W+/g, "-")}`.slice(0, 40).replace(/-$/, "x")
    )
    expect(await post({ body: "here", position: { ...position, ...more } })).toMatchObject({
      status: 400,
      body: { message: `400 Bad request - Note {:line_code=>["can't be blank", "must be a valid line code"]}` }
    })
  })

  it.each(["", "\n"])("may be any line of a changed file, which ends with %j", async (end) => {
    const id = await newRequest(`whole-file-${end.length}`)
    const before = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`)
    const after = [...before.slice(0, 9), "added", ...before.slice(9, 19), ...before.slice(20)]
    await commit(id, "main", { "a.txt": before.join("\n") + end })
    const change = { branch: "changed", start_branch: "main", commit_message: "Change", content: after.join("\n") + end }
    await request("PUT", `/projects/${id}/repository/files/a.txt`, { json: change })
    await open(id, { source_branch: "changed" })
    const refs = field((await request("GET", `/projects/${id}/merge_requests/2`)).body, "diff_refs")
    const codeOf = (oldLine: number | null, newLine: number | null) =>
      service.run(
        findLine(
          { projectId: id, iid: 2 },
          {
            baseSha: String(field(refs, "base_sha")),
            startSha: String(field(refs, "start_sha")),
            headSha: String(field(refs, "head_sha")),
            oldPath: "a.txt",
            newPath: "a.txt",
            oldLine,
            newLine
          }
        )
      )
    const file = createHash("sha1").update("a.txt").digest("hex")
    const rows: ReadonlyArray<readonly [number | null, number | null, string?]> = [
      [1, 1, `${file}_1_1`],
      [null, 10, `${file}_10_10`],
      [10, 11, `${file}_10_11`],
      [15, 16, `${file}_15_16`],
      [20, null, `${file}_20_21`],
      [21, 21, `${file}_21_21`],
      [30, 30, `${file}_30_30`],
      [1, 2],
      [15, 15],
      [31, 31],
      [0, 0],
      [-1, -1],
      [15, null],
      [null, 16]
    ]
    for (const [oldLine, newLine, code] of rows) {
      expect([oldLine, newLine, await codeOf(oldLine, newLine)]).toEqual([oldLine, newLine, code])
    }
  })

  it("is not looked for where the text is wrong", async () => {
    const { position, post } = await setUp("wrong-texts")
    expect(await post({ body: " ", position: { ...position, new_line: 9 } })).toMatchObject({
      status: 400,
      body: { message: `400 Bad request - Note {:note=>["can't be blank"]}` }
    })
  })

  it("is told whole", async () => {
    const { post } = await setUp("half-positions")
    expect(await post({ body: "here", position: { position_type: "image" } })).toMatchObject({
      status: 400,
      body: {
        error:
          "position[base_sha] is missing, position[start_sha] is missing, position[head_sha] is missing, position[position_type] does not have a valid value"
      }
    })
  })
})

it("is replied to by nobody who may not write", async () => {
  const id = await newRequest("silent")
  const outsider = await person("outsider-of-threads")
  const { body } = await discuss(id, { body: "a" }, outsider)
  await request("PUT", at(id, ""), { json: { discussion_locked: true } })
  const path = `/discussions/${field(body, "id")}`
  expect((await ask("POST", id, `${path}/notes`, { json: { body: "b" }, ...as(outsider) })).status).toBe(403)
  expect((await ask("PUT", id, path, { json: { resolved: true }, ...as(outsider) })).status).toBe(403)
})
