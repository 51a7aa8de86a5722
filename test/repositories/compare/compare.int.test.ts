import { beforeAll, describe, expect, it } from "vitest"
import { expectExactly, field } from "#test/support/exactly.ts"
import { emptyRepository } from "#test/support/git/gitFixtures.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { useService } from "#test/support/service.ts"
import { createProject, repositoryPath, useEmptyCode, useStandardCode } from "../useCode.ts"

const externalUrl = "https://forge.example.com"
const service = useService({ EXTERNAL_URL: externalUrl })
const code = useStandardCode(service)
const kinds = useEmptyCode(service, { path: "kinds" })

type Query = Readonly<Record<string, string>>
const compare = (query: Query, id: number | string = code().id, token: string | null = null) =>
  service.request("GET", `/projects/${id}/repository/compare`, { token, query })
const ids = (body: unknown) => {
  const commits = field(body, "commits")
  return Array.isArray(commits) ? commits.map((commit) => field(commit, "id")) : []
}
const diffs = (body: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const entries = field(body, "diffs")
  return Array.isArray(entries) ? entries : []
}

it("tells commits, files and where to see them", async () => {
  const { topicA, topicB, second } = code().fixture.ids
  const { body, status } = await compare({ from: second, to: "feature/topic" })
  const commitB = {
    id: topicB,
    short_id: topicB.slice(0, 8),
    title: "topicB",
    author_name: "Ann Author",
    author_email: "ann@example.com",
    created_at: "2023-11-15T00:19:20.000+02:00"
  }
  const commitA = {
    id: topicA,
    short_id: topicA.slice(0, 8),
    title: "Topic, part one",
    author_name: "Zoë Ünal",
    author_email: "zoe@example.com",
    created_at: "2023-11-15T00:18:20.000+02:00"
  }
  expect(status).toBe(200)
  expectExactly(body, {
    commit: commitB,
    commits: [commitA, commitB],
    diffs: [
      {
        diff: "@@ -0,0 +1,2 @@\n+one\n+two\n",
        new_path: "topic.txt",
        old_path: "topic.txt",
        a_mode: "0",
        b_mode: "100644",
        new_file: true,
        renamed_file: false,
        deleted_file: false
      }
    ],
    compare_timeout: false,
    compare_same_ref: false,
    web_url: `${externalUrl}/root/standard/-/compare/${second}...${topicB}`
  })
})

describe("both bases", () => {
  it("the merge base is the usual one", async () => {
    const { fifth, second, topicA, topicB } = code().fixture.ids
    const { body } = await compare({ from: "v1.1.0", to: "feature/topic" })
    expect([ids(body), diffs(body).map(({ new_path }) => new_path)]).toEqual([[topicA, topicB], ["topic.txt"]])
    expect(field(body, "web_url")).toBe(`${externalUrl}/root/standard/-/compare/${second}...${topicB}`)
    const straight = (await compare({ from: "v1.1.0", to: "feature/topic", straight: "true" })).body
    expect(ids(straight)).toEqual([topicA, topicB])
    expect(diffs(straight).length).toBeGreaterThan(5)
    expect(field(straight, "web_url")).toBe(`${externalUrl}/root/standard/-/compare/${fifth}...${topicB}`)
  })

  it("the same commit", async () => {
    const { fifth } = code().fixture.ids
    for (const straight of ["true", "false"]) {
      const { body } = await compare({ from: "v1.1.0", to: fifth, straight })
      expectExactly(body, {
        commit: null,
        commits: [],
        diffs: [],
        compare_timeout: false,
        compare_same_ref: true,
        web_url: `${externalUrl}/root/standard/-/compare/${fifth}...${fifth}`
      })
    }
  })

  it("an ancestor: nothing, or everything backwards", async () => {
    const { first } = code().fixture.ids
    const { body } = await compare({ from: "main", to: first })
    expect(body).toMatchObject({ commit: null, commits: [], diffs: [], compare_same_ref: false, compare_timeout: false })
    const straight = (await compare({ from: "v1.0.0", to: first, straight: "true" })).body
    expect([field(straight, "commit"), ids(straight), field(straight, "compare_same_ref")]).toEqual([null, [], false])
    expect(diffs(straight).map(({ deleted_file, new_path }) => [new_path, deleted_file])).toEqual([
      ["README.md", false],
      ["docs/guide.md", true]
    ])
  })

  it("nothing in common: the difference of both", async () => {
    const { orphan } = code().fixture.ids
    const { body, status } = await compare({ from: "main", to: "orphan" })
    expect([status, ids(body), diffs(body).some(({ new_path }) => new_path === "alone.txt")]).toEqual([200, [orphan], true])
  })
})

