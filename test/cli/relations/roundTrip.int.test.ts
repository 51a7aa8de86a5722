import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { beforeAll, expect, it } from "vitest"
import { peopleOf } from "#src/cli/relations/Import.ts"
import { importProject, readExport } from "#src/cli/relations/importProject.ts"
import { fileName, isBatchable, kindOf, relations } from "#src/exports/relations.ts"
import { Users } from "#src/users/Users.ts"
import { field } from "#test/support/exactly.ts"
import { gitClient } from "#test/support/git/gitClient.ts"
import { unpack } from "#test/support/git/unpack.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { useContent } from "../../exports/useContent.ts"
import { makeWorld, type World } from "./world.ts"

const content = useContent()
const { done, download, exported, minute, post, read, service, textOf, unpacked } = content
const folder = temporaryFolder()

let world: World
const copies = { whole: 0, batched: 0 }

const names = relations.map(({ name }) => name)

/** Writes the files of an export into a folder of their own: its path. */
const written = async (projectId: number, name: string, isBatched: boolean): Promise<string> => {
  const path = join(folder(), name)
  await mkdir(path)
  for (const relation of names) {
    const batch = isBatched && isBatchable(relation) ? { batched: "true", batch_number: "1" } : undefined
    const { bytes, status } = await download(projectId, { relation, ...batch })
    const ofBatch = batch === undefined ? fileName(relation) : fileName(relation).replace(".", ".1.")
    if (status === 200) await writeFile(join(path, ofBatch), bytes)
  }
  return path
}

const imported = async (path: string, fullPath: string, users: ReadonlyMap<number, number>): Promise<number> => {
  await service.run(
    Effect.gen(function* () {
      const user = (yield* Users.use((all) => all.find(1))) ?? expect.unreachable("There is no root")
      const from = yield* readExport(path)
      yield* importProject(from, { fullPath, user, people: peopleOf(users, user.id), externalUrl: service.url })
      yield* settled
    })
  )
  return Number(field(await read(`/projects/${encodeURIComponent(fullPath)}`), "id"))
}

beforeAll(async () => {
  world = await makeWorld(content)
  await service.run(settled)
  minute(30)
  const { developerId, projectId } = world
  const users = new Map([1, developerId].map((id) => [id, id]))
  await exported(projectId, { json: { batched: true } })
  const batched = await written(projectId, "batched", true)
  await exported(projectId)
  const whole = await written(projectId, "whole", false)
  minute(31)
  copies.whole = await imported(whole, "planning/whole", users)
  copies.batched = await imported(batched, "planning/batched", users)
  await exported(copies.whole)
  await exported(copies.batched)
})

/** What differs by its nature: ids of projects and discussions, and what is told of a project that was made now. */
const mapped = (projectId: number) => {
  const discussions = new Map<unknown, string>()
  const place = (id: unknown) => {
    if (!discussions.has(id)) discussions.set(id, `discussion ${discussions.size}`)
    return discussions.get(id)
  }
  const ofProject = (id: unknown) => (id === projectId ? "the project" : "another project")
  const values: Readonly<Record<string, (value: unknown) => unknown>> = {
    project_id: (id) => (id === null ? null : ofProject(id)),
    source_project_id: ofProject,
    target_project_id: ofProject,
    discussion_id: (id) => (id === null ? null : place(id))
  }
  return (_: string, value: unknown): unknown => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, values[name]?.(inner) ?? inner]))
  }
}

const linesOf = async (projectId: number, relation: string): Promise<ReadonlyArray<string>> => {
  const lines = (await textOf(projectId, relation)).split("\n").filter((line) => line !== "")
  const map = mapped(projectId)
  return lines.map((line) => JSON.stringify(JSON.parse(line), map))
}

/** The relations of which every line comes back as it was. */
const same = names.filter((name) => ["collection", "attributes"].includes(String(kindOf(name)))).concat("ci_cd_settings")

for (const relation of same.filter((name) => name !== "pipeline_schedules")) {
  it(`${relation} come back line by line`, async () => {
    const before = await linesOf(world.projectId, relation)
    expect(await linesOf(copies.whole, relation)).toEqual(before)
    expect(await linesOf(copies.batched, relation)).toEqual(before)
  })
}

it("parts of the project come back but for its own times", async () => {
  for (const relation of ["project_feature", "auto_devops"]) {
    const partOf = async (projectId: number) => {
      const [line = ""] = await linesOf(projectId, relation)
      const { created_at, updated_at, ...part } = JSON.parse(line)
      expect([typeof created_at, typeof updated_at]).toEqual(["string", "string"])
      return part
    }
    expect(await partOf(copies.whole)).toEqual(await partOf(world.projectId))
  }
})

