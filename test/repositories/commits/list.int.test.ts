import { describe, expect, it } from "vitest"
import { emptyTreeId } from "#src/git/objectId.ts"
import { expectExactly, field } from "#test/support/exactly.ts"
import { answerOf, type Received, type Sent } from "#test/support/service.ts"
import { useProjects } from "../../projects/useProjects.ts"
import { useFilledCode } from "../useFilledCode.ts"

const { newProject, service } = useProjects()
const code = useFilledCode(service)
const ask = (path: string, query: Readonly<Record<string, string>> = {}, sent: Sent = {}) =>
  service.request("GET", `/projects/${code().id}/repository/commits${path}`, { query, ...sent })
const idsOf = ({ body }: Received) => (Array.isArray(body) ? body.map((one) => field(one, "id")) : body)
const git = (...args: ReadonlyArray<string>) => code().fixture.git(args)
const list = (...args: ReadonlyArray<string>) =>
  git("rev-list", ...args)
    .split("\n")
    .filter(Boolean)
const marks = () => code().fixture.ids
const time = (id: string) => Number(git("show", "-s", "--format=%ct", id))
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()

describe("list", () => {
  it("is the history of the default branch", async () => {
    const received = await ask("")
    expect(idsOf(received)).toEqual(list("main"))
    expect(received.headers.get("x-total")).toBeNull()
    expect(received.headers.get("x-total-pages")).toBeNull()
    expect(received.headers.get("x-next-page")).toBe("")
    expect(received.headers.get("link")).not.toContain('rel="last"')
  })

  it("a full page always leads to a next one", async () => {
    const all = list("main")
    const received = await ask("", { per_page: String(all.length) })
    expect(idsOf(received)).toEqual(all)
    expect(received.headers.get("x-next-page")).toBe("2")
    const next = await ask("", { per_page: String(all.length), page: "2" })
    expect([next.body, next.headers.get("x-next-page"), next.headers.get("x-prev-page")]).toEqual([[], "", "1"])
    expect(idsOf(await ask("", { per_page: "3", page: "2" }))).toEqual(all.slice(3, 6))
  })

  it.each([
    ["feature/topic", () => list("refs/heads/feature/topic")],
    ["v1.0.0", () => list("v1.0.0")],
    ["both", () => list("refs/tags/both")],
    ["heads/both", () => list("refs/heads/both")],
    ["main~2", () => list("main~2")],
    ["orphan", () => list("orphan")],
    ["", () => list("main")],
    ["nothing", () => []],
    ["refs/internal/keep", () => []],
    ["blob-tag", () => []],
    ["main..orphan", () => list("main..orphan")],
    ["main~3..main", () => list("main~3..main")],
    ["main~3..", () => list("main~3..main")],
    ["..feature/topic", () => list("main..refs/heads/feature/topic")],
    ["cross/left...cross/right", () => list("cross/left...cross/right")],
    [`${emptyTreeId}..HEAD`, () => list("main")],
    [`${emptyTreeId}..orphan`, () => list("orphan")],
    [`${emptyTreeId}...main`, () => []],
    ["main..nothing", () => []],
    ["nothing..main", () => []],
    ["main....orphan", () => []],
    ["v1.0.0..main..orphan", () => []],
    ["main^{/Merge}", () => []]
  ])("of %j", async (ref_name, expected) => {
    const received = await ask("", { ref_name, per_page: "100" })
    expect([received.status, idsOf(received)]).toEqual([200, expected()])
  })

  it.each(["--all", "-n1", "main branch", "a\tb", "main:README.md", "a\nb"])("refuses %j", async (ref_name) => {
    expect(answerOf(await ask("", { ref_name }))).toEqual([400, { message: "ref_name is invalid" }])
  })

  it("of a commit by its id", async () => {
    expect(idsOf(await ask("", { ref_name: marks().third }))).toEqual(list(marks().third))
    expect(idsOf(await ask("", { ref_name: marks().third.slice(0, 8) }))).toEqual(list(marks().third))
  })

  it("of all branches and tags", async () => {
    const expected = list("--branches", "--tags").toSorted()
    const received = idsOf(await ask("", { all: "true", per_page: "100" }))
    expect(Array.isArray(received) && received.toSorted()).toEqual(expected)
  })

  it.each([
    ["README.md", "README.md"],
    ["docs", "docs"],
    ["/src/", "src"],
    ["src//main.ts", "src/main.ts"]
  ])("of the path %j", async (path, asked) => {
    const received = await ask("", { path, per_page: "100" })
    expect(idsOf(received)).toEqual(list("main", "--", asked))
  })

  it.each(["nothing", "../README.md", ":(top)README.md", "*.md", "--help", "src/./main.ts"])(
    "of the path %j: none",
    async (path) => {
      expect(answerOf(await ask("", { path }))).toEqual([200, []])
    }
  )

  it("of an author, of a time, by first parents", async () => {
    expect(idsOf(await ask("", { author: "Zoë" }))).toEqual([marks().topicA])
    expect(idsOf(await ask("", { author: "zoe@example.com" }))).toEqual([marks().topicA])
    expect(idsOf(await ask("", { author: ".*" }))).toEqual([])
    expect(idsOf(await ask("", { first_parent: "true" }))).toEqual(list("--first-parent", "main"))
    expect(idsOf(await ask("", { order: "topo" }))).toEqual(list("--topo-order", "main"))
    const [since, until] = [time(marks().third), time(marks().fifth)]
    const expected = list("main").filter((id) => time(id) >= since && time(id) <= until)
    expect(idsOf(await ask("", { since: iso(since), until: iso(until) }))).toEqual(expected)
    const after = new Date(since * 1000 + 1).toISOString()
    expect(idsOf(await ask("", { since: after, until: iso(until) }))).toEqual(expected.filter((id) => time(id) > since))
  })

  it("of times and pages that nothing can be of", async () => {
    expect(idsOf(await ask("", { since: "1900-01-01", until: "2999-01-01" }))).toEqual(list("main"))
    expect(idsOf(await ask("", { until: "1900-01-01" }))).toEqual([])
    expect(idsOf(await ask("", { since: "2999-01-01" }))).toEqual([])
    for (const page of ["999999999", "9007199254740991"]) {
      expect(answerOf(await ask("", { page, per_page: "100" }))).toEqual([200, []])
    }
  })

  it("has trailers and counts where they are asked for", async () => {
    const [plain] = (await ask("", { path: "COPYING" })).body as ReadonlyArray<unknown>
    expect(plain).toMatchObject({ id: marks().third, trailers: {}, extended_trailers: {} })
    expect(plain).not.toHaveProperty("stats")
    const [full] = (await ask("", { path: "COPYING", trailers: "true", with_stats: "true" })).body as ReadonlyArray<unknown>
    expect(full).toMatchObject({
      trailers: { Changelog: "changed", "Signed-off-by": "Carl <c@example.com>" },
      extended_trailers: { "Signed-off-by": ["Ann Author <ann@example.com>", "Carl <c@example.com>"] },
      stats: { additions: 1, deletions: 0, total: 1 }
    })
  })

  it("counts whole pages as single commits are counted", async () => {
    const listed = (await ask("", { all: "true", with_stats: "true", per_page: "100" })).body as ReadonlyArray<unknown>
    expect(listed.length).toBeGreaterThan(10)
    for (const commit of listed) {
      const single = await ask(`/${String(field(commit, "id"))}`)
      expect([field(commit, "id"), field(commit, "stats")]).toEqual([field(commit, "id"), field(single.body, "stats")])
    }
  })

  it("refuses what makes no sense", async () => {
    expect(answerOf(await ask("", { since: "yesterday", all: "maybe", order: "up" }))).toEqual([
      400,
      { error: "since is invalid, all is invalid, order does not have a valid value" }
    ])
  })

  it("of an empty repository is empty, of none 404", async () => {
    const empty = await newProject("empty")
    const path = `/projects/${empty}/repository`
    expect(answerOf(await service.request("GET", `${path}/commits`))).toEqual([200, []])
    expect(answerOf(await service.request("GET", `${path}/branches`))).toEqual([200, []])
    expect(answerOf(await service.request("GET", `${path}/tags`))).toEqual([200, []])
    expect(answerOf(await service.request("GET", `${path}/commits/main`))).toEqual([404, { message: "404 Commit Not Found" }])
    expect(answerOf(await service.request("GET", `${path}/files/a?ref=main`))).toEqual([404, { message: "404 Commit Not Found" }])
  })
})