describe("kinds of changes", () => {
  const lines = (count: number, word = "line") => Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join("")
  beforeAll(() => {
    kinds().fixture.commits([
      {
        mark: "a",
        ref: "refs/heads/a",
        files: {
          "bin/edit.bin": Buffer.from("a\0b"),
          "bin/gone.bin": Buffer.from("a\0b"),
          edit: "a\n",
          gone: "a\n",
          latin: Buffer.from("caf\xe9\n", "latin1"),
          link: { mode: "120000", content: "edit" },
          mode: "#!\n",
          "rename-edit": lines(20),
          "rename-pure": lines(30, "pure"),
          type: "was a file\n"
        }
      },
      {
        mark: "b",
        ref: "refs/heads/b",
        parents: ["a"],
        files: {
          "bin/edit.bin": Buffer.from("a\0c"),
          "bin/gone.bin": null,
          "bin/new.bin": Buffer.from("\0"),
          edit: "b\n",
          empty: "",
          gone: null,
          latin: Buffer.from("th\xe9\n", "latin1"),
          link: { mode: "120000", content: "gone" },
          mode: { mode: "100755", content: "#!\n" },
          "rename-edit": null,
          "renamed-edit": `${lines(20)}more\n`,
          "rename-pure": null,
          "renamed-pure": lines(30, "pure"),
          sub: { commit: "0123456789abcdef0123456789abcdef01234567" },
          type: { mode: "120000", content: "edit" },
          'qu"o te\u00e9': "x\n"
        }
      }
    ])
  })
  const row = (path: string, diff: string, a_mode: string, b_mode: string, more: object = {}) => ({
    diff,
    new_path: path,
    old_path: path,
    a_mode,
    b_mode,
    new_file: a_mode === "0",
    renamed_file: false,
    deleted_file: b_mode === "0",
    ...more
  })
  const file = "100644"
  const renamed = (from: string) => ({ old_path: from, renamed_file: true })
  const expected = [
    row("bin/edit.bin", "Binary files a/bin/edit.bin and b/bin/edit.bin differ\n", file, file),
    row("bin/gone.bin", "Binary files a/bin/gone.bin and /dev/null differ\n", file, "0"),
    row("bin/new.bin", "Binary files /dev/null and b/bin/new.bin differ\n", "0", file),
    row("edit", "@@ -1 +1 @@\n-a\n+b\n", file, file),
    row("empty", "", "0", file),
    row("gone", "@@ -1 +0,0 @@\n-a\n", file, "0"),
    row("latin", "@@ -1 +1 @@\n-café\n+thé\n", file, file),
    row("link", "@@ -1 +1 @@\n-edit\n\\ No newline at end of file\n+gone\n\\ No newline at end of file\n", "120000", "120000"),
    row("mode", "", file, "100755"),
    row('qu"o te\u00e9', "@@ -0,0 +1 @@\n+x\n", "0", file),
    row("renamed-edit", "@@ -18,3 +18,4 @@ line 16\n line 17\n line 18\n line 19\n+more\n", file, file, renamed("rename-edit")),
    row("renamed-pure", "", file, file, renamed("rename-pure")),
    row("sub", "@@ -0,0 +1 @@\n+Subproject commit 0123456789abcdef0123456789abcdef01234567\n", "0", "160000"),
    row("type", "@@ -1 +0,0 @@\n-was a file\n", file, "0"),
    row("type", "@@ -0,0 +1 @@\n+edit\n\\ No newline at end of file\n", "0", "120000")
  ]

  it("are shown from the first hunk on", async () => {
    const { body } = await compare({ from: "a", to: "b" }, kinds().id)
    expectExactly(diffs(body), expected)
  })

  it("with the lines of names before hunks, and only there", async () => {
    const { body } = await compare({ from: "a", to: "b", unidiff: "true" }, kinds().id)
    const withNames = expected.map(({ deleted_file, diff, new_file, new_path, old_path }) => {
      if (!diff.startsWith("@@")) return diff
      return `--- ${new_file ? "/dev/null" : `a/${old_path}`}\n+++ ${deleted_file ? "/dev/null" : `b/${new_path}`}\n${diff}`
    })
    expect(diffs(body).map(({ diff }) => diff)).toEqual(withNames)
  })
})

