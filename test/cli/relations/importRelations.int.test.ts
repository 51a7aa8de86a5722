import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { gzipSync } from "node:zlib"
import { pack } from "tar-stream"
import { beforeAll, describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { until } from "#test/support/until.ts"
import { chronoforge, start } from "../chronoforge.ts"
import { addRepository, issueLine, labelLine, linesOf, requestLine, times } from "./exportFiles.ts"
import { useImports } from "./useImports.ts"

const { folder, installation, read, request, run, statusOf, write } = useImports()

let adaId = 0

beforeAll(async () => {
  const json = { username: "ada", name: "Ada", email: "ada@example.com", force_random_password: true }
  adaId = Number(field((await request("POST", "/users", { json })).body, "id"))
})

describe("import-relations", () => {
  it("makes a project in the names of those who are known, and says who is not", async () => {
    const assigned = { issue_assignees: [{ user_id: 7 }, { user_id: 9 }] }
    const path = await write("known", {
      "labels.ndjson.gz": linesOf([labelLine("bug")]),
      "issues.1.ndjson.gz": linesOf([issueLine(4, assigned)]),
      "issues.2.ndjson.gz": linesOf([issueLine(9, { state: "closed", closed_by_id: 8 })]),
      "merge_requests.ndjson.gz": linesOf([requestLine(1, { merge_request_reviewers: [{ user_id: 7, created_at: null }] })]),
      "self.json.gz": JSON.stringify({ description: "Brought", visibility_level: 20, archived: true })
    })
    const users = join(folder(), "users.txt")
    await writeFile(users, "7 ada\n\n 9  1 \n")
    const { code, stderr, stdout } = await run(path, "team/known", "--users", users)
    expect([code, stdout]).toEqual([0, "Imported 1 label, 2 issues, 1 merge request into team/known\n"])
    expect(stderr).toContain("Users 8 of the export are not known here: what they did is told of root\n")
    const project = await read("/projects/team%2Fknown")
    const names = ["description", "visibility", "archived", "import_status", "creator_id"]
    expect(names.map((name) => field(project, name))).toEqual(["Brought", "private", true, "finished", 1])
    const issues = [await read("/projects/team%2Fknown/issues?sort=asc&scope=all")].flat()
    expect(
      issues.map((issue) => [
        ...[field(issue, "iid"), field(issue, "created_at"), field(field(issue, "author"), "id")],
        ...[[field(issue, "assignees")].flat().map((assignee) => field(assignee, "id")), field(issue, "state")],
        field(field(issue, "closed_by"), "id")
      ])
    ).toEqual([
      [4, "2024-08-15T11:25:20.423Z", adaId, [adaId, 1], "opened", undefined],
      [9, "2024-08-15T11:25:20.423Z", adaId, [], "closed", 1]
    ])
  })

  it("is told in the history with the times of then, by whom and on whose behalf", async () => {
    const { stdout } = await installation.run("history", "merge-request", "team/known!1")
    const lines = stdout.split("\n").filter((line) => line.startsWith("2"))
    expect(lines.map((line) => line.replace(/imported .*$/, "imported NOW"))).toEqual([
      "2024-08-15T11:25:20.423Z  0  MergeRequestOpened  user:2 @ada on behalf of user:1 @root  imported NOW",
      "2024-08-15T11:25:20.423Z  1  MergeRequestPrepared  user:2 @ada on behalf of user:1 @root  imported NOW",
      "2024-08-15T11:25:20.423Z  2  MergeRequestClosed  user:1 @root on behalf of user:1 @root  imported NOW"
    ])
  })

  it("nobody reacts to it", async () => {
    const merged = { state: "merged", merge_commit_sha: null, description: "Closes #1" }
    const open = { state: "opened", merge_status: "unchecked", merge_request_assignees: [{ user_id: 1, created_at: null }] }
    const path = await write("quiet", {
      "issues.ndjson.gz": linesOf([issueLine(1), issueLine(2)]),
      "merge_requests.ndjson.gz": linesOf([
        requestLine(1, { ...open, source_branch: "topic", description: "Closes #2" }),
        requestLine(2, merged),
        requestLine(3, { ...open, source_branch: "never-there" })
      ]),
      "boards.ndjson.gz": linesOf([{ name: "Board" }])
    })
    const config = { ".gitlab-ci.yml": "build:\n  script: make\n" }
    const commits = await addRepository(path, { main: config, topic: { "topic.txt": "topic\n" } })
    const { code, stderr } = await run(path, "team/quiet", "--same-users")
    expect([code, stderr]).toEqual([0, expect.stringContaining("Nothing is made of boards\n")])
    // What comes later in the log is reacted to later.
    const project = field(await read("/projects/team%2Fquiet"), "id")
    await request("POST", `/projects/${project}/members`, { json: { user_id: adaId, access_level: 30 } })
    const actions = [{ action: "create", file_path: "later", content: "later" }]
    const commit = { branch: "later", start_branch: "main", commit_message: "Later", actions }
    await request("POST", `/projects/${project}/repository/commits`, { json: commit })
    const json = { title: "Later", source_branch: "later", target_branch: "main", assignee_id: adaId }
    await request("POST", `/projects/${project}/merge_requests`, { json })
    const rows = async (columns: string, table: string) => await installation.sql(`select ${columns} from ${table} order by 1`)
    const ofProject = `where project_id = ${project}`
    await until(async () => (await rows("user_id", "rm_todos.todos")).length > 0)
    await until(async () => (await rows("id", `rm_pipelines.pipelines ${ofProject}`)).length > 0)
    const checked = `rm_merge_requests.merge_requests ${ofProject} and is_outdated and state = 'opened'`
    await until(async () => (await rows("iid", checked)).length === 0)
    expect(await rows("user_id", "rm_todos.todos")).toEqual([[adaId]])
    const built = await rows("sha", `rm_pipelines.pipelines ${ofProject}`)
    expect(built.filter(([sha]) => commits.includes(String(sha)))).toEqual([])
    expect(await rows("iid, state", `rm_issues.issues ${ofProject}`)).toEqual([
      [1, "opened"],
      [2, "opened"]
    ])
    expect(await rows("iid, state, verdict", `rm_merge_requests.merge_requests ${ofProject}`)).toEqual([
      [1, "opened", "mergeable"],
      [2, "merged", null],
      [3, "opened", "branch_missing"],
      [4, "opened", "mergeable"]
    ])
    const closed = async () => [await read(`/projects/${project}/merge_requests/1/closes_issues`)].flat()
    // Its first version asks anew.
    await until(async () => (await closed()).length > 0)
    expect((await closed()).map((issue) => field(issue, "iid"))).toEqual([2])
  })

  it("open merge requests close issues that their authors do not see yet, but none of other projects", async () => {
    const path = join(folder(), "closing")
    const [base, head] = await addRepository(path, { main: { "a.txt": "a\n" }, topic: { "topic.txt": "topic\n" } })
    const commits = { base_commit_sha: base, start_commit_sha: base, head_commit_sha: head }
    const open = { state: "opened", source_branch: "topic", description: "Closes #2, closes team/known#4" }
    const diff = { merge_request_diff: { created_at: times.created_at, ...commits, real_size: "1" }, diff_head_sha: head }
    await write("closing", {
      "issues.ndjson.gz": linesOf([issueLine(1), issueLine(2)]),
      "merge_requests.ndjson.gz": linesOf([requestLine(1, { ...open, ...diff })])
    })
    const users = join(folder(), "closing.txt")
    await writeFile(users, "7 ada\n")
    expect((await run(path, "team/closing", "--users", users)).code).toBe(0)
    const project = field(await read("/projects/team%2Fclosing"), "id")
    const closed = [await read(`/projects/${project}/merge_requests/1/closes_issues`)].flat()
    expect(closed.map((issue) => [field(issue, "project_id"), field(issue, "iid")])).toEqual([[project, 2]])
  })

  it("comes back by a rebuild as it was", async () => {
    const shown = async () => [
      await read("/projects/team%2Fknown/issues?scope=all"),
      await read("/projects/team%2Fknown/merge_requests?scope=all"),
      await read("/projects/team%2Fknown/merge_requests/1/notes")
    ]
    const before = await shown()
    expect((await installation.run("rebuild")).code).toBe(0)
    expect(await shown()).toEqual(before)
    expect((await installation.run("verify")).code).toBe(0)
  })
})

/** All that is read of the changes of a merge request, with what its last version and its own attributes say. */
const readsOf = async (project: unknown, iid: number) => {
  const base = `/projects/${project}/merge_requests/${iid}`
  const paths = ["commits", "diffs", "raw_diffs", "versions", "changes?access_raw_diffs=true", "pipelines", "context_commits"]
  const more = ["closes_issues", "participants", "approvals", "changes"]
  const statuses = await Promise.all([...paths, ...more].map(async (path) => [path, await statusOf(`${base}/${path}`)]))
  const lists = await Promise.all(["commits", "diffs", "versions"].map((path) => read(`${base}/${path}`)))
  const whole = "include_diverged_commits_count=true&include_rebase_in_progress=true&render_html=true"
  const { body, status } = await request("GET", `${base}?${whole}`)
  return {
    failed: statuses.filter(([, answer]) => answer !== 200),
    lists,
    changes: field(await read(`${base}/changes`), "changes"),
    status,
    shown: ["state", "sha", "detailed_merge_status"].map((name) => field(body, name))
  }
}

describe("merge requests of whose commits the repository lacks some", () => {
  const [head, base] = ["a".repeat(40), "b".repeat(40)]
  const diff = {
    created_at: times.created_at,
    base_commit_sha: base,
    head_commit_sha: head,
    start_commit_sha: base,
    real_size: "1"
  }
  const of = (iid: number, more: object = {}) => requestLine(iid, { merge_request_diff: diff, diff_head_sha: head, ...more })
  const open = { state: "opened", merge_status: "can_be_merged", description: "Closes #1" }
  const nothing = { failed: [], lists: [[], [], []], changes: [], status: 200 }
  const lines = linesOf([
    of(1),
    of(2, { state: "merged", merge_commit_sha: "c".repeat(40) }),
    of(3, { ...open, source_branch: "topic" }),
    of(4, { ...open, source_branch: "never-there" })
  ])
  const told = "Without their changes, because the repository lacks commits of them: !1, !2, !3, !4\n"
  const imported = async (path: string, name: string) => {
    const { code, stderr } = await run(path, `team/${name}`, "--same-users")
    expect([code, stderr]).toEqual([0, expect.stringContaining(told)])
    const project = field(await read(`/projects/team%2F${name}`), "id")
    const outdated = `rm_merge_requests.merge_requests where project_id = ${project} and is_outdated and state = 'opened'`
    await until(async () => (await installation.sql(`select iid from ${outdated}`)).length === 0)
    return project
  }

  it("come without their versions, so that nothing is shown of them, and the open ones are brought up to their branches", async () => {
    const path = await write("lacking", { "issues.ndjson.gz": linesOf([issueLine(1)]), "merge_requests.ndjson.gz": lines })
    const [, topic] = await addRepository(path, { main: { "a.txt": "a\n" }, topic: { "topic.txt": "topic\n" } })
    const project = await imported(path, "lacking")
    expect(await readsOf(project, 1)).toEqual({ ...nothing, shown: ["closed", head, "not_open"] })
    expect(await readsOf(project, 2)).toEqual({ ...nothing, shown: ["merged", head, "not_open"] })
    expect(await readsOf(project, 3)).toMatchObject({ failed: [], status: 200, shown: ["opened", topic, "mergeable"] })
    expect(await readsOf(project, 4)).toEqual({ ...nothing, shown: ["opened", head, "commits_status"] })
  })

  it("come where there is no repository, or none with a bundle", async () => {
    const path = await write("without", { "issues.ndjson.gz": linesOf([issueLine(1)]), "merge_requests.ndjson.gz": lines })
    const without = await imported(path, "without")
    const tar = pack()
    tar.finalize()
    await writeFile(join(path, "repository.tar.gz"), gzipSync(await buffer(tar)))
    for (const project of [without, await imported(path, "empty")])
      for (const iid of [1, 2, 3, 4]) expect(await readsOf(project, iid)).toMatchObject(nothing)
  })
})

it("what the read models do not show of the import is told, and nothing else", async () => {
  const path = await write("parked", { "issues.ndjson.gz": linesOf([issueLine(1)]) })
  const [[last, end] = []] = await installation.sql(
    "select (select last_value from chronoforge.project_ids), (select max(position) from chronoforge.events)"
  )
  const project = Number(last) + 1
  // Of the rows that have a position among those of the import, one has a stream of it.
  const parked = (stream: string, position: number) =>
    `('other', 'live', '${stream}', 0, ${position}, gen_random_uuid(), 'A', 'wrong', '1')`
  const during = Number(end) + 3
  const rows = [parked(`issue-${project}-1`, during), parked(`issue-${project}-2`, during), parked(`pipeline-${project}`, 1)]
  const columns = "read_model, generation, stream, revision, position, event_id, type, error, code_version"
  await installation.sql(`insert into chronoforge.parked_streams (${columns}) values ${rows.join()}`)
  const { code, stderr } = await run(path, "team/parked")
  await installation.sql("delete from chronoforge.parked_streams where read_model = 'other'")
  expect([code, field(await read("/projects/team%2Fparked"), "id")]).toEqual([0, project])
  expect(stderr).toContain(`Not shown, because of what they hold: issue-${project}-1\n`)
})

describe("what cannot be done", () => {
  const right = () => write("right", { "labels.ndjson.gz": linesOf([labelLine("a")]) })

  it("is to take the place of a project", async () => {
    const { code, stderr, stdout } = await run(await right(), "team/known")
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining("Something else in team is called known")])
  })

  it("is to read what is no export: nothing is made", async () => {
    const path = await write("broken", { "issues.ndjson.gz": linesOf([{ ...issueLine(1), iid: "two" }]) })
    const { code, stderr, stdout } = await run(path, "team/broken")
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining("issues.ndjson.gz, line 1: ")])
    expect(await statusOf("/projects/team%2Fbroken")).toBe(404)
  })

  it("is to bring a repository that is none: nothing stays", async () => {
    const path = await write("no repository", { "labels.ndjson.gz": "", "repository.tar.gz": "no tar" })
    const { code, stderr, stdout } = await run(path, "team/broken")
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining("repository.tar.gz cannot be read: ")])
    expect(await statusOf("/projects/team%2Fbroken")).toBe(404)
  })

  it.each<[reason: string, bytes: number, limit: string]>([
    ["The repository is larger than the 1 MiB that an import may take", 2 ** 21, "1"],
    ["There is no space left for the repository", 2 ** 60, "0"]
  ])("is to unpack a repository that is too large: %s", async (reason, bytes, limit) => {
    const path = await write("large repository", { "labels.ndjson.gz": "" })
    const tar = pack()
    tar.entry({ name: "repository.bundle", size: bytes })
    const [head] = await once(tar, "data")
    await writeFile(join(path, "repository.tar.gz"), gzipSync(head))
    const settings = { ...installation.settings, IMPORT_SIZE_LIMIT: limit }
    const { code, stderr, stdout } = await chronoforge(["import-relations", path, "team/broken"], settings)
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining(`${reason}\n`)])
    expect(await statusOf("/projects/team%2Fbroken")).toBe(404)
  })

  it("is to know a user by a line that names none", async () => {
    const users = join(folder(), "wrong.txt")
    await writeFile(users, "ada 7\n")
    const { stderr } = await run(await right(), "team/new", "--users", users)
    expect(stderr).toContain("wrong.txt is no id and user: ada 7")
    await writeFile(users, "7 nobody\n")
    expect((await run(await right(), "team/new", "--users", users)).stderr).toContain("There is no user nobody")
  })
})

