import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, expect, it } from "vitest"
import { emptyRepository } from "#test/support/git/gitFixtures.ts"
import { shortestOf } from "#test/support/longestTurn.ts"
import { type Received, useService } from "#test/support/service.ts"
import { createProject, repositoryPath } from "./useCode.ts"

const service = useService()
const [refs, lines] = [40_000, 200_000]
let path = ""
let commit = ""

beforeAll(async () => {
  const id = await createProject(service, { path: "long" })
  const folder = await repositoryPath(service, id)
  const long = Array.from({ length: lines }, (_, index) => `${index}\n`).join("")
  commit = emptyRepository(folder).commits([
    { mark: "c", ref: "refs/heads/main", files: { long, longer: "x\n".repeat(4 * lines) } }
  ]).c
  const named = (kind: string) =>
    Array.from({ length: refs }, (_, index) => `${commit} refs/${kind}/v${String(index).padStart(6, "0")}.1.2`)
  const packed = [...named("heads"), ...named("tags")].join("\n")
  writeFileSync(join(folder, "packed-refs"), `# pack-refs with: peeled fully-peeled sorted \n${packed}\n`)
  path = `/projects/${id}/repository`
})

it.each([
  ["branches", () => "/branches?search=v", 200],
  ["branches by time", () => "/branches?sort=updated_desc", 200],
  ["tags by version", () => "/tags?order_by=version&search=v", 200],
  ["tags by time", () => "/tags?order_by=updated", 200],
  ["refs that have a commit", () => `/commits/${commit}/refs?type=all`, 200],
  ["a blame of more lines than are answered", () => "/files/longer/blame?ref=main", 422]
])("a list of %s holds the event loop only for moments", async (_name, query, status) => {
  const { most, received } = await shortestOf(3, () => service.request("GET", `${path}${query()}`))
  expect(received?.status).toBe(status)
  expect(most).toBeLessThan(25)
})

it("a blame of many lines too, and has all of them", async () => {
  const asked = async (): Promise<Received> => {
    // The client must not take it apart in the same thread.
    const answer = await fetch(`${service.url}/api/v4${path}/files/long/blame?ref=main`)
    let length = 0
    for await (const chunk of answer.body ?? []) length += chunk.length
    return { status: answer.status, headers: answer.headers, body: length }
  }
  const { most, received } = await shortestOf(3, asked)
  expect([received?.status, Number(received?.body) > lines * 8]).toEqual([200, true])
  expect(most).toBeLessThan(25)
})
