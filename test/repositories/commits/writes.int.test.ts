import { describe, expect, it } from "vitest"
import { expectExactly, field } from "#test/support/exactly.ts"
import { answerOf } from "#test/support/service.ts"
import { action, commitTo, idOf, useCommits } from "./useCommits.ts"

const { developer, filesAt, git, id, newBranch, newProject, newUser, post, service, show } = useCommits("writes")
const mayNotPush = [403, { message: "403 Forbidden - You are not allowed to push into this branch" }]

describe("create", () => {
  it("the first commit made the default branch, which is protected", async () => {
    expect((await service.request("GET", `/projects/${id()}`)).body).toMatchObject({ default_branch: "main", empty_repo: false })
    expect((await service.request("GET", `/projects/${id()}/repository/branches/main`)).body).toMatchObject({ protected: true })
  })

  it("applies every kind of action, one after the other, and answers the commit", async () => {
    await newBranch("kinds")
    const before = git("rev-parse", "kinds")
    await post(commitTo("kinds", action("create", "a", { content: "a\n" }), action("create", "b", { content: "b\n" })))
    const message = "Subject\n\nBody  \r\nwith trailing  spaces\t\n\nChangelog: added\n\n\n"
    const received = await post(
      {
        branch: "kinds",
        commit_message: message,
        actions: [
          action("update", "README.md", { content: "# Höy" }),
          action("move", "dir/c", { previous_path: "a" }),
          action("move", "dir/d", { previous_path: "b", content: "D" }),
          action("create", "bin", { content: Buffer.from([0, 255, 10]).toString("base64"), encoding: "base64" }),
          action("create", "gone", { content: "" }),
          action("delete", "gone"),
          action("chmod", "bin", { execute_filemode: true }),
          action("create", "run", { content: "x", execute_filemode: true })
        ]
      },
      { token: developer().token }
    )
    const [commit, parent] = [git("rev-parse", "kinds"), git("rev-parse", "kinds~1")]
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000\+00:00$/)
    expect(received.status).toBe(201)
    expectExactly(received.body, {
      id: commit,
      short_id: commit.slice(0, 8),
      created_at: at,
      parent_ids: [parent],
      title: "Subject",
      message,
      author_name: "Dév Eloper",
      author_email: "dev@example.com",
      authored_date: at,
      committer_name: "Dév Eloper",
      committer_email: "dev@example.com",
      committed_date: at,
      trailers: { Changelog: "added" },
      extended_trailers: { Changelog: ["added"] },
      web_url: `https://forge.example.com/root/writes/-/commit/${commit}`,
      stats: { additions: 3, deletions: 2, total: 5 },
      status: null,
      project_id: id(),
      last_pipeline: null
    })
    expect(git("rev-parse", "kinds~2")).toBe(before)
    expect(filesAt("kinds")).toEqual(["README.md", "bin", "dir/c", "dir/d", "run"])
    expect([show("kinds", "README.md"), show("kinds", "dir/c"), show("kinds", "dir/d")]).toEqual(["# Höy", "a", "D"])
    expect(git("ls-tree", "kinds", "bin", "run")).toMatch(/^100755 blob \w+\tbin\n100755 blob \w+\trun$/)
    expect(git("cat-file", "-s", "kinds:bin")).toBe("3")
    expect(git("cat-file", "commit", "kinds").split("\n\n").slice(1).join("\n\n")).toBe(message.replace(/\n$/, ""))
    git("fsck", "--strict")
  })

  it("takes forms, and authors", async () => {
    await newBranch("forms")
    const form: ReadonlyArray<readonly [string, string]> = [
      ["branch", "forms"],
      ["commit_message", "By form"],
      ["author_name", "Ada <x> \nLovelace"],
      ["author_email", "ada@example.com"],
      ["stats", "false"],
      ["actions[][action]", "create"],
      ["actions[][file_path]", "one"],
      ["actions[][content]", "1"],
      ["actions[][action]", "create"],
      ["actions[][file_path]", "two"],
      ["actions[][content]", "2"]
    ]
    const received = await service.request("POST", `/projects/${id()}/repository/commits`, { form })
    expect([received.status, received.body]).toMatchObject([
      201,
      { message: "By form", author_name: "Ada x Lovelace", author_email: "ada@example.com", committer_name: "Administrator" }
    ])
    expect(received.body).not.toHaveProperty("stats")
    expect(filesAt("forms")).toEqual(["README.md", "one", "two"])
    expect(
      git("cat-file", "commit", "forms")
        .split("\n")
        .filter((line) => line.startsWith("author"))
    ).toHaveLength(1)
  })

  it("uses the commit address of the caller", async () => {
    const { id: user, token } = await newUser("shy", { commit_email: "_private" })
    await service.request("POST", `/projects/${id()}/members`, { json: { user_id: user, access_level: 30 } })
    await newBranch("shy")
    await service.request("PUT", `/users/${user}`, { json: { commit_email: "_private" } })
    const received = await post(commitTo("shy", action("create", "x", { content: "" })), { token })
    expect(received.body).toMatchObject({ author_email: `${user}-shy@users.noreply.forge.example.com` })
  })

  it("begins new branches", async () => {
    const main = git("rev-parse", "main")
    const make = (more: object) => post({ ...commitTo("", action("create", "s", { content: "s" })), ...more })
    expect((await make({ branch: "from-branch", start_branch: "main" })).body).toMatchObject({ parent_ids: [main] })
    expect((await make({ branch: "from-sha", start_sha: main })).body).toMatchObject({ parent_ids: [main] })
    expect((await make({ branch: "main2", start_branch: "main2" })).body).toEqual({
      message: "You can only create or edit files when you are on a branch"
    })
    expect(answerOf(await make({ branch: "from-sha", start_branch: "main" }))).toEqual([
      400,
      { message: "A branch called 'from-sha' already exists. Switch to that branch in order to make changes" }
    ])
    const forced = await make({ branch: "from-sha", start_branch: "main", force: true, commit_message: "Again" })
    expect([forced.status, forced.body]).toMatchObject([201, { parent_ids: [main], message: "Again" }])
    expect(git("rev-list", "--count", "main..from-sha")).toBe("1")
  })

  it.each([
    ["no branch", { branch: "nothing" }, "You can only create or edit files when you are on a branch"],
    ["no start", { branch: "x", start_branch: "nothing" }, "You can only create or edit files when you are on a branch"],
    [
      "a tag for a start",
      { branch: "x", start_branch: "refs/heads/main" },
      "You can only create or edit files when you are on a branch"
    ],
    ["a short id", { branch: "x", start_sha: "abc123" }, "Invalid start_sha 'abc123'"],
    ["an unknown id", { branch: "x", start_sha: "0".repeat(40) }, `Cannot find start_sha '${"0".repeat(40)}'`],
    [
      "no name",
      { branch: "a..b", start_branch: "main" },
      "Something went wrong when we tried to create 'a..b' for you: Branch name is invalid"
    ],
    [
      "an option",
      { branch: "--all", start_branch: "main" },
      "Something went wrong when we tried to create '--all' for you: Branch name is invalid"
    ],
    [
      "a name below a branch",
      { branch: "main/x", start_branch: "main" },
      "Failed to create branch 'main/x': a branch above or below it exists"
    ]
  ])("refuses %s", async (_, more, message) => {
    expect(answerOf(await post({ ...commitTo("", action("create", "x", { content: "" })), ...more }))).toEqual([400, { message }])
  })

  it.each([
    ["a file that is there", action("create", "README.md", { content: "" }), "A file with this name already exists"],
    ["a file below a file", action("create", "README.md/x", { content: "" }), "A file with this name already exists"],
    ["a directory", action("create", "dir", { content: "" }), "A directory with this name already exists"],
    ["an update of nothing", action("update", "nothing", { content: "" }), "A file with this name doesn't exist"],
    ["a deletion of nothing", action("delete", "nothing"), "A file with this name doesn't exist"],
    ["a deletion of a directory", action("delete", "dir"), "A file with this name doesn't exist"],
    ["a move of nothing", action("move", "x", { previous_path: "nothing" }), "A file with this name doesn't exist"],
    ["a move onto a file", action("move", "dir/file", { previous_path: "README.md" }), "A file with this name already exists"],
    ["a mode of nothing", action("chmod", "nothing", { execute_filemode: true }), "A file with this name doesn't exist"],
    ["a way up", action("create", "a/../../x", { content: "" }), "Path cannot include directory traversal"],
    ["a way up of a move", action("move", "x", { previous_path: "../README.md" }), "Path cannot include directory traversal"],
    [".git", action("create", ".git/hooks/post-receive", { content: "" }), "invalid path: '.git/hooks/post-receive'"],
    [".GIT in disguise", action("create", "a/.g\u200cit/x", { content: "" }), "invalid path: 'a/.g\u200cit/x'"],
    ["an empty path", action("create", "//", { content: "" }), "invalid path: ''"],
    [
      "a path of 257 names",
      action("create", `${"d/".repeat(256)}x`, { content: "" }),
      `path ${"d/".repeat(100)}… has more than 256 names (limit MAX_TREE_DEPTH)`
    ]
  ])("refuses %s", async (_, refused, message) => {
    await newBranch("refusals")
    await post(commitTo("refusals", action("create", "dir/file", { content: "" })))
    const before = git("rev-parse", "refusals")
    const received = await post(commitTo("refusals", action("create", "ok", { content: "" }), refused))
    expect(answerOf(received)).toEqual([400, { message }])
    expect(git("rev-parse", "refusals")).toBe(before)
  })

  it.each([
    "a b/ü c",
    "-dash/--x",
    "new\nline",
    `quo"te's`,
    "star*[a]",
    ":(top)x",
    "back\\slash",
    "a%2Fb",
    "$(id)",
    "\u{1f680}",
    "tab\t"
  ])("writes the name %j", async (path) => {
    await newBranch("names")
    expect((await post(commitTo("names", action("create", path, { content: "n" })))).status).toBe(201)
    expect(git("ls-tree", "-r", "-z", "--name-only", "names").split("\0")).toContain(path)
  })

  it("does not count slashes too many", async () => {
    await newBranch("slashes")
    expect((await post(commitTo("slashes", action("create", "/a//b/./c", { content: "" })))).status).toBe(201)
    expect(filesAt("slashes")).toEqual(["README.md", "a/b/c"])
  })

  it("judges parameters first of all", async () => {
    const missing = "branch is missing, branch is empty, commit_message is missing, commit_message is empty, actions is missing"
    expect(answerOf(await post({}))).toEqual([400, { error: missing }])
    const of = (...actions: ReadonlyArray<unknown>) => post(commitTo("main", ...actions))
    expect(answerOf(await of({ action: "create" }))).toEqual([400, { error: "actions[0][file_path] is missing" }])
    expect(answerOf(await of(action("create", "x"), action("x", "y")))).toEqual([
      400,
      { error: "actions[1][action] does not have a valid value" }
    ])
    const before = git("rev-parse", "main")
    for (const blank of [null, "", " "]) {
      const answer = await of(action("create", "blank", { action: blank, content: "x" }))
      expect(answerOf(answer)).toEqual([400, { error: "actions[0][action] is empty" }])
    }
    expect(answerOf(await of({ file_path: "x" }))).toEqual([
      400,
      { error: "actions[0][action] is missing, actions[0][action] is empty" }
    ])
    expect(git("rev-parse", "main")).toBe(before)
    expect(answerOf(await of(action("update", "x"), action("move", "x"), action("chmod", "x")))).toEqual([
      400,
      { error: "actions[0][content] is missing, actions[1][previous_path] is missing, actions[2][execute_filemode] is missing" }
    ])
    expect(answerOf(await post({ ...commitTo("main"), start_branch: "a", start_sha: "b" }))).toEqual([
      400,
      { error: "start_branch, start_sha are mutually exclusive" }
    ])
    expect(answerOf(await post({ ...commitTo("main"), actions: "x" }))).toEqual([400, { error: "actions[0] is invalid" }])
    expect(answerOf(await of(action("create", "a\0b", { content: "" })))).toEqual([
      400,
      { error: "actions[0][file_path] is invalid" }
    ])
  })

  it("makes a commit without any action, and of one that changes nothing", async () => {
    await newBranch("still")
    const same = await post(commitTo("still", action("update", "README.md", { content: "# Hi\n" })))
    expect([same.status, same.body]).toMatchObject([201, { stats: { additions: 0, deletions: 0, total: 0 } }])
    const nothing = await post(commitTo("still"))
    expect(nothing.body).toMatchObject({ parent_ids: [idOf(same)] })
  })

  it("refuses what the caller has not seen", async () => {
    await newBranch("seen")
    const made = idOf(await post(commitTo("seen", action("create", "f", { content: "1" }))))
    const update = (last_commit_id: string, kind = "update") =>
      post(commitTo("seen", action(kind, "f", { content: "2", last_commit_id, execute_filemode: true })))
    const changed = [400, { message: "The file has changed since you started editing it: f" }]
    expect(answerOf(await update(git("rev-parse", "main")))).toEqual(changed)
    expect(answerOf(await update("nonsense", "delete"))).toEqual(changed)
    expect((await update(made)).status).toBe(201)
    expect(answerOf(await update(made, "chmod"))).toEqual(changed)
  })

  it("of many at the same moment all land, one after the other", async () => {
    await newBranch("raced")
    const before = git("rev-parse", "raced")
    const committing = Array.from({ length: 4 }, async (_, caller) => {
      const made: Array<string> = []
      for (let index = 0; index < 5; index++) {
        made.push(idOf(await post(commitTo("raced", action("create", `file-${caller}-${index}`, { content: `${caller}` })))))
      }
      return made
    })
    const made = (await Promise.all(committing)).flat()
    expect(git("rev-list", `${before}..raced`).split("\n").toSorted()).toEqual(made.toSorted())
    expect(git("ls-tree", "--name-only", "raced").split("\n")).toHaveLength(
      20 + Number(git("ls-tree", before).split("\n").length)
    )
  })

  it("of many who know the same last commit of a file, one lands", async () => {
    await newBranch("known")
    const last_commit_id = idOf(await post(commitTo("known", action("create", "f", { content: "1" }))))
    const update = (content: string) => post(commitTo("known", action("update", "f", { content, last_commit_id })))
    const all = await Promise.all(["2", "3", "4"].map(update))
    const refused = all.filter(({ status }) => status !== 201)
    const changed = [400, { message: "The file has changed since you started editing it: f" }]
    expect(refused.map(answerOf)).toEqual([changed, changed])
  })

  it("of many that begin a branch at the same commit, one lands", async () => {
    const start_sha = git("rev-parse", "main")
    const begin = (index: number) => post({ ...commitTo("begun", action("create", `f${index}`, { content: "" })), start_sha })
    const statuses = (await Promise.all([1, 2, 3].map(begin))).map(({ status }) => status)
    expect([statuses.toSorted(), git("rev-list", "--count", `${start_sha}..begun`)]).toEqual([[201, 400, 400], "1"])
  })

  it("of protected branches is for those who may push", async () => {
    expect(answerOf(await post(commitTo("main", action("create", "x", { content: "" })), { token: developer().token }))).toEqual(
      mayNotPush
    )
    await service.request("POST", `/projects/${id()}/protected_branches`, { json: { name: "rel/*" } })
    const onNew = { ...commitTo("rel/1", action("create", "x", { content: "" })), start_branch: "main" }
    expect(answerOf(await post(onNew, { token: developer().token }))).toEqual(mayNotPush)
    expect((await post(onNew)).status).toBe(201)
    const forced = { ...commitTo("rel/1", action("create", "y", { content: "" })), start_branch: "main", force: true }
    expect(answerOf(await post(forced))).toEqual([
      400,
      { message: "You are not allowed to force push code to a protected branch on this project." }
    ])
  })

  it("of a protected branch with the name of a commit, as imports bring them, is for those who may push", async () => {
    const branch = "a".repeat(40)
    git("update-ref", `refs/heads/${branch}`, "refs/heads/main")
    await service.request("POST", `/projects/${id()}/protected_branches`, { json: { name: branch } })
    const commit = commitTo(branch, action("create", "x", { content: "" }))
    expect(answerOf(await post(commit, { token: developer().token }))).toEqual(mayNotPush)
    expect((await post(commit)).status).toBe(201)
  })

  it("begins in the project that this one is a fork of", async () => {
    const fork = await service.request("POST", `/projects/${id()}/fork`, {
      json: { path: "forked", name: "forked" },
      token: developer().token
    })
    const forkId = Number(field(fork.body, "id"))
    const late = idOf(await post(commitTo("main", action("create", "late", { content: "late" }))))
    const make = (more: object, token = developer().token) =>
      service.request("POST", `/projects/${forkId}/repository/commits`, {
        json: { ...commitTo("brought", action("create", "x", { content: "" })), ...more },
        token
      })
    const made = await make({ start_project: String(id()), start_branch: "main" })
    expect([made.status, made.body]).toMatchObject([201, { parent_ids: [late], project_id: forkId }])
    const other = await newProject("unrelated", { visibility: "public" })
    expect(answerOf(await make({ branch: "y", start_project: String(other), start_branch: "main" }))).toEqual([
      403,
      { message: "403 Forbidden - Project is not included in the fork network for root/unrelated" }
    ])
    const hidden = await newProject("hidden")
    expect(answerOf(await make({ branch: "y", start_project: String(hidden), start_branch: "main" }))).toEqual([
      404,
      { message: "404 Project Not Found" }
    ])
  })
})