describe("limits", () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`many/${index}.txt`, `${index}\n`]))
  beforeAll(() => {
    kinds().fixture.commits([
      { mark: "start", ref: "refs/heads/start", files: { x: "x\n" } },
      {
        mark: "large",
        ref: "refs/heads/large",
        parents: ["start"],
        files: { "large.txt": "x\n".repeat(150_000), "s.txt": "s\n" }
      },
      { mark: "safe", ref: "refs/heads/safe", parents: ["start"], files: many(150) },
      { mark: "cut", ref: "refs/heads/cut", parents: ["start"], files: many(1001) }
    ])
  })

  it("a patch that is too large is empty", async () => {
    const { body } = await compare({ from: "start", to: "large" }, kinds().id)
    expect([diffs(body).map(({ diff }) => diff), field(body, "compare_timeout")]).toEqual([["", "@@ -0,0 +1 @@\n+s\n"], false])
  })

  it("beyond the safe files texts are empty", async () => {
    const { body } = await compare({ from: "start", to: "safe", unidiff: "true" }, kinds().id)
    expect(diffs(body)).toHaveLength(150)
    expect(diffs(body).filter(({ diff }) => diff !== "")).toHaveLength(100)
    expect(field(body, "compare_timeout")).toBe(false)
  })

  it("beyond the files there are none", async () => {
    const { body } = await compare({ from: "start", to: "cut" }, kinds().id)
    expect([diffs(body).length, field(body, "compare_timeout"), ids(body).length]).toEqual([1000, true, 1])
  })

  it("of more than 10,000 commits there are the newest, and it says so", async () => {
    const many = Array.from({ length: 10_001 }, (_, index) => ({
      mark: `c${index}`,
      ref: "refs/heads/long",
      parents: [index === 0 ? "start" : `c${index - 1}`]
    }))
    const made = kinds().fixture.commits(many)
    const { body } = await compare({ from: "start", to: "long" }, kinds().id)
    const shown = ids(body)
    expect([shown.length, shown[0], shown.at(-1), field(body, "compare_timeout")]).toEqual([10_000, made.c1, made.c10000, true])
    const within = (await compare({ from: "start", to: "long~1" }, kinds().id)).body
    expect([ids(within).length, field(within, "compare_timeout")]).toEqual([10_000, false])
  })
})

