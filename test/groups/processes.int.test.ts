import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { makeClient } from "#src/platform/sql/client.ts"
import { ask, freshDatabase } from "#test/support/database.ts"
import { field } from "#test/support/exactly.ts"
import { type ServeProcess, serveProcess } from "#test/support/processes/serveProcess.ts"
import { until } from "#test/support/until.ts"
import { idOf } from "./useGroups.ts"

const scope = Scope.makeUnsafe()
/** How default branches are protected as each process has it in its settings. */
const levels = [1, 3] as const
const settings = { DATABASE_URL: "", DATA_DIR: "" }
const processes: Array<ServeProcess> = []

beforeAll(async () => {
  settings.DATABASE_URL = await Effect.runPromise(Scope.provide(freshDatabase(), scope))
  settings.DATA_DIR = await mkdtemp(join(tmpdir(), "chronoforge-groups-"))
  for (const level of levels) processes.push(await serveProcess({ ...settings, DEFAULT_BRANCH_PROTECTION: String(level) }))
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

/** The rows of a statement. */
const rows = (statement: string) => Effect.runPromise(ask(settings.DATABASE_URL, statement))

/** Keeps groups from being moved and deleted until what it answers is called. */
const holdTree = async () => {
  const client = makeClient(settings.DATABASE_URL, { connections: 1, name: "test" })
  await client`select pg_advisory_lock(hashtextextended('chronoforge.groups', 0))`
  return () => client.end()
}

it("groups that are put below each other at once on two processes take turns, and make no ring", async () => {
  const paths = ["a", "b", "c"]
  const ids: Array<number> = []
  for (const path of paths) ids.push(idOf(await request(0, "POST", "/groups", { json: { name: path, path } })))
  const release = await holdTree()
  const moving = ids.map((id, index) =>
    request(index, "POST", `/groups/${id}/transfer`, { json: { group_id: ids[(index + 1) % ids.length] } })
  )
  const moved = () => rows("select stream from chronoforge.events where type = 'GroupTransferred'")
  // Each process has one transfer at the lock: the last that its connection asked was a try, and that was answered.
  const refused = () =>
    rows(`select from pg_stat_activity where datname = current_database() and application_name = 'chronoforge-groups'
      and state = 'idle' and query like '%pg_try_advisory_lock%'`)
  await until(async () => (await refused()).length === levels.length || (await moved()).length > 0)
  expect(await moved()).toEqual([])
  await release()
  const answers = await Promise.all(moving)
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400])
  const depths = await Promise.all(
    ids.map(async (id) => String(field((await request(0, "GET", `/groups/${id}`)).body, "full_path")).split("/").length)
  )
  expect(depths.sort()).toEqual([1, 2, 3])
})

it("a group that says nothing of default branches protects them as the setting says now", async () => {
  const path = `/groups/${idOf(await request(0, "POST", "/groups", { json: { name: "plain", path: "plain" } }))}`
  const shown = () =>
    Promise.all(
      levels.map(async (_, process) => {
        const { body } = await request(process, "GET", path)
        return [field(body, "default_branch_protection"), field(body, "default_branch_protection_defaults")]
      })
    )
  const at = (push: number, merge: number, developer_can_initial_push = false) => ({
    allowed_to_push: [{ access_level: push }],
    allow_force_push: false,
    allowed_to_merge: [{ access_level: merge }],
    developer_can_initial_push
  })
  expect(await shown()).toEqual([
    [1, at(30, 40)],
    [3, at(40, 30)]
  ])
  const details = { default_branch_protection_defaults: { developer_can_initial_push: true } }
  expect((await request(1, "PUT", path, { json: details })).status).toBe(200)
  expect(await shown()).toEqual([
    [1, at(40, 30, true)],
    [3, at(40, 30, true)]
  ])
  expect((await request(0, "PUT", path, { json: { default_branch_protection: 2 } })).status).toBe(200)
  expect(await shown()).toEqual([
    [2, at(40, 40)],
    [2, at(40, 40)]
  ])
})
