import { Gitlab } from "@gitbeaker/rest"
import { beforeAll, describe, expect, it } from "vitest"
import { anyTime, expectExactly, field } from "#test/support/exactly.ts"
import { rootReference } from "#test/support/people/userReference.ts"
import { rootToken, useService } from "#test/support/service.ts"

const service = useService()
const client = () => new Gitlab({ host: service.url, token: rootToken })
let project = 0
/** Full ids of commits by their titles. */
const made = new Map<string, string>()
const anyId = expect.stringMatching(/^[0-9a-f]{40}$/)
const anyShortId = expect.stringMatching(/^[0-9a-f]{8}$/)
/** Of what is made in UTC. */
const anyGitTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000\+00:00$/)
const web = () => `${service.url}/root/client`

interface CommitOptions {
  readonly message: string
  readonly parents: ReadonlyArray<string>
  readonly author?: readonly [name: string, email: string]
  readonly trailers?: Readonly<Record<string, string>>
}

const root = ["Administrator", "admin@example.com"] as const

/** The commit as lists and branches show it. */
const commitOf = (id: string | undefined, { author = root, message, parents, trailers = {} }: CommitOptions) => ({
  id: id ?? anyId,
  short_id: id?.slice(0, 8) ?? anyShortId,
  created_at: anyGitTime,
  parent_ids: parents,
  title: message.split("\n")[0],
  message,
  author_name: author[0],
  author_email: author[1],
  authored_date: anyGitTime,
  committer_name: root[0],
  committer_email: root[1],
  committed_date: anyGitTime,
  trailers,
  extended_trailers: Object.fromEntries(Object.entries(trailers).map(([key, value]) => [key, [value]])),
  web_url: id === undefined ? expect.stringContaining(`${web()}/-/commit/`) : `${web()}/-/commit/${id}`
})
const detailOf = (commit: ReturnType<typeof commitOf>, additions: number, deletions: number) => ({
  ...commit,
  stats: { additions, deletions, total: additions + deletions },
  status: null,
  project_id: project,
  last_pipeline: null
})
const id = (title: string) => made.get(title) ?? ""
const first = () => commitOf(id("First"), { message: "First", parents: [] })
const author = () => rootReference(service.url)

const change = (oldPath: string, newPath: string, more: object) => ({
  diff: "",
  new_path: newPath,
  old_path: oldPath,
  a_mode: "100644",
  b_mode: "100644",
  new_file: false,
  renamed_file: oldPath !== newPath,
  deleted_file: false,
  ...more
})
/** What the second commit changes. */
const changes = [
  change("README.md", "docs/README.md", {}),
  change("src/a.ts", "src/a.ts", { diff: "@@ -1 +1 @@\n-a\n+b\n", b_mode: "100755" })
]

beforeAll(async () => {
  const { body } = await service.request("POST", "/projects", { json: { name: "client" } })
  project = Number(field(body, "id"))
  const created = await client().Commits.create(project, "main", "First", [
    { action: "create", filePath: "README.md", content: "# Hi\n" },
    { action: "create", filePath: "src/a.ts", content: "a\n" }
  ])
  made.set("First", created.id)
  expectExactly(created, detailOf(first(), 2, 0))
})

describe("Branches", () => {
  const branch = (name: string, more: object = {}) => ({
    name,
    commit: first(),
    merged: false,
    protected: false,
    developers_can_push: false,
    developers_can_merge: false,
    can_push: true,
    default: false,
    web_url: `${web()}/-/tree/${name}`,
    ...more
  })

  it("create, all, show, remove, removeMerged", async () => {
    const { Branches } = client()
    const main = branch("main", { protected: true, default: true })
    expectExactly(await Branches.create(project, "feature/one", "main"), branch("feature/one"))
    expectExactly(await Branches.show(project, "feature/one"), branch("feature/one"))
    expectExactly(await Branches.all(project), [branch("feature/one"), main])
    expectExactly(await Branches.all(project, { perPage: 1 }), [branch("feature/one"), main])
    expectExactly(await Branches.all(project, { search: "^feat" }), [branch("feature/one")])
    expectExactly(await Branches.all(project, { regex: "n$" }), [main])
    await Branches.remove(project, "feature/one")
    await expect(Branches.show(project, "feature/one")).rejects.toThrow("404 Branch Not Found")
    expect(await Branches.removeMerged(project)).toEqual({ message: "202 Accepted" })
  })
})

