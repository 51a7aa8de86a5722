import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { ask, freshDatabase } from "#test/support/database.ts"
import { gitClient } from "#test/support/git/gitClient.ts"
import { type GitWrapper, gitWrapper } from "#test/support/processes/gitWrapper.ts"
import { type ListingWitness, listingWitness } from "#test/support/processes/listingWitness.ts"
import { type ServeProcess, serveProcess } from "#test/support/processes/serveProcess.ts"
import { rootToken } from "#test/support/service.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { until } from "#test/support/until.ts"

const folder = temporaryFolder()
const scope = Scope.makeUnsafe()
let databaseUrl = ""
let git: GitWrapper
let service: ServeProcess
let witness: ListingWitness
let count = 0

const sql = (statement: string) => Effect.runPromise(ask(databaseUrl, statement))
const start = async () => {
  service = await serveProcess({ DATABASE_URL: databaseUrl, DATA_DIR: join(folder(), "data"), PATH: git.path }, witness.command)
}
const restart = async () => {
  await service.end("SIGKILL")
  await start()
}

beforeAll(async () => {
  databaseUrl = await Effect.runPromise(Scope.provide(freshDatabase(), scope))
  git = gitWrapper(join(folder(), "bin"))
  witness = listingWitness(folder())
  await start()
})
afterAll(async () => {
  await service.end("SIGTERM")
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

const newProject = async (): Promise<number> => {
  const { body } = await service.request("POST", "/projects", { json: { name: `project-${++count}` } })
  return Number(typeof body === "object" && body !== null && "id" in body ? body.id : Number.NaN)
}
const pathOf = (id: number) => join(folder(), "data/repositories", id.toString(16).padStart(2, "0"), `${id}.git`)
const tasks = async (id: number) =>
  (await sql(`select task from chronoforge.repository_tasks where project_id = ${id} order by task`)).flat()
const recorded = (id: number) => sql(`select ref, id from rm_pushes.refs where project_id = ${id} order by ref`)
const real = (id: number) =>
  execFileSync("git", [`--git-dir=${pathOf(id)}`, "for-each-ref", "--format=%(refname) %(objectname)"], { encoding: "utf8" })
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split(" "))
const shown = async (id: number) => (await service.request("GET", `/projects/${id}`)).body

const readme = { branch: "main", content: "# Demo\n", commit_message: "Begin" }
const write = (id: number) => service.request("POST", `/projects/${id}/repository/files/README.md`, { json: readme })

describe("a service that is killed while it writes to a repository", () => {
  let id = 0
  beforeEach(async () => {
    id = await newProject()
  })
  const filled = { default_branch: "main", empty_repo: false, readme_url: expect.stringContaining("README.md") }
  const isSettled = async () => !(await tasks(id)).includes("record")
  /** Has git move the refs, which is then where the service can be killed. */
  const keepReflogs = () => mkdirSync(join(pathOf(id), "logs"))

  it("between the note and the move has nothing to record, and the write can be repeated", async () => {
    keepReflogs()
    git.killAt("before", "update-ref")
    await expect(write(id)).rejects.toThrow()
    expect(await tasks(id)).toEqual(["maintain", "record"])
    await start()
    await until(isSettled)
    expect([real(id), await recorded(id)]).toEqual([[], []])
    expect(await shown(id)).toMatchObject({ empty_repo: true, readme_url: null })
    expect((await write(id)).status).toBe(201)
    expect(await shown(id)).toMatchObject(filled)
  })

  it("between the move and the record records it after the start", async () => {
    keepReflogs()
    git.killAt("after", "update-ref")
    await expect(write(id)).rejects.toThrow()
    expect([real(id).length, await recorded(id), await tasks(id)]).toEqual([1, [], ["maintain", "record"]])
    await start()
    await until(isSettled)
    expect(await recorded(id)).toEqual(real(id))
    expect(await shown(id)).toMatchObject(filled)
  })

  /** Kills the service while the database is at what the trigger stands for: `insert on chronoforge.events ... when (...)`. */
  const killDuring = async (statement: string, use: () => Promise<unknown>) => {
    const sleeping = "from pg_stat_activity where wait_event = 'PgSleep'"
    await sql(`create function chronoforge.stall() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return null; end $$;
      create trigger stall before ${statement} execute function chronoforge.stall()`)
    const used = use().catch(() => undefined)
    await until(async () => (await sql(`select ${sleeping}`)).length > 0)
    await service.end("SIGKILL")
    await used
    await sql(`select pg_terminate_backend(pid) ${sleeping}`)
    await sql("drop function chronoforge.stall cascade")
  }
  const record = "insert on chronoforge.events for each row when (new.type = 'RefsUpdated')"
  const end = "delete on chronoforge.repository_tasks for each row when (old.task = 'record')"

  it("between the record and its end finds nothing left to record", async () => {
    await killDuring(end, () => write(id))
    expect(await tasks(id)).toEqual(["maintain", "record"])
    const events = `select count(*) from chronoforge.events where stream = 'repository-${id}'`
    const before = await sql(events)
    await start()
    await until(isSettled)
    expect([await recorded(id), await sql(events)]).toEqual([real(id), before])
    expect(await shown(id)).toMatchObject(filled)
  })

  it("between the moves of a push and their record records them after the start", async () => {
    const work = join(folder(), `work-${id}`)
    await gitClient(folder(), ["init", "-q", "-b", "main", work])
    await gitClient(work, ["commit", "-q", "--allow-empty", "-m", "Begin"])
    const url = `http://root:${rootToken}@${new URL(service.url).host}/root/project-${id}.git`
    await killDuring(record, () => gitClient(work, ["push", "-q", url, "main"]))
    expect([real(id).length, await recorded(id), await tasks(id)]).toEqual([1, [], ["maintain", "record"]])
    await start()
    await until(isSettled)
    expect(await recorded(id)).toEqual(real(id))
    expect(await shown(id)).toMatchObject({ ...filled, readme_url: null })
  })

  it("between the new default branch and HEAD lets HEAD follow after the start", async () => {
    await write(id)
    await service.request("POST", `/projects/${id}/repository/branches`, { query: { branch: "next", ref: "main" } })
    git.killAt("before", "symbolic-ref")
    await expect(service.request("PUT", `/projects/${id}`, { json: { default_branch: "next" } })).rejects.toThrow()
    await start()
    await until(isSettled)
    const head = execFileSync("git", [`--git-dir=${pathOf(id)}`, "symbolic-ref", "HEAD"], { encoding: "utf8" })
    expect([head, await shown(id)]).toEqual(["refs/heads/next\n", expect.objectContaining({ default_branch: "next" })])
  })

  it("between a fork and its record records it after the start", async () => {
    await write(id)
    const names = { name: `fork-${id}`, path: `fork-${id}` }
    await killDuring(record, () => service.request("POST", `/projects/${id}/fork`, { json: names }))
    const fork = ++count
    expect([real(fork).length, await recorded(fork), await tasks(fork)]).toEqual([1, [], ["maintain", "record"]])
    await start()
    await until(async () => !(await tasks(fork)).includes("record"))
    expect(await recorded(fork)).toEqual(real(fork))
  })

  const drafts = () => readdirSync(join(folder(), "data/repositories/drafts"))

  it("while it fills a fork has the draft removed by a start, an hour later", async () => {
    await write(id)
    git.killAt("before", "pack-objects")
    const names = { name: `draft-${id}`, path: `draft-${id}` }
    await expect(service.request("POST", `/projects/${id}/fork`, { json: names })).rejects.toThrow()
    count++
    await start()
    const [draft = "none", ...others] = drafts()
    expect([draft.replace(/\.git\..*/, ""), others]).toEqual([String(count), []])
    const anHourAgo = new Date(Date.now() - 3_601_000)
    utimesSync(join(folder(), "data/repositories/drafts", draft), anHourAgo, anHourAgo)
    await restart()
    await until(() => Promise.resolve(drafts().length === 0))
  })

  const remove = () => service.request("DELETE", `/projects/${id}`)
  const appended = (type: string) => `insert on chronoforge.events for each row when (new.type = '${type}')`

  it("before it deletes a project keeps that with its repository", async () => {
    await killDuring(appended("ProjectDeleted"), remove)
    expect([await tasks(id), existsSync(pathOf(id))]).toEqual([["remove"], true])
    await start()
    await sql("update chronoforge.repository_tasks set due_at = now() where task = 'remove'")
    await restart()
    await until(async () => (await tasks(id)).length === 0)
    expect([await shown(id), existsSync(pathOf(id))]).toEqual([expect.objectContaining({ id }), true])
  })

  it("between the deletion of a project and that of its repository removes the repository after the start", async () => {
    await killDuring(appended("NameReleased"), remove)
    expect([await tasks(id), existsSync(pathOf(id))]).toEqual([["remove"], true])
    await start()
    await until(async () => (await tasks(id)).length === 0)
    expect([existsSync(pathOf(id)), (await service.request("GET", `/projects/${id}`)).status]).toEqual([false, 404])
  })

  it("between the deletion of a repository and its end has nothing left to do", async () => {
    await killDuring("delete on chronoforge.repository_tasks for each row when (old.task = 'remove')", remove)
    expect([await tasks(id), existsSync(pathOf(id))]).toEqual([["remove"], false])
    await start()
    await until(async () => (await tasks(id)).length === 0)
  })
})

/** Holds while a push is left that pipelines have not reacted to: a start goes on with it. */
const unseen = `select from chronoforge.reactions where name = 'pipelines'
  and position < (select max(position) from chronoforge.events where type = 'RefsUpdated')`

it("a start does what is due, and neither starts a process for any other repository nor lists the folders of them", async () => {
  const due = await newProject()
  for (let index = 0; index < 20; index++) await newProject()
  await write(due)
  await write(due + 1)
  await until(async () => (await sql(unseen)).length === 0)
  await sql(`delete from chronoforge.repository_tasks where project_id <> ${due}`)
  await sql("update chronoforge.repository_tasks set due_at = now()")
  const [before, listed] = [git.started().length, witness.listed().length]
  await restart()
  await until(async () => (await sql("select from chronoforge.repository_tasks")).length === 0)
  const others = git
    .started()
    .slice(before)
    .filter((line) => !line.includes(pathOf(due)))
  expect(others).toEqual(["--version"])
  const folders = witness
    .listed()
    .slice(listed)
    .filter((path) => path.includes("/repositories") && !path.includes(pathOf(due)))
  expect(folders).toEqual([join(folder(), "data/repositories/drafts")])
})