describe("an import that is cut short", () => {
  const many = async () => {
    const issues = Array.from({ length: 5_000 }, (_, index) => issueLine(index + 1))
    return await write("many", { "issues.ndjson.gz": linesOf(issues) })
  }
  const begun = async (name: string) => {
    const running = start(["import-relations", await many(), `team/${name}`], installation.settings)
    await until(async () =>
      [await read(`/projects/team%2F${name}/issues?per_page=1`)].flat().some((issue) => field(issue, "iid"))
    )
    return running
  }

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "by its user, or a terminal that closes, leaves nothing (%s)",
    async (signal) => {
      const running = await begun(`stopped-by-${signal}`)
      running.signal(signal)
      expect((await running.ended).code).toBe(130)
      await until(async () => (await statusOf(`/projects/team%2Fstopped-by-${signal}`)) === 404)
    }
  )

  it("by the deletion of its project says so; until then, what others make has numbers behind all that comes", async () => {
    const running = await begun("deleted")
    // It stands still meanwhile: it could be done before.
    running.signal("SIGSTOP")
    const { body } = await request("POST", "/projects/team%2Fdeleted/issues", { json: { title: "Meanwhile" } })
    expect(field(body, "iid")).toBe(5_001)
    expect((await request("DELETE", "/projects/team%2Fdeleted")).status).toBe(202)
    running.signal("SIGCONT")
    const { code, stderr, stdout } = await running.ended
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining("The project was deleted meanwhile")])
    expect(await statusOf("/projects/team%2Fdeleted")).toBe(404)
  })

  it("by a kill as soon as it says that it is done is whole", async () => {
    const count = 400
    const requests = Array.from({ length: count }, (_, index) =>
      requestLine(index + 1, { state: "opened", description: "Closes #1" })
    )
    const path = await write("whole", {
      "issues.ndjson.gz": linesOf([issueLine(1)]),
      "merge_requests.ndjson.gz": linesOf(requests)
    })
    const running = start(["import-relations", path, "team/whole"], installation.settings)
    const done = "rm_imports.imports i join rm_projects.projects p using (id) where p.path = 'whole' and i.status = 'finished'"
    await until(async () => (await installation.sql(`select p.id from ${done}`)).length > 0)
    running.signal("SIGKILL")
    await running.ended
    const closing =
      "select count(*)::int from rm_merge_requests.issues_to_close c join rm_projects.projects p on p.id = c.project_id"
    // Other read models may show it a little later.
    await until(async () => (await installation.sql(`${closing} where p.path = 'whole'`))[0]?.[0] === count)
  })

  it("by a kill leaves a project that says so, and can be deleted", async () => {
    const running = await begun("killed")
    running.signal("SIGKILL")
    await running.ended
    const status = async () => field(await read("/projects/team%2Fkilled"), "import_status")
    await until(async () => (await status()) === "failed")
    expect(field(await read("/projects/team%2Fkilled"), "import_error")).toBe(
      "The command that was importing ended before it was done"
    )
    const again = await run(await many(), "team/killed")
    const left = "team/killed is what an import has left that was ended before it was done: delete it first"
    expect([again.code, again.stdout, again.stderr]).toEqual([1, "", expect.stringContaining(left)])
    expect((await request("DELETE", "/projects/team%2Fkilled")).status).toBe(202)
    await until(async () => (await statusOf("/projects/team%2Fkilled")) === 404)
  })
})
