import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe as describeEffect, it as itEffect } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { assert, describe, it } from "vitest"
import { makeClient } from "#src/platform/sql/client.ts"
import { query } from "#src/platform/sql/Sql.ts"
import { freshDatabase } from "#test/support/database.ts"
import { field } from "#test/support/exactly.ts"
import { start } from "./chronoforge.ts"
import { useInstallation } from "./useInstallation.ts"

const installation = useInstallation()
const { request, run, sql } = installation

describe("rebuild", () => {
  it("rebuilds everything beside a running service, and finds no difference", async () => {
    const { code, stdout } = await run("rebuild")
    const [first, ...rest] = stdout.trim().split("\n")
    const known = (await sql("select name from chronoforge.read_models where generation = 'live'")).flat()
    const [, named = ""] = /^Rebuilt (.*) from \d+ events, [\d,]+ events\/s$/.exec(first ?? "") ?? []
    assert.deepStrictEqual(named.split(", ").toSorted(), known.toSorted())
    assert.deepStrictEqual([code, rest], [0, ["Differences: nothing"]])
  })

  it("prints what differed", async () => {
    await sql("update rm_users.users set name = 'Forged' where id = 1")
    const { code, stdout } = await run("rebuild", "users")
    const [, count, example = "", ...rest] = stdout.trim().split("\n")
    assert.deepStrictEqual([code, count, rest], [0, "Differences: 1 rows", []])
    assert.match(example, /^ {2}users \[1\]: rebuilt .*"name":"Administrator".* instead of .*"name":"Forged"/)
  })

  it("fails where events cannot be read, and names their streams, as the log of the service does", async () => {
    const makeUser = (username: string) =>
      request("POST", "/users", {
        json: { username, name: username, email: `${username}@example.com`, force_random_password: true }
      })
    const ids = [await makeUser("ada"), await makeUser("bob")].map(({ body }) => Number(field(body, "id")))
    const streams = ids.map((id) => `user-${id}`)
    const setVersion = (version: number) =>
      sql(
        `update chronoforge.events set schema_version = ${version} where stream in ('${streams.join("', '")}') and revision = 0`
      )
    await setVersion(99)
    const { code, stderr, stdout } = await run("rebuild", "users")
    assert.deepStrictEqual([code, stdout.split("\n")[1]], [1, "Differences: 2 rows"])
    const reasonOf = (stream: string) =>
      `UndecodableEvent: ${stream} revision 0 (UserCreated): version 99 is newer than this code`
    assert.include(
      stderr.replaceAll(/\s+/g, " "),
      `2 streams are parked, because an event cannot be read or shown; what follows in them is missing. The first: ${streams[0]} at revision 0 (UserCreated) in users: ${reasonOf(streams[0] ?? "")}`
    )
    const warnings = streams.map(
      (stream) => `${stream} is parked at revision 0 (UserCreated) in the read model users: ${reasonOf(stream)}`
    )
    for (const warning of warnings) assert.include(installation.output.join("\n"), warning)
    await setVersion(1)
    const again = await run("rebuild", "users")
    assert.deepStrictEqual([again.code, again.stdout.split("\n")[1]], [0, "Differences: 2 rows"])
  })

  it("names the read models that there are", async () => {
    const { code, stderr } = await run("rebuild", "usres")
    assert.strictEqual(code, 1)
    // Long lines are wrapped.
    const text = stderr.trim().replaceAll(/\s+/g, " ")
    assert.match(text, /^ERROR There is no read model usres, did you mean \w+(, \w+)*( or \w+)?\? Known: (\w+, )+\w+$/)
  })
})

const lockProjector = (url: string) =>
  Effect.acquireRelease(
    Effect.sync(() => makeClient(url, { connections: 1, name: "chronoforge tests" })),
    (client) => Effect.promise(() => client.end())
  ).pipe(Effect.tap((client) => query(() => client`select pg_advisory_lock(hashtext('chronoforge.projector'))`)))

const dataDir = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "chronoforge-cli-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

describeEffect("rebuild while nobody can lead", () => {
  itEffect.live("is cancelled by Ctrl-C", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase()
      const client = yield* lockProjector(url)
      const command = start(["rebuild"], { DATABASE_URL: url, DATA_DIR: yield* dataDir })
      const states = query(() => client<Array<{ state: string }>>`select state from chronoforge.rebuilds`)
      yield* Effect.repeat(states, { until: (rows) => rows.length === 1, schedule: Schedule.spaced("20 millis") })
      command.signal("SIGINT")
      const ended = yield* Effect.promise(() => command.ended)
      assert.deepStrictEqual(ended, {
        code: 130,
        stdout: "",
        stderr: "Cancelled. The read models are as before; the same command goes on where this one stopped.\n"
      })
      assert.deepStrictEqual([...(yield* states)], [{ state: "cancelled" }])
    }).pipe(Effect.scoped)
  )
})