describe("forks", () => {
  let [fork, grandchild, stranger, hidden, guestOnly] = [0, 0, 0, 0, 0]
  let [guest, guestToken] = [0, ""]
  const tip: Record<string, string> = {}
  beforeAll(async () => {
    guest = await createUser(service, "gus")
    guestToken = (await issueTokenFor(service, guest)).text
    const forkedFrom = code().id
    fork = await createProject(service, { path: "fork", forkedFrom })
    grandchild = await createProject(service, { path: "grandchild", forkedFrom: fork })
    hidden = await createProject(service, { path: "hidden", forkedFrom, settings: { visibility: "private" } })
    guestOnly = await createProject(service, {
      path: "guest-only",
      forkedFrom,
      settings: { visibility: "private" },
      members: { [guest]: 10 }
    })
    stranger = await createProject(service, { path: "stranger" })
    for (const id of [fork, grandchild, hidden, guestOnly, stranger]) {
      const target = emptyRepository(await repositoryPath(service, id))
      target.git(["fetch", "--quiet", code().fixture.repository.path, "+refs/heads/*:refs/heads/*"])
      const made = target.commits([
        { mark: "own", ref: "refs/heads/own", parents: ["refs/heads/main"], files: { [`of-${id}`]: "x\n" } }
      ])
      tip[id] = made.own
    }
  })

  it("`from` is looked for there, `to` here", async () => {
    const { head } = code().fixture.ids
    const there = await compare({ from: "main", to: "own", from_project_id: String(code().id) }, fork)
    expect([ids(there.body), diffs(there.body).map(({ new_path }) => new_path)]).toEqual([[tip[fork]], [`of-${fork}`]])
    const back = await compare({ from: "own", to: "main", from_project_id: String(fork) })
    expect([back.status, ids(back.body), diffs(back.body)]).toEqual([200, [], []])
    const straight = await compare({ from: "own", to: "main", from_project_id: String(fork), straight: "true" })
    expect(diffs(straight.body)).toMatchObject([{ old_path: `of-${fork}`, deleted_file: true }])
    expect(field(straight.body, "web_url")).toBe(`${externalUrl}/root/standard/-/compare/${tip[fork]}...${head}`)
    expect((await compare({ from: "main", to: "own", from_project_id: String(fork) })).body).toEqual({
      message: "404 Ref Not Found"
    })
  })

  it("of forks, siblings and itself", async () => {
    for (const [one, other] of [
      [grandchild, code().id],
      [code().id, grandchild],
      [grandchild, fork]
    ] as const) {
      expect((await compare({ from: "main", to: "main", from_project_id: String(other) }, one)).status).toBe(200)
    }
    expect((await compare({ from: "main", to: "main", from_project_id: String(code().id) })).status).toBe(200)
    const sibling = await service.request("GET", `/projects/${hidden}/repository/compare`, {
      query: { from: "own", to: "own", from_project_id: String(grandchild) }
    })
    expect([sibling.status, ids(sibling.body)]).toEqual([200, [tip[hidden]]])
  })

  it("no fork: as the project was named", async () => {
    const noFork = (id: number, sent: number | string) => ({
      message: `Target project id:${id} is not a fork of project id:${sent}`
    })
    const refs = { from: "main", to: "main" }
    for (const [id, token] of [
      [stranger, null],
      [999_999, null],
      [hidden, null],
      [hidden, guestToken]
    ] as const) {
      const { body, status } = await compare({ ...refs, from_project_id: String(id) }, code().id, token)
      expect([status, body]).toEqual([400, noFork(id, code().id)])
    }
    const named = await compare({ ...refs, from_project_id: String(stranger) }, "root%2Fstandard")
    expect(named.body).toEqual(noFork(stranger, "root/standard"))
  })

  it("one whose code the caller may not read", async () => {
    const { body, status } = await compare(
      { from: "main", to: "main", from_project_id: String(guestOnly) },
      code().id,
      guestToken
    )
    expect([status, body]).toEqual([403, { message: "403 Forbidden - You don't have access to this fork's parent project" }])
  })
})

describe("refusals", () => {
  it.each([
    ["no refs", {}, 400, { error: "from is missing, to is missing" }],
    ["no from", { to: "main" }, 400, { error: "from is missing" }],
    ["an unknown from", { from: "nowhere", to: "main" }, 404, { message: "404 Ref Not Found" }],
    ["an unknown to", { from: "main", to: "nowhere" }, 404, { message: "404 Ref Not Found" }],
    ["empty refs", { from: "", to: "" }, 404, { message: "404 Ref Not Found" }],
    ["a hidden ref", { from: "main", to: "refs/internal/keep" }, 404, { message: "404 Ref Not Found" }],
    ["no number", { from: "a", to: "b", from_project_id: "x" }, 400, { error: "from_project_id is invalid" }],
    [
      "no switches",
      { from: "a", to: "b", straight: "2", unidiff: "x" },
      400,
      { error: "straight is invalid, unidiff is invalid" }
    ]
  ])("%s", async (_, query, status, body) => {
    const received = await compare(query)
    expect([received.status, received.body]).toEqual([status, body])
  })
})
