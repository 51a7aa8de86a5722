import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { freshDatabase } from "#test/support/database.ts"
import { field } from "#test/support/exactly.ts"
import { type ServeProcess, serveProcess } from "#test/support/serveProcess.ts"
import { idOf } from "./useGroups.ts"

const scope = Scope.makeUnsafe()
const settings = { DATABASE_URL: "", DATA_DIR: "" }
const processes: Array<ServeProcess> = []

beforeAll(async () => {
  settings.DATABASE_URL = await Effect.runPromise(Scope.provide(freshDatabase(), scope))
  settings.DATA_DIR = await mkdtemp(join(tmpdir(), "chronoforge-groups-"))
  processes.push(await serveProcess(settings))
  processes.push(await serveProcess(settings))
})
afterAll(async () => {
  await Promise.all(processes.map((each) => each.end("SIGTERM")))
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await rm(settings.DATA_DIR, { recursive: true, force: true })
})

const request = (process: number, ...sent: Parameters<ServeProcess["request"]>) => {
  const asked = processes[process % processes.length]
  if (asked === undefined) throw new Error("Not started")
  return asked.request(...sent)
}

it.each([0, 1, 2, 3])("groups that are put below each other at once on two processes make no ring: %i", async (round) => {
  const paths = ["a", "b", "c"].map((letter) => `${letter}-${round}`)
  const ids: Array<number> = []
  for (const path of paths) ids.push(idOf(await request(0, "POST", "/groups", { json: { name: path, path } })))
  const answers = await Promise.all(
    ids.map((id, index) =>
      request(index, "POST", `/groups/${id}/transfer`, { json: { group_id: ids[(index + 1) % ids.length] } })
    )
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400])
  const depths = await Promise.all(
    ids.map(async (id) => String(field((await request(0, "GET", `/groups/${id}`)).body, "full_path")).split("/").length)
  )
  expect(depths.sort()).toEqual([1, 2, 3])
})
