import { mkdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { chronoforge } from "./chronoforge.ts"
import { useInstallation } from "./useInstallation.ts"

const installation = useInstallation()

/** `status name` of each line, and the lines. */
const findings = async (env: Readonly<Record<string, string>> = {}) => {
  const { code, stdout } = await chronoforge(["doctor", "--json"], { ...installation.settings, ...env })
  const lines: ReadonlyArray<{ status: string; name: string; detail: string; remedy?: string }> = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  return { code, lines, summary: lines.map(({ name, status }) => `${status} ${name}`) }
}

describe("doctor", () => {
  it("finds a running service well", async () => {
    const { code, summary } = await findings()
    assert.deepStrictEqual([code, summary.filter((line) => !line.startsWith("ok "))], [0, []])
    assert.includeMembers(summary, [
      "ok settings",
      "ok DATA_DIR",
      "ok disk",
      "ok git",
      "ok database",
      "ok migrations",
      "ok event store",
      "ok read model users",
      "ok repositories",
      "ok SECRET_KEY",
      "ok clock"
    ])
  })

  it("names each bad setting, and checks the rest", async () => {
    const { code, lines, summary } = await findings({ PORT: "http", LOG_LEVEL: "loud" })
    assert.strictEqual(code, 1)
    const bad = lines.filter(({ name }) => name === "settings").map(({ detail }) => detail.slice(0, detail.indexOf(":")))
    assert.deepStrictEqual(bad.toSorted(), ["LOG_LEVEL", "PORT"])
    assert.include(summary, "ok database")
  })

  it("tells that the database cannot be reached", async () => {
    const { code, lines } = await findings({ DATABASE_URL: "postgres://127.0.0.1:1/none" })
    assert.strictEqual(code, 1)
    assert.deepStrictEqual(lines.at(-1), {
      name: "database",
      status: "fail",
      detail: "DATABASE_URL: cannot connect to 127.0.0.1:1: ECONNREFUSED",
      remedy: "start the server, or correct DATABASE_URL"
    })
  })

  it("waits for the first start before there is anything", async () => {
    const { code, summary } = await findings({ DATABASE_URL: "", DATA_DIR: join(installation.settings.DATA_DIR ?? "", "new") })
    assert.deepStrictEqual([code, summary], [0, ["ok settings", "ok DATA_DIR", "ok disk", "ok git", "warn database"]])
  })

  it("tells which stream is parked and why, and that the log was cut", async () => {
    await installation.sql(
      `insert into chronoforge.parked_streams (read_model, generation, stream, revision, position, event_id, type, error, code_version)
       values ('users', 'live', 'user-7', 3, 1, gen_random_uuid(), 'UserRenamed', 'no such user', '0.1.0')`
    )
    await installation.sql("update chronoforge.read_models set position = position + 10 where name = 'tokens'")
    const { code, lines } = await findings()
    const failed = lines.filter(({ status }) => status === "fail").map(({ detail, name }) => [name, detail])
    assert.deepStrictEqual(
      [code, failed],
      [
        1,
        [
          ["read model tokens", "10 ahead of the log, which was cut"],
          ["read model users", "user-7 is parked at revision 3 (UserRenamed, version 0.1.0): no such user"]
        ]
      ]
    )
  })

  it("tells which projects have no repository, and which repositories no project", async () => {
    const folder = join(installation.settings.DATA_DIR ?? "", "repositories")
    for (const name of ["one", "two"]) await installation.request("POST", "/projects", { json: { name } })
    await rm(join(folder, "02", "2.git"), { recursive: true })
    await mkdir(join(folder, "4d", "77.git"), { recursive: true })
    const { code, lines } = await findings()
    const of = lines.filter(({ name }) => name === "repositories").map(({ detail, status }) => [status, detail])
    assert.deepStrictEqual(
      [code, of],
      [
        1,
        [
          ["fail", "projects without one: 2"],
          ["warn", "of no project: 77"]
        ]
      ]
    )
    await rm(join(folder, "4d"), { recursive: true })
  })

  it("tells that SECRET_KEY does not fit", async () => {
    await installation.sql(`insert into chronoforge.data_keys values ('cluster-1', '\\x00')`)
    const { lines } = await findings()
    assert.deepStrictEqual(
      lines.find(({ name }) => name === "SECRET_KEY"),
      {
        name: "SECRET_KEY",
        status: "fail",
        detail: "does not fit 1 of 1 stored keys, whose secrets read as absent",
        remedy: "restore the key that they were made with"
      }
    )
  })
})
