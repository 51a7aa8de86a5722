import { expect } from "vitest"
import { field } from "#test/support/exactly.ts"
import type { ServeProcess } from "#test/support/processes/serveProcess.ts"
import { chronoforge } from "../cli/chronoforge.ts"

/** The merge requests of the only project. */
export const requests = "/projects/1/merge_requests"

export const numberOf = (one: unknown): number => Number(field(one, "iid"))

const commit = async (service: ServeProcess, branch: string, file_path: string): Promise<string> => {
  const actions = [{ action: "create", file_path, content: "a\n" }]
  const start = branch === "main" ? {} : { start_branch: "main" }
  const json = { branch, commit_message: `Add ${file_path}`, actions, ...start }
  const { body, status } = await service.request("POST", "/projects/1/repository/commits", { json })
  expect(status).toBe(201)
  return String(field(body, "id"))
}

/** Opens one merge request of `topic-<number>` with `file-<number>`: its last commit. */
const openOne = async (service: ServeProcess, number: number): Promise<string> => {
  const head = await commit(service, `topic-${number}`, `file-${number}`)
  const json = { title: `Topic ${number}`, source_branch: `topic-${number}`, target_branch: "main" }
  expect((await service.request("POST", requests, { json })).status).toBe(201)
  return head
}

/** So many are opened at the same time. */
const atOnce = 5

/** A project with so many open merge requests: the last commits of `topic-1` and the following. */
export const prepare = async (service: ServeProcess, count: number): Promise<ReadonlyArray<string>> => {
  await service.request("POST", "/projects", { json: { name: "merging" } })
  await commit(service, "main", "README.md")
  const heads: Array<string> = []
  while (heads.length < count) {
    const some = Array.from({ length: Math.min(atOnce, count - heads.length) }, (_, index) => heads.length + index + 1)
    heads.push(...(await Promise.all(some.map((number) => openOne(service, number)))))
  }
  return heads
}

export const everyPage = async (service: ServeProcess, path: string, query: Readonly<Record<string, string>> = {}) => {
  const found: Array<unknown> = []
  for (let page = 1; ; page++) {
    const { body } = await service.request("GET", path, { query: { ...query, per_page: "100", page: String(page) } })
    if (!Array.isArray(body) || body.length === 0) return found
    found.push(...body)
  }
}

/** Each of these merge requests has one merge commit on the target branch, and nothing else has. */
export const expectMergedOnce = async (service: ServeProcess, merged: ReadonlyArray<unknown>): Promise<void> => {
  const commits = await everyPage(service, "/projects/1/repository/commits", { ref_name: "main" })
  const mergeCommits = commits.filter((each) => [field(each, "parent_ids")].flat().length === 2)
  expect(mergeCommits.map((each) => field(each, "id")).toSorted()).toEqual(
    merged.map((one) => field(one, "merge_commit_sha")).toSorted()
  )
}

/** The target branch has the files of so many merge requests. */
export const expectFiles = async (service: ServeProcess, count: number): Promise<void> => {
  const files = await everyPage(service, "/projects/1/repository/tree")
  const names = Array.from({ length: count }, (_, index) => `file-${index + 1}`)
  expect(files.map((file) => field(file, "name")).toSorted()).toEqual(["README.md", ...names].toSorted())
}

/** Read models that are made anew from the log have the same rows. */
export const expectSameRows = async (settings: Readonly<Record<string, string>>): Promise<void> => {
  const { code, stdout } = await chronoforge(["rebuild"], settings)
  expect([code, stdout.trim().split("\n").slice(1)]).toEqual([0, ["Differences: nothing"]])
}