it("why a merge failed comes back", async () => {
  const errorsOf = async (projectId: number) =>
    (await linesOf(projectId, "merge_requests")).flatMap((line) => JSON.parse(line).merge_error ?? [])
  expect([await errorsOf(world.projectId), await errorsOf(copies.whole)]).toEqual([["It failed"], ["It failed"]])
})

it("schedules come back switched off", async () => {
  const [line = "", ...others] = await linesOf(world.projectId, "pipeline_schedules")
  const [copy = "", ...moreCopies] = await linesOf(copies.whole, "pipeline_schedules")
  expect(JSON.parse(line)).toMatchObject({ description: "Every night", active: true, next_run_at: expect.any(String) })
  expect(JSON.parse(copy)).toEqual({ ...JSON.parse(line), active: false })
  expect([others, moreCopies]).toEqual([[], []])
})

it("the repository comes back with all its refs", async () => {
  const refsOf = async (projectId: number) => {
    const [tar] = (await unpack("tar", await unpacked(projectId, { relation: "repository" }))).entries
    const bundle = join(folder(), `${projectId}.bundle`)
    await writeFile(bundle, tar?.content ?? "", "latin1")
    const { stdout } = await gitClient(folder(), ["bundle", "list-heads", bundle])
    return stdout.split("\n").filter((line) => line !== "")
  }
  const before = await refsOf(world.projectId)
  expect(before.map((line) => line.split(" ")[1])).toEqual([
    ...["built", "clash", "master", "other", "squashed", "topic"].map((name) => `refs/heads/${name}`),
    ...[1, 2, 3, 4, 5].map((iid) => `refs/merge-requests/${iid}/head`),
    ...["refs/tags/v1", "refs/tags/v2"],
    ...["HEAD", "refs/heads/main"]
  ])
  expect(await refsOf(copies.whole)).toEqual(before)
  expect(field(await read(`/projects/${copies.whole}`), "default_branch")).toBe("main")
})

it("uploads come back where texts lead to them, with their times", async () => {
  const entriesOf = async (projectId: number) => (await unpack("tar", await unpacked(projectId, { relation: "uploads" }))).entries
  const timesOf = async (projectId: number) =>
    [await read(`/projects/${projectId}/uploads`)].flat().map((one) => [field(one, "filename"), field(one, "created_at")])
  const before = await entriesOf(world.projectId)
  expect(before.map(({ content, path }) => [path.slice(33), content])).toEqual([
    ["first.png", "1"],
    ["second.txt", "22"]
  ])
  const times = await timesOf(world.projectId)
  expect(times).toEqual([
    ["second.txt", "2030-01-01T00:26:30.600Z"],
    ["first.png", "2030-01-01T00:26:00.000Z"]
  ])
  for (const copy of [copies.whole, copies.batched]) {
    expect([await entriesOf(copy), await timesOf(copy)]).toEqual([before, times])
    for (const { content, path } of before) expect(await read(`/projects/${copy}/uploads/${path}`)).toBe(content)
  }
})

it("goes on as any other project does", async () => {
  const copy = `/projects/${copies.whole}`
  const issue = await post(`${copy}/issues`, { title: "Next" })
  const request = await post(`${copy}/merge_requests`, { title: "Next", source_branch: "clash", target_branch: "main" })
  expect([field(issue, "iid"), field(request, "iid")]).toEqual([4, 6])
  const same = { title: "Twice", source_branch: "topic", target_branch: "main" }
  const twice = await service.request("POST", `${copy}/merge_requests`, { json: same })
  expect([twice.status, twice.body]).toEqual([
    409,
    { message: ["Another open merge request already exists for this source branch: !1"] }
  ])
  const label = await service.request("POST", `${copy}/labels`, { json: { name: "bug", color: "#d9534f" } })
  expect([label.status, label.body]).toEqual([409, { message: "Label already exists" }])
  const changes = await read(`${copy}/merge_requests/1/changes`)
  expect([field(changes, "changes")].flat().map((change) => field(change, "new_path"))).toEqual(["topic.txt"])
  await done("PUT", `${copy}/merge_requests/1`, { title: "Topic" })
  await done("PUT", copy, { merge_method: "merge" })
  await done("PUT", `${copy}/merge_requests/1/merge`)
  expect(field(await read(`${copy}/merge_requests/1`), "state")).toBe("merged")
})

it("the world has something of all that is kept", async () => {
  const kept = ["labels", "milestones", "issues", "releases", "merge_requests", "commit_notes", "ci_pipelines", "protected_tags"]
  const counts = await Promise.all(kept.map(async (relation) => (await linesOf(world.projectId, relation)).length))
  expect(Object.fromEntries(kept.map((relation, index) => [relation, counts[index]]))).toEqual({
    ...{ labels: 2, milestones: 2, issues: 3, releases: 2, merge_requests: 5 },
    ...{ commit_notes: 2, ci_pipelines: 2, protected_tags: 1 }
  })
})