describe("Tags", () => {
  it("create, all, show, showSignature, remove", async () => {
    const { Tags } = client()
    const tag = (name: string, more: object) => ({
      name,
      message: "",
      target: id("First"),
      commit: first(),
      release: null,
      protected: false,
      created_at: null,
      ...more
    })
    const annotated = tag("v1.0", { message: "One", target: anyId, created_at: anyGitTime })
    expectExactly(await Tags.create(project, "v1.0", "main", { message: "One" }), annotated)
    expectExactly(await Tags.create(project, "v0.9", "main"), tag("v0.9", {}))
    expectExactly(await Tags.show(project, "v1.0"), annotated)
    expectExactly(await Tags.all(project, { orderBy: "name", sort: "asc" }), [tag("v0.9", {}), annotated])
    await expect(Tags.showSignature(project, "v1.0")).rejects.toThrow("404 Signature Not Found")
    for (const name of ["v0.9", "v1.0"]) await Tags.remove(project, name)
    expect(await Tags.all(project)).toEqual([])
  })
})

describe("Commits", () => {
  const second = (trailers: CommitOptions["trailers"] = { Changelog: "added" }) =>
    commitOf(id("Second"), {
      message: "Second\n\nChangelog: added\n",
      parents: [id("First")],
      author: ["Ann", "ann@example.com"],
      trailers
    })
  /** Lists show trailers only where they are asked for. */
  const listed = () => second({})

  it("create, show, all", async () => {
    const { Branches, Commits } = client()
    await Branches.create(project, "topic", "main")
    const created = await Commits.create(
      project,
      "topic",
      "Second\n\nChangelog: added\n",
      [
        { action: "update", filePath: "src/a.ts", content: "b\n" },
        { action: "move", filePath: "docs/README.md", previousPath: "README.md" },
        { action: "chmod", filePath: "src/a.ts", execute_filemode: true }
      ],
      { authorName: "Ann", authorEmail: "ann@example.com" }
    )
    made.set("Second", created.id)
    expectExactly(created, detailOf(second(), 1, 1))
    expectExactly(await Commits.show(project, "topic"), detailOf(second(), 1, 1))
    const all = [listed(), first()]
    expectExactly(await Commits.all(project, { refName: "topic" }), all)
    expectExactly(await Commits.all(project, { refName: "topic", perPage: 1 }), all)
    expectExactly(await Commits.all(project, { all: true, author: "ann@example.com" }), [listed()])
    expectExactly(await Commits.all(project, { refName: "main..topic", trailers: true }), [second()])
    expectExactly(await Commits.all(project, { refName: "topic", withStats: true, path: "src" }), [
      { ...listed(), stats: { additions: 1, deletions: 1, total: 2 } },
      { ...first(), stats: { additions: 2, deletions: 0, total: 2 } }
    ])
  })

  it("showDiff, allReferences, showSequence, allMergeRequests, allStatuses, showGPGSignature", async () => {
    const { Commits } = client()
    expectExactly(await Commits.showDiff(project, id("Second")), changes)
    expectExactly(await Commits.allReferences(project, id("Second")), [{ type: "branch", name: "topic" }])
    expectExactly(await Commits.showSequence(project, id("Second")), { count: 2 })
    expect(await Commits.allMergeRequests(project, id("Second"))).toEqual([])
    expect(await Commits.allStatuses(project, id("Second"))).toEqual([])
    await expect(Commits.showGPGSignature(project, id("Second"))).rejects.toThrow("404 Signature Not Found")
  })

  it("createComment, allComments", async () => {
    const { Commits } = client()
    const comment = (note: string, place: object) => ({ note, ...place, author: author(), created_at: anyTime })
    const line = { path: "src/a.ts", line: 1, lineType: "old" } as const
    const onLine = comment("Why?", { path: "src/a.ts", line: 1, line_type: "old" })
    const onAll = comment("Good", { path: null, line: null, line_type: null })
    expectExactly(await Commits.createComment(project, id("Second"), "Why?", line), onLine)
    expectExactly(await Commits.createComment(project, "topic", "Good"), onAll)
    expectExactly(await Commits.allComments(project, id("Second")), [onLine, onAll])
  })

  it("cherryPick, revert", async () => {
    const { Commits } = client()
    const picked = await Commits.cherryPick(project, id("Second"), "main")
    expectExactly(
      picked,
      commitOf(undefined, {
        message: `Second\n\nChangelog: added\n\n(cherry picked from commit ${id("Second")})`,
        parents: [id("First")],
        author: ["Ann", "ann@example.com"]
      })
    )
    const pickedId = String(field(picked, "id"))
    const reverted = await Commits.revert(project, pickedId, "main")
    expectExactly(
      reverted,
      commitOf(undefined, { message: `Revert "Second"\n\nThis reverts commit ${pickedId}`, parents: [pickedId] })
    )
  })
})