describe("read", () => {
  it("shows all of a commit", async () => {
    const { third, second } = marks()
    const { body, status } = await ask(`/${third}`)
    expect(status).toBe(200)
    const at = expect.stringMatching(/\.000\+02:00$/)
    expectExactly(body, {
      id: third,
      short_id: third.slice(0, 8),
      created_at: at,
      parent_ids: [second],
      title: "Rename things",
      message:
        "Rename things\n\nChangelog: changed\nSigned-off-by: Ann Author <ann@example.com>\nSigned-off-by: Carl <c@example.com>\n",
      author_name: "Ann Author",
      author_email: "ann@example.com",
      authored_date: at,
      committer_name: "Carl Committer",
      committer_email: "carl@example.com",
      committed_date: at,
      trailers: { Changelog: "changed", "Signed-off-by": "Carl <c@example.com>" },
      extended_trailers: {
        Changelog: ["changed"],
        "Signed-off-by": ["Ann Author <ann@example.com>", "Carl <c@example.com>"]
      },
      web_url: `https://forge.example.com/root/standard/-/commit/${third}`,
      stats: { additions: 1, deletions: 0, total: 1 },
      status: null,
      project_id: code().id,
      last_pipeline: null
    })
  })

  it.each(["main", "v1.0.0", "feature/topic", "nested", "HEAD", "main~1", "main~1^2"])("by %j", async (name) => {
    const received = await ask(`/${encodeURIComponent(name)}`)
    expect(field(received.body, "id")).toBe(git("rev-parse", `${name}^{commit}`))
  })

  it("counts a first commit and a merge against its first parent, or not at all", async () => {
    const counted = (from: string, id: string) => {
      const lines = git("diff-tree", "-r", "--numstat", "--find-renames=30%", from, id).split("\n")
      const counts = lines.map((line) => line.split("\t").map((text) => Number(text) || 0))
      const [additions, deletions] = [0, 1].map((column) => counts.reduce((sum, row) => sum + (row[column] ?? 0), 0))
      return { additions, deletions, total: (additions ?? 0) + (deletions ?? 0) }
    }
    const { fifth, first, merged } = marks()
    expect((await ask(`/${first}`)).body).toMatchObject({ stats: counted(emptyTreeId, first) })
    expect((await ask(`/${merged}`)).body).toMatchObject({ stats: counted(fifth, merged) })
    expect((await ask("/main", { stats: "false" })).body).not.toHaveProperty("stats")
  })

  it.each(["nothing", "0".repeat(40), "blob-tag", "refs/internal/keep", "main:README.md", "--all", "main..orphan"])(
    "404 for %j",
    async (name) => {
      const encoded = encodeURIComponent(name).replaceAll(".", "%2E")
      for (const below of ["", "/diff", "/refs", "/sequence", "/comments", "/merge_requests", "/statuses", "/signature"]) {
        expect(answerOf(await ask(`/${encoded}${below}`))).toEqual([404, { message: "404 Commit Not Found" }])
      }
    }
  )
})

