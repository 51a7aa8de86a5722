import { execFile } from "node:child_process"
import { mkdir, rm, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { Effect, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { contributorFiles } from "#src/git/contributors/cache.ts"
import { noteExceeded } from "#src/git/maintenance/exceededNote.ts"
import { gitFixture } from "#test/support/git/gitFixtures.ts"
import { chronoforge } from "./chronoforge.ts"
import { useInstallation } from "./useInstallation.ts"

const installation = useInstallation()
const idOf = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int }))

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
      "ok processes",
      "ok database",
      "ok migrations",
      "ok event store",
      "ok read model users",
      "ok search",
      "ok repositories",
      "ok background work",
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
    assert.deepStrictEqual(
      [code, summary],
      [0, ["ok settings", "ok DATA_DIR", "ok disk", "ok git", "ok processes", "warn database"]]
    )
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

  it("tells that texts are searched one by one", async () => {
    const search = async () => {
      const { code, lines } = await findings()
      return [code, ...lines.filter(({ name }) => name === "search").map(({ detail, status }) => `${status}: ${detail}`)]
    }
    await installation.sql("update chronoforge.read_models set position = position - 10 where name = 'tokens'")
    await installation.sql("delete from chronoforge.parked_streams")
    await installation.sql("drop index rm_issues.texts_search_text_idx")
    assert.deepStrictEqual(await search(), [0, "warn: the indexes of titles and descriptions are missing"])
    await installation.sql("drop extension pg_trgm cascade")
    const detail = "pg_trgm is missing, so that all titles and descriptions are searched one by one"
    assert.deepStrictEqual(await search(), [0, `warn: ${detail}`])
  })

  it("tells which projects have no repository, and which repositories no project", async () => {
    const folder = join(installation.settings.DATA_DIR ?? "", "repositories")
    for (const name of ["one", "two"]) await installation.request("POST", "/projects", { json: { name } })
    await rm(join(folder, "02", "2.git"), { recursive: true })
    await mkdir(join(folder, "4d", "77.git"), { recursive: true })
    await installation.request("POST", "/projects", { json: { name: "three" } })
    await installation.request("DELETE", "/projects/3")
    await mkdir(join(folder, "03", "3.git"), { recursive: true })
    const { code, lines } = await findings()
    const of = lines.filter(({ name }) => name === "repositories").map(({ detail, status }) => [status, detail])
    assert.deepStrictEqual(
      [code, of],
      [
        1,
        [
          ["fail", "projects without one: 2"],
          ["warn", "of no project: 77"],
          ["warn", "of deleted projects: 3"]
        ]
      ]
    )
    for (const left of ["4d", "03"]) await rm(join(folder, left), { recursive: true })
  })

  it("names the files of repositories that are damaged, missing or left", async () => {
    const repositories = join(installation.settings.DATA_DIR ?? "", "repositories")
    const names = ["empty-head", "no-object", "no-ref", "locked"]
    const made = []
    for (const name of names) {
      // Nobody pushes to the locked one: maintenance after a push would remove the lock.
      const json = { name, initialize_with_readme: name !== "locked" }
      made.push(await installation.request("POST", "/projects", { json }))
    }
    const folders = made.map(({ body }) => join(repositories, `0${idOf(body).id}`, `${idOf(body).id}.git`))
    const [emptyHead = "", noObject = "", noRef = "", locked = ""] = folders
    await writeFile(join(emptyHead, "HEAD"), "")
    const { stdout } = await promisify(execFile)("git", ["-C", noObject, "rev-parse", "HEAD:README.md"])
    const object = `objects/${stdout.slice(0, 2)}/${stdout.slice(2).trim()}`
    await rm(join(noObject, object))
    await rm(join(noRef, "refs/heads/main"))
    const lock = join(locked, "packed-refs.lock")
    await writeFile(lock, "")
    await utimes(lock, 0, 0)
    const { lines } = await findings()
    const of = lines.filter(({ detail, name }) => name === "repositories" && detail.includes("/"))
    assert.deepStrictEqual(
      of.map(({ detail, status }) => [status, detail]),
      [
        ["fail", `${emptyHead}/HEAD is empty`],
        ["warn", `${lock} was left by a killed process`],
        ["fail", `${noObject}/${object} is missing`],
        ["fail", `${noRef}/refs/heads/main is missing, but is in the log`]
      ]
    )
  })

  it("tells in which repositories work came to limits, as long as it would again", async () => {
    const folder = join(installation.settings.DATA_DIR ?? "", "repositories")
    /** With a commit that no push brought: nothing maintains it meanwhile. */
    const make = async (name: string) => {
      const { body } = await installation.request("POST", "/projects", { json: { name } })
      const { id } = idOf(body)
      const repository = { path: join(folder, id.toString(16).padStart(2, "0"), `${id}.git`) }
      const { commits } = gitFixture(repository)
      return { repository, commit: commits([{ mark: "first", ref: "refs/heads/main", files: { a: name } }]).first }
    }
    const made = []
    for (const name of ["a", "b", "c", "d", "e", "f"]) made.push(await make(name))
    const [a, b, c, d, e, f] = made
    if (!(a && b && c && d && e && f)) throw new Error("They were made")
    const count = { exceeded: "memory", memory: 768 * 1024 * 1024, cpu: 3600, wall: 3600 } as const
    const noteCount = ({ commit, repository }: typeof a) =>
      Effect.runPromise(contributorFiles.putExceeded(repository, commit, count))
    const told = async (env: Readonly<Record<string, string>> = {}) => {
      const { lines } = await findings(env)
      return lines.filter(({ name }) => name === "background work").map(({ detail, status }) => [status, detail])
    }
    const ofCount = "counting them needs more than 768 MiB of memory"
    await noteCount(a)
    await noteCount({ ...c, commit: "0".repeat(40) })
    assert.deepStrictEqual(await told(), [["warn", `came to limits in 1: ${a.repository.path} (${ofCount})`]])
    assert.deepStrictEqual(await told({ BULK_LIMITS: "memory=769" }), [["ok", "none came to a limit"]])
    await noteCount(b)
    for (const { repository } of [b, c, d, e, f]) await Effect.runPromise(noteExceeded(repository, "time"))
    const ofMaintenance = "maintenance exceeded its limit of time"
    const listed = [
      `${a.repository.path} (${ofCount})`,
      `${b.repository.path} (${ofMaintenance}; ${ofCount})`,
      ...[c, d, e].map(({ repository }) => `${repository.path} (${ofMaintenance})`)
    ]
    assert.deepStrictEqual(await told(), [["warn", `came to limits in 6: ${listed.join(", ")}, and 1 more`]])
  })

  it("connects with a password of any characters that stands apart from the URL", async () => {
    const PGPASSWORD = `p@s:s/w?o#r%d$ "\\+&`
    await installation.sql("drop role if exists odd")
    await installation.sql(`create role odd login password '${PGPASSWORD}'`)
    const url = new URL(installation.settings.DATABASE_URL ?? "")
    const { lines } = await findings({ DATABASE_URL: `postgres://odd@${url.host}${url.pathname}`, PGPASSWORD })
    await installation.sql("drop role odd")
    assert.deepStrictEqual(
      lines.filter(({ name }) => name === "database").map(({ status }) => status),
      ["ok"]
    )
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