describe("RepositoryFiles", () => {
  it("create, show, showRaw, edit, allFileBlames, remove", async () => {
    const { Commits, RepositoryFiles } = client()
    const path = "docs/Ünï file.txt"
    expectExactly(await RepositoryFiles.create(project, path, "main", "one\n", "Add it"), { file_path: path, branch: "main" })
    const content = Buffer.from("two\n").toString("base64")
    expectExactly(await RepositoryFiles.edit(project, path, "main", content, "Edit it", { encoding: "base64" }), {
      file_path: path,
      branch: "main"
    })
    const tip = await Commits.show(project, "main")
    expectExactly(await RepositoryFiles.show(project, path, "main"), {
      file_name: "Ünï file.txt",
      file_path: path,
      size: 4,
      encoding: "base64",
      content_sha256: "27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a",
      ref: "main",
      blob_id: "f719efd430d52bcfc8566a43b2eb655688d38871",
      commit_id: tip.id,
      last_commit_id: tip.id,
      execute_filemode: false,
      content
    })
    expectExactly(await RepositoryFiles.allFileBlames(project, path, "main"), [
      {
        commit: {
          id: tip.id,
          parent_ids: tip.parent_ids,
          message: "Edit it",
          authored_date: anyGitTime,
          author_name: root[0],
          author_email: root[1],
          committed_date: anyGitTime,
          committer_name: root[0],
          committer_email: root[1]
        },
        lines: ["two"]
      }
    ])
    const raw = await RepositoryFiles.showRaw(project, path, "main")
    expect(raw instanceof Blob ? await raw.text() : raw).toBe("two\n")
    await RepositoryFiles.remove(project, path, "main", "Remove it")
    await expect(RepositoryFiles.show(project, path, "main")).rejects.toThrow("404 File Not Found")
  })
})

