import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { peopleOf } from "#src/cli/relations/Import.ts"
import { importProject, readExport } from "#src/cli/relations/importProject.ts"
import { fileName } from "#src/exports/relations.ts"
import { Users } from "#src/users/Users.ts"
import { field } from "#test/support/exactly.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { useContent } from "../../exports/useContent.ts"
import { issueLine, labelLine, linesOf, requestLine, times, writeExport } from "./exportFiles.ts"

const { done, download, exported, make, post, read, recordsOf, service } = useContent()
const folder = temporaryFolder()

/** Imports the files of a folder into a project of a group: its id. */
const importedFrom = async (path: string, fullPath: string): Promise<number> => {
  await service.run(
    Effect.gen(function* () {
      const user = (yield* Users.use((all) => all.find(1))) ?? expect.unreachable("There is no root")
      const people = peopleOf(new Map(), user.id)
      yield* importProject(yield* readExport(path), { fullPath, user, people, externalUrl: service.url })
      yield* settled
    })
  )
  return Number(field(await read(`/projects/${encodeURIComponent(fullPath)}`), "id"))
}

/** Imports records of these relations into a project with this name. */
const imported = async (name: string, relations: Readonly<Record<string, ReadonlyArray<object>>>): Promise<number> => {
  const files = Object.entries(relations).map(([relation, records]) => [fileName(relation), linesOf(records)])
  return await importedFrom(await writeExport(join(folder(), name), Object.fromEntries(files)), `top/team/${name}`)
}

/** Exports a project and imports these relations of it into another one: its id. */
const again = async (projectId: number, name: string, ...relations: ReadonlyArray<string>): Promise<number> => {
  await exported(projectId)
  const path = join(folder(), name)
  await mkdir(path)
  for (const relation of relations)
    await writeFile(join(path, fileName(relation)), (await download(projectId, { relation })).bytes)
  return await importedFrom(path, `top/team/${name}`)
}

/** A list of the interface, the oldest first where it is one of those that can. */
const listOf = async (path: string) => [await read(path, { sort: "asc" })].flat()

beforeAll(async () => {
  const parent_id = await make("/groups", { name: "top", path: "top" })
  await make("/groups", { name: "team", path: "team", parent_id })
})

describe("titles that groups above have", () => {
  const milestoneLine = (iid: number, title: string, more: object = {}) => ({ iid, title, state: "active", ...times, ...more })
  const above = { label: 0, milestone: 0 }

  beforeAll(async () => {
    above.label = await make("/groups/top/labels", { name: "bug", color: "#111111" })
    above.milestone = await make("/groups/top%2Fteam/milestones", { title: "v1" })
  })

  it("mean theirs, in lists of their own and wherever they are named", async () => {
    const [bug, v1] = [labelLine("bug"), milestoneLine(1, "v1", { state: "closed" })]
    const event = { user_id: 1, created_at: times.created_at }
    const id = await imported("titles", {
      labels: [bug, labelLine("own")],
      milestones: [v1, milestoneLine(2, "v2")],
      issues: [issueLine(1, { label_links: [{ label: bug }, { label: labelLine("own") }], milestone: v1 })],
      merge_requests: [
        requestLine(1, {
          label_links: [{ label: { ...bug, type: "GroupLabel" } }],
          milestone: milestoneLine(7, "v1", { group_id: 9 }),
          resource_label_events: [{ ...event, action: "add", label: bug }],
          resource_milestone_events: [{ ...event, action: "add", milestone: v1 }]
        })
      ],
      releases: [{ tag: "v1.0", ...times, milestone_releases: [{ milestone: v1 }] }]
    })
    const project = `/projects/${id}`
    const labels = await listOf(`${project}/labels`)
    expect(labels.map((label) => [field(label, "name"), field(label, "is_project_label")])).toEqual([
      ["bug", false],
      ["own", true]
    ])
    const milestones = await listOf(`${project}/milestones`)
    expect(milestones.map((milestone) => [field(milestone, "iid"), field(milestone, "title")])).toEqual([[2, "v2"]])
    const [issue] = await listOf(`${project}/issues`)
    const [request] = await listOf(`${project}/merge_requests`)
    for (const one of [issue, request]) expect(field(field(one, "milestone"), "id")).toBe(above.milestone)
    expect([field(issue, "labels"), field(request, "labels")]).toEqual([["bug", "own"], ["bug"]])
    const [labeled] = await listOf(`${project}/merge_requests/1/resource_label_events`)
    const [planned] = await listOf(`${project}/merge_requests/1/resource_milestone_events`)
    expect([field(field(labeled, "label"), "id"), field(field(planned, "milestone"), "id")]).toEqual([
      above.label,
      above.milestone
    ])
  })
})