describe("below a commit", () => {
  it("its diff", async () => {
    const received = await ask(`/${marks().fifth}/diff`)
    expect(received.status).toBe(200)
    expectExactly(received.body, [
      {
        diff: "",
        new_path: "bin/run",
        old_path: "bin/run",
        a_mode: "100755",
        b_mode: "100644",
        new_file: false,
        renamed_file: false,
        deleted_file: false
      },
      {
        diff: "@@ -18,3 +18,4 @@ line 17\n line 18\n line 19\n line 20\n+line 21\n",
        new_path: "src/main.ts",
        old_path: "src/main.ts",
        a_mode: "100644",
        b_mode: "100644",
        new_file: false,
        renamed_file: false,
        deleted_file: false
      }
    ])
    expect(received.headers.get("x-total")).toBe("2")
    const second = await ask(`/${marks().fifth}/diff`, { per_page: "1", page: "2", unidiff: "true" })
    expect(second.body).toMatchObject([{ diff: expect.stringMatching(/^--- a\/src\/main.ts\n\+\+\+ b\/src\/main.ts\n@@/) }])
    expect((await ask(`/${marks().first}/diff`)).body).toHaveLength(4)
    expect((await ask(`/${marks().merged}/diff`)).body).toMatchObject([{ new_path: "topic.txt", new_file: true }])
  })

  it("the refs that have it", async () => {
    const expected = (kind: "heads" | "tags", type: string) =>
      git("for-each-ref", "--contains", marks().second, "--format=%(refname:lstrip=2)", `refs/${kind}/`)
        .split("\n")
        .map((name) => ({ type, name }))
    const path = `/${marks().second}/refs`
    const [branches, tags] = [expected("heads", "branch"), expected("tags", "tag")]
    const all = await ask(path, { per_page: "100" })
    expect(answerOf(all)).toEqual([200, [...branches, ...tags]])
    expect((await ask(path, { type: "branch" })).body).toEqual(branches)
    expect((await ask(path, { type: "tag" })).body).toEqual(tags)
    expect((await ask(path, { per_page: "2", page: "2" })).body).toEqual([...branches, ...tags].slice(2, 4))
    expect(answerOf(await ask(path, { type: "x" }))).toEqual([400, { error: "type does not have a valid value" }])
  })

  it("its place in the history", async () => {
    const count = (...args: ReadonlyArray<string>) => ({ count: list(...args).length })
    expect(answerOf(await ask("/main/sequence"))).toEqual([200, count("main")])
    expect((await ask("/main/sequence", { first_parent: "true" })).body).toEqual(count("--first-parent", "main"))
    expect((await ask(`/${marks().first}/sequence`)).body).toEqual({ count: 1 })
  })

  it("no merge requests and no statuses yet", async () => {
    expect(answerOf(await ask("/main/merge_requests", { state: "merged" }))).toEqual([200, []])
    const bad = { error: "state does not have a valid value" }
    expect(answerOf(await ask("/main/merge_requests", { state: "all" }))).toEqual([400, bad])
    const sent = {
      ref: "main",
      stage: "test",
      name: "lint",
      pipeline_id: "1",
      all: "true",
      order_by: "pipeline_id",
      sort: "desc"
    }
    const received = await ask("/main/statuses", sent)
    expect(answerOf(received)).toEqual([200, []])
    expect(received.headers.get("x-total")).toBe("0")
    expect(answerOf(await ask("/main/statuses", { pipeline_id: "x", all: "maybe", order_by: "ref", sort: "up" }))).toEqual([
      400,
      {
        error: "pipeline_id is invalid, all is invalid, order_by does not have a valid value, sort does not have a valid value"
      }
    ])
  })

  it("statuses are there for users alone, also where pipelines are switched off", async () => {
    const statuses = async (builds_access_level: string) => {
      const { status } = await service.request("PUT", `/projects/${code().id}`, { json: { builds_access_level } })
      expect(status).toBe(200)
      return [answerOf(await ask("/main/statuses")), answerOf(await ask("/main/statuses", {}, { token: null }))]
    }
    const forUsersAlone = [
      [200, []],
      [401, { message: "401 Unauthorized" }]
    ]
    expect(await statuses("disabled")).toEqual(forUsersAlone)
    expect(await statuses("private")).toEqual(forUsersAlone)
    expect(await statuses("enabled")).toEqual(forUsersAlone)
  })
})