describe("Repositories", () => {
  it("allRepositoryTrees, showBlob, showBlobRaw, showArchive", async () => {
    const { Repositories } = client()
    const entries = await Repositories.allRepositoryTrees(project, { ref: id("First"), recursive: true })
    expectExactly(entries, [
      { id: anyId, name: "src", type: "tree", path: "src", mode: "040000" },
      { id: anyId, name: "README.md", type: "blob", path: "README.md", mode: "100644" },
      { id: anyId, name: "a.ts", type: "blob", path: "src/a.ts", mode: "100644" }
    ])
    const sha = entries.find(({ path }) => path === "README.md")?.id ?? ""
    expectExactly(await Repositories.showBlob(project, sha), {
      size: 5,
      encoding: "base64",
      content: Buffer.from("# Hi\n").toString("base64"),
      sha
    })
    const raw = await Repositories.showBlobRaw(project, sha)
    expect(raw instanceof Blob ? await raw.text() : raw).toBe("# Hi\n")
    const has = async (options: object, ...files: ReadonlyArray<string>) => {
      const archive = await Repositories.showArchive(project, { fileType: "zip", sha: id("First"), ...options })
      const zip = Buffer.from(await archive.arrayBuffer())
      return [zip.toString("latin1", 0, 2), ...files.map((file) => zip.includes(file))]
    }
    const folder = `client-${id("First")}-${id("First")}`
    expect(await has({}, `${folder}/src/a.ts`, `${folder}/README.md`)).toEqual(["PK", true, true])
    expect(await has({ path: "src" }, `${folder}-src/src/a.ts`, "README.md")).toEqual(["PK", true, false])
  })

  it("allRepositoryTrees follows pages of each kind, also by the project's path", async () => {
    const paths = async (options: object, of: number | string = project) =>
      (await client().Repositories.allRepositoryTrees(of, { ref: id("First"), recursive: true, ...options })).map(
        ({ path }) => path
      )
    const all = ["src", "README.md", "src/a.ts"]
    for (const pagination of [{}, { pagination: "keyset" }, { pagination: "legacy" }]) {
      expect(await paths({ perPage: 1, ...pagination })).toEqual(all)
    }
    expect(await paths({ perPage: 2 }, "root/client")).toEqual(all)
    expect(await paths({ perPage: 2, page: 2, maxPages: 1 })).toEqual(all.slice(2))
  })

  it("compare, mergeBase, allContributors", async () => {
    const { Repositories } = client()
    const second = {
      id: id("Second"),
      short_id: id("Second").slice(0, 8),
      title: "Second",
      author_name: "Ann",
      author_email: "ann@example.com",
      created_at: anyGitTime
    }
    const compared = {
      commit: second,
      commits: [second],
      diffs: changes,
      compare_timeout: false,
      compare_same_ref: false,
      web_url: `${web()}/-/compare/${id("First")}...${id("Second")}`
    }
    expectExactly(await Repositories.compare(project, id("First"), "topic"), compared)
    expectExactly(await Repositories.compare(project, id("First"), "topic", { straight: false }), compared)
    expectExactly(await Repositories.mergeBase(project, ["main", "topic"]), first())
    const nowhere = Repositories.mergeBase(project, ["main", "nowhere"])
    await expect(nowhere).rejects.toThrow("Could not find ref: nowhere")
    await expect(nowhere).rejects.toMatchObject({ cause: { response: { status: 400 } } })
    expectExactly(await Repositories.allContributors(project, { orderBy: "name", sort: "asc" }), [
      { name: root[0], email: root[1], commits: 5, additions: 6, deletions: 4 },
      { name: "Ann", email: "ann@example.com", commits: 1, additions: 2, deletions: 2 }
    ])
  })

  it("showChangelog, editChangelog", async () => {
    const { Repositories, RepositoryFiles } = client()
    const options = { from: id("First"), to: id("Second"), date: "2024-01-02" }
    const notes = `## 1.0.0 (2024-01-02)\n\n### added (1 change)\n\n- [Second](${web()}/-/commit/${id("Second")})\n`
    expectExactly(await Repositories.showChangelog(project, "1.0.0", options), { notes })
    expect(await Repositories.editChangelog(project, "1.0.0", { ...options, branch: "topic" })).toBe(200)
    const raw = await RepositoryFiles.showRaw(project, "CHANGELOG.md", "topic")
    expect(raw instanceof Blob ? await raw.text() : raw).toBe(notes)
  })
})