it("times of the years 0000 to 9999 come back as they were, of notes too", async () => {
  const moments = [
    ...["0000-01-01T00:00:00.000Z", "0000-02-29T12:00:00.001Z", "0000-12-31T23:59:59.999Z", "0001-01-01T00:00:00.000Z"],
    ...["1582-10-15T00:00:00.007Z", "1969-12-31T23:59:59.913Z", "1969-12-31T23:59:59.000Z", "1970-01-01T00:00:00.000Z"],
    ...["1970-01-01T00:00:00.999Z", "2024-02-29T23:59:59.123Z", "9999-12-31T23:59:59.001Z", "9999-12-31T23:59:59.999Z"]
  ]
  const issues = moments.map((at, index) => {
    const both = { created_at: at, updated_at: at }
    return issueLine(index + 1, { ...both, notes: [{ note: "Then", author_id: 1, ...both }] })
  })
  const told = async (projectId: number) =>
    (await recordsOf(projectId, "issues")).map((issue) => {
      const [note] = [field(issue, "notes")].flat()
      return [issue, note].flatMap((one) => [field(one, "created_at"), field(one, "updated_at")])
    })
  const first = await imported("moments", { issues })
  const second = await again(first, "moments-again", "issues")
  await exported(second)
  const expected = moments.map((at) => [at, at, at, at])
  expect([await told(first), await told(second)]).toEqual([expected, expected])
})

it("only lines of texts are places of notes; what else they are about makes them discussions", async () => {
  const [sha, path] = ["a".repeat(40), "a.txt"]
  const place = { base_sha: sha, start_sha: sha, head_sha: sha, old_path: path, new_path: path }
  const positions = {
    image: { ...place, position_type: "image", width: 1, height: 1, x: 0, y: 0 },
    "image with a line": { ...place, position_type: "image", new_line: 1 },
    file: { ...place, position_type: "file" },
    "no line": { ...place, position_type: "text", old_line: null, new_line: null },
    "line 0": { ...place, position_type: "text", old_line: 0, new_line: null },
    "line below 0": { ...place, position_type: "text", old_line: null, new_line: -3 },
    line: { ...place, position_type: "text", new_line: 3 },
    "line of old": { ...place, old_line: 2, new_line: 3 }
  }
  const notes = Object.entries(positions).map(([note, position]) => ({
    ...{ note, author_id: 1, ...times, type: "DiffNote", position },
    discussion_id: note
  }))
  const id = await imported("positions", { merge_requests: [requestLine(1, { notes })] })
  const told = (await listOf(`/projects/${id}/merge_requests/1/notes`)).map((note) => {
    const position = field(note, "position")
    return [
      field(note, "body"),
      field(note, "type"),
      ...(position == null ? [] : [field(position, "old_line"), field(position, "new_line")])
    ]
  })
  const discussions = ["image", "image with a line", "file", "no line", "line 0", "line below 0"]
  expect(told).toEqual([
    ...discussions.map((note) => [note, "DiscussionNote"]),
    ["line", "DiffNote", null, 3],
    ["line of old", "DiffNote", 2, 3]
  ])
})

it("numbers go on behind the highest that came, and such an export can be imported", async () => {
  const highest = 2 ** 31 - 1
  const first = await imported("numbers", { issues: [issueLine(highest)] })
  const next = field(await post(`/projects/${first}/issues`, { title: "Next" }), "iid")
  await done("PUT", `/projects/${first}/issues/${next}`, { state_event: "close" })
  const second = await again(first, "numbers-again", "issues")
  const after = field(await post(`/projects/${second}/issues`, { title: "After" }), "iid")
  expect([next, after]).toEqual([highest + 1, highest + 2])
  expect((await listOf(`/projects/${second}/issues`)).map((issue) => field(issue, "iid")).sort()).toEqual([highest, next, after])
})
