import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { gzipSync } from "node:zlib"
import { Effect, Result, Stream } from "effect"
import { pack } from "tar-stream"
import { describe, expect, it } from "vitest"
import { readExport } from "#src/cli/relations/importProject.ts"
import { MergeRequest } from "#src/cli/relations/shapes/issuables.ts"
import { Pipeline } from "#src/cli/relations/shapes/pipelines.ts"
import { fileName } from "#src/exports/relations.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { issueLine, labelLine, linesOf, requestLine, scheduleLine, times, writeExport } from "./exportFiles.ts"

const folder = temporaryFolder()

const reasonOf = async (path: string) => {
  const read = await Effect.runPromise(Effect.result(readExport(path)))
  return Result.isFailure(read) ? read.failure.message : undefined
}

const broken: ReadonlyArray<readonly [name: string, files: Readonly<Record<string, string>>, message: string]> = [
  ["nothing", {}, "FOLDER holds no file of an export, such as labels.ndjson.gz"],
  ["no JSON", { "labels.ndjson.gz": `${linesOf([labelLine("a")])}{"title"\n` }, "labels.ndjson.gz, line 2 is no JSON"],
  [
    "no number",
    { "issues.ndjson.gz": linesOf([issueLine(1), { ...issueLine(2), iid: "two" }]) },
    `issues.ndjson.gz, line 2: Expected number\n  at ["iid"]`
  ],
  [
    "no time",
    { "issues.ndjson.gz": linesOf([{ ...issueLine(2), created_at: "yesterday" }]) },
    `issues.ndjson.gz, line 1: no time: yesterday\n  at ["created_at"]`
  ],
  [
    "a number twice",
    { "issues.1.ndjson.gz": linesOf([issueLine(1)]), "issues.2.ndjson.gz": linesOf([issueLine(2), issueLine(1)]) },
    "issues.2.ndjson.gz, line 2: Two of issues are called 1"
  ],
  [
    "a title twice",
    { "labels.ndjson.gz": linesOf([labelLine("a"), labelLine("a")]) },
    "labels.ndjson.gz, line 2: Two of labels are called ProjectLabel a"
  ],
  [
    "a title of milestones twice",
    { "milestones.ndjson.gz": linesOf([1, 2].map((iid) => ({ iid, title: "v1", state: "active", ...times }))) },
    "milestones.ndjson.gz, line 2: Two of milestones are called v1"
  ],
  ["no first batch", { "issues.2.ndjson.gz": "" }, "There is issues.2.ndjson.gz, but no issues.1.ndjson.gz"],
  [
    "batches and the whole",
    { "issues.1.ndjson.gz": "", "issues.ndjson.gz": "" },
    "There are issues.ndjson.gz and issues.1.ndjson.gz"
  ],
  [
    "no pattern",
    { "pipeline_schedules.ndjson.gz": linesOf([scheduleLine("now and then")]) },
    `pipeline_schedules.ndjson.gz, line 1: syntax is invalid\n  at ["cron"]`
  ],
  [
    "a text with NUL",
    { "issues.ndjson.gz": linesOf([issueLine(1, { title: "a\0b" })]) },
    `issues.ndjson.gz, line 1: a text with NUL or half a character\n  at ["title"]`
  ],
  [
    "a day that is none",
    { "issues.ndjson.gz": linesOf([issueLine(1, { due_date: "soon" })]) },
    `issues.ndjson.gz, line 1: no day: soon\n  at ["due_date"]`
  ],
  [
    "a day that there is not",
    { "milestones.ndjson.gz": linesOf([{ iid: 1, title: "v1", state: "active", ...times, due_date: "2026-02-31" }]) },
    `milestones.ndjson.gz, line 1: no day: 2026-02-31\n  at ["due_date"]`
  ],
  [
    "a time of a day that there is not",
    { "issues.ndjson.gz": linesOf([issueLine(1, { updated_at: "2023-02-29T11:25:20.423Z" })]) },
    `issues.ndjson.gz, line 1: no time: 2023-02-29T11:25:20.423Z\n  at ["updated_at"]`
  ],
  [
    "a time that no answer tells",
    { "issues.ndjson.gz": linesOf([issueLine(1, { updated_at: "9999-12-31T23:59:59-01:00" })]) },
    `issues.ndjson.gz, line 1: no time: 9999-12-31T23:59:59-01:00\n  at ["updated_at"]`
  ],
  [
    "a label that nobody could make",
    { "labels.ndjson.gz": linesOf([{ ...labelLine("a,b"), color: "javascript:alert(1)" }]) },
    `labels.ndjson.gz, line 1: is invalid\n  at ["title"]\nmust be a valid color code\n  at ["color"]`
  ]
]
for (const [name, files, message] of broken) {
  it(`${name}: ${message}`, async () => {
    const path = await writeExport(join(folder(), name), files)
    expect((await reasonOf(path))?.replace(path, "FOLDER")).toBe(message)
  })
}

const long = (length: number): string => "x".repeat(length)
const tooLong = (maximum: number): string => `is too long (maximum is ${maximum} characters)`
const milestone = { iid: 1, title: "v1", state: "active", ...times }
const note = { note: "Hm", author_id: 5, ...times }
const pipeline = { ref: "main", sha: "b".repeat(40), ...times, status: "success", source: "push", iid: 1 }
const job = { name: "build", status: "success", created_at: times.created_at }
const release = { tag: "v1", ...times }
const timelogs = (...seconds: ReadonlyArray<number>) =>
  seconds.map((time_spent) => ({ time_spent, user_id: 7, created_at: times.created_at }))
const link = { name: "Tool", url: "https://example.com/tool", filepath: null, link_type: "other" }

/** A merge request whose diff says this of how large it is. */
const sized = (size: object) => requestLine(1, { merge_request_diff: { created_at: times.created_at, ...size } })
const noCount = (size: string) =>
  ["merge_requests", sized({ real_size: size }), `no count: ${size}`, "merge_request_diff", "real_size"] as const
const belowZero = "Expected a value between 0 and 2147483647"

/** What no client could make: the relation, a record of it, what is said of it, and of which field. */
const refused: ReadonlyArray<readonly [relation: string, record: object, text: string, ...path: ReadonlyArray<string | number>]> =
  [
    ["issues", issueLine(1, { title: long(256) }), tooLong(255), "title"],
    ["issues", issueLine(1, { title: " " }), "can't be blank", "title"],
    ["issues", issueLine(1, { description: long(1_048_577) }), tooLong(1_048_576), "description"],
    [
      "issues",
      issueLine(1, { label_links: Array.from({ length: 501 }, (_, index) => ({ label: labelLine(`${index}`) })) }),
      "are too many (maximum is 500)",
      "label_links"
    ],
    ["issues", issueLine(1, { label_links: [{ label: labelLine("a,b") }] }), "is invalid", "label_links", 0, "label", "title"],
    ["issues", issueLine(1, { milestone: { ...milestone, title: long(256) } }), tooLong(255), "milestone", "title"],
    ["issues", issueLine(1, { notes: [{ ...note, note: long(1_000_001) }] }), tooLong(1_000_000), "notes", 0, "note"],
    [
      "issues",
      issueLine(1, { award_emoji: [{ user_id: 7, name: long(101), created_at: times.created_at }] }),
      "is not a valid emoji name",
      ...["award_emoji", 0, "name"]
    ],
    ["merge_requests", requestLine(1, { title: long(256) }), tooLong(255), "title"],
    ["merge_requests", requestLine(1, { description: long(1_048_577) }), tooLong(1_048_576), "description"],
    ["merge_requests", requestLine(1, { source_branch: "../x y" }), "is invalid", "source_branch"],
    ["merge_requests", requestLine(1, { target_branch: "-x" }), "is invalid", "target_branch"],
    [
      "merge_requests",
      requestLine(1, { approvals_before_merge: 101 }),
      "must be less than or equal to 100",
      "approvals_before_merge"
    ],
    ["merge_requests", requestLine(1, { time_estimate: -1 }), "must be greater than or equal to 0", "time_estimate"],
    ["merge_requests", requestLine(1, { timelogs: timelogs(60, -61, 60) }), "take away more time than was spent", "timelogs"],
    ...["", "abc", "-1", "1.5", "1++", "2147483648", "99999999999"].map(noCount),
    ["merge_requests", sized({ files_count: -9 }), belowZero, "merge_request_diff", "files_count"],
    ["merge_requests", sized({ commits_count: -9 }), belowZero, "merge_request_diff", "commits_count"],
    ["labels", { ...labelLine("a"), priorities: [{ priority: -1 }] }, "must be greater than or equal to 0", "priorities"],
    ["milestones", { ...milestone, description: long(65_537) }, tooLong(65_536), "description"],
    [
      "milestones",
      { ...milestone, start_date: "2024-01-02", due_date: "2024-01-01" },
      "must be greater than start date",
      "due_date"
    ],
    ["ci_pipelines", { ...pipeline, ref: "a b" }, "no name of a branch or tag", "ref"],
    ["ci_pipelines", { ...pipeline, pipeline_metadata: { name: long(256) } }, tooLong(255), "pipeline_metadata", "name"],
    [
      "ci_pipelines",
      { ...pipeline, stages: [{ name: "test", builds: [{ ...job, name: long(256) }] }] },
      tooLong(255),
      ...["stages", 0, "builds", 0, "name"]
    ],
    [
      "ci_pipelines",
      { ...pipeline, stages: [{ name: "test", generic_commit_statuses: [{ ...job, target_url: "ftp://example.com" }] }] },
      "is blocked: Only allowed schemes are http, https",
      ...["stages", 0, "generic_commit_statuses", 0, "target_url"]
    ],
    ["ci_pipelines", { ...pipeline, merge_request: requestLine(1, { title: "" }) }, "can't be blank", "merge_request", "title"],
    ["pipeline_schedules", { ...scheduleLine("0 1 * * *"), ref: "" }, "no name of a branch or tag", "ref"],
    ["releases", { ...release, tag: "a..b" }, "is no name of a tag", "tag"],
    ["releases", { ...release, name: long(256) }, tooLong(255), "name"],
    ["releases", { ...release, description: long(1_000_001) }, tooLong(1_000_000), "description"],
    ["releases", { ...release, links: [link, { ...link, url: "https://example.com" }] }, "Name has already been taken", "links"],
    ["commit_notes", { ...note, note: " ", commit_id: "b".repeat(40) }, "can't be blank", "note"],
    ["protected_branches", { name: long(256), updated_at: times.updated_at }, `Name ${tooLong(255)}`],
    [
      "protected_tags",
      { name: "v*", updated_at: times.updated_at, create_access_levels: [{ access_level: 99 }] },
      "Create access levels access level is not included in the list"
    ],
    ["self", { visibility_level: 99 }, "Expected 0 | 10 | 20", "visibility_level"],
    ["self", { description: long(2_001) }, tooLong(2_000), "description"],
    ["self", { build_timeout: 1 }, "needs to be between 10 minutes and 1 month", "build_timeout"],
    ["project_feature", { issues_access_level: 99 }, "Expected 0 | 10 | 20 | 30", "issues_access_level"],
    ["ci_cd_settings", { default_git_depth: 1_001 }, "must be less than or equal to 1000", "default_git_depth"]
  ]
for (const [index, [relation, record, text, ...path]] of refused.entries()) {
  const place = path.length === 0 ? "" : `\n  at ${path.map((part) => `[${JSON.stringify(part)}]`).join("")}`
  it(`${relation}${place}: ${text}`, async () => {
    const file = fileName(relation)
    const written = await writeExport(join(folder(), `refused-${index}`), { "labels.ndjson.gz": "", [file]: linesOf([record]) })
    expect((await reasonOf(written))?.split("\n  at")[0]).toBe(`${file}, line 1: ${text}`)
    expect(await reasonOf(written)).toContain(place)
  })
}

it("what clients could make at the most is read", async () => {
  const path = await writeExport(join(folder(), "most"), {
    "issues.ndjson.gz": linesOf([
      issueLine(1, { title: "\u{1f600}".repeat(255), description: long(1_048_576) }),
      issueLine(2, { due_date: "2024-02-29", updated_at: "2024-02-29 23:25:20 UTC", closed_at: "9999-12-31T23:59:59.999Z" })
    ]),
    "merge_requests.ndjson.gz": linesOf([
      ...["0", "1000+", "2147483647"].map((real_size, index) => ({ ...sized({ real_size }), iid: index + 2 })),
      requestLine(1, { time_estimate: 0, timelogs: timelogs(60, -60, 2 ** 31 - 1) })
    ]),
    "releases.ndjson.gz": linesOf([{ ...release, tag: `${long(200)}/${long(200)}`, name: `${long(200)}/${long(200)}` }])
  })
  expect(await reasonOf(path)).toBeUndefined()
})

it("no folder", async () => {
  expect(await reasonOf("/nowhere")).toBe("There is no folder /nowhere")
})

it("a file that is cut short, and one that is not compressed", async () => {
  const path = await writeExport(join(folder(), "cut"), { "labels.ndjson.gz": linesOf([labelLine("a")]) })
  await writeFile(join(path, "issues.ndjson.gz"), Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]))
  expect(await reasonOf(path)).toBe("issues.ndjson.gz cannot be read: unexpected end of file")
  await writeFile(join(path, "issues.ndjson.gz"), linesOf([issueLine(1)]))
  expect(await reasonOf(path)).toBe("issues.ndjson.gz cannot be read: incorrect header check")
})

it("what can be read is counted, with the users that it names", async () => {
  const path = await writeExport(join(folder(), "right"), {
    "labels.ndjson.gz": linesOf([labelLine("a \u2028"), labelLine("b")]),
    "issues.1.ndjson.gz": linesOf([issueLine(1, { notes: [{ note: "Hm", author_id: 5, ...times }] })]),
    "issues.2.ndjson.gz": linesOf([issueLine(2, { author_id: null })]),
    "merge_requests.ndjson.gz": linesOf([requestLine(1, { merge_user_id: 6 })]).trimEnd(),
    "auto_devops.ndjson.gz": "null"
  })
  const { contents, project } = await Effect.runPromise(readExport(path))
  expect(Object.fromEntries([...contents.counts].filter(([, count]) => count > 0))).toEqual({
    labels: 2,
    issues: 2,
    merge_requests: 1
  })
  expect([[...contents.userIds].sort(), project]).toEqual([
    [5, 6, 7],
    { settings: {}, isArchived: false, isPagesHttpsOnly: null }
  ])
})

it("other services write some things in other ways", async () => {
  const request = requestLine(1, {
    merge_params: { force_remove_source_branch: "1" },
    diff_head_sha: "HEAD",
    merge_request_diff: { created_at: times.created_at, base_commit_sha: "--output=/tmp/a", head_commit_sha: "a".repeat(40) }
  })
  const pipeline = { ref: null, sha: "b".repeat(40), ...times, status: "waiting_for_callback", source: "unknown" }
  const path = await writeExport(join(folder(), "foreign"), {
    "merge_requests.ndjson.gz": linesOf([request]),
    "ci_pipelines.ndjson.gz": linesOf([{ ...pipeline, stages: [{ name: "test", statuses: [] }] }]),
    "self.json.gz": JSON.stringify({ squash_option: "sometimes", archived: "false" })
  })
  const { folder: files, project } = await Effect.runPromise(readExport(path))
  const [read] = await Effect.runPromise(Stream.runCollect(files.records("merge_requests", MergeRequest)))
  const { diff_head_sha, merge_params, merge_request_diff } = read ?? expect.unreachable("There is none")
  expect([merge_params?.force_remove_source_branch, diff_head_sha, merge_request_diff?.base_commit_sha]).toEqual([
    true,
    null,
    null
  ])
  const [built] = await Effect.runPromise(Stream.runCollect(files.records("ci_pipelines", Pipeline)))
  expect([built?.iid, built?.ref, built?.status, built?.source]).toEqual([null, null, "canceled", "push"])
  expect([project.settings.squashOption, project.isArchived]).toEqual([undefined, false])
})

it("files may be unpacked", async () => {
  const path = await writeExport(join(folder(), "unpacked"), { "labels.ndjson.gz": linesOf([labelLine("a")]) })
  await writeFile(join(path, "issues.ndjson"), linesOf([issueLine(1)]))
  expect((await Effect.runPromise(readExport(path))).contents.counts.get("issues")).toBe(1)
})

it("the repository and batches may be unpacked, some or all", async () => {
  const path = await writeExport(join(folder(), "unpacked-batches"), { "issues.2.ndjson.gz": linesOf([issueLine(2)]) })
  await writeFile(join(path, "issues.1.ndjson"), linesOf([issueLine(1)]))
  await writeFile(join(path, "issues.3.ndjson"), linesOf([issueLine(3)]))
  await writeFile(join(path, "labels.1.ndjson"), linesOf([labelLine("a")]))
  await writeFile(join(path, "repository.tar"), "")
  const read = await Effect.runPromise(readExport(path))
  const { counts } = read.contents
  expect([counts.get("issues"), counts.get("labels"), read.folder.repository]).toEqual([3, 1, join(path, "repository.tar")])
})

describe("a tar of uploads", () => {
  const [first, second] = ["a".repeat(32), "b".repeat(32)]
  type Entry = string | { name: string; type: "symlink" } | { name: string; pax: { mtime: string } }
  /** Writes a tar with these entries: the folder that it is in. */
  const written = async (name: string, file: string, entries: ReadonlyArray<Entry>) => {
    const tar = pack()
    for (const entry of entries) {
      if (typeof entry === "string") tar.entry({ name: entry }, entry.endsWith("/") ? "" : "content")
      else if ("type" in entry) tar.entry({ ...entry, linkname: "/etc/passwd" })
      else tar.entry(entry, "content")
    }
    tar.finalize()
    const path = join(folder(), name)
    await mkdir(path)
    await writeFile(join(path, file), gzipSync(await buffer(tar)))
    return path
  }

  it("is counted, in batches too", async () => {
    const path = await written("uploads", "uploads.1.tar.gz", [`${first}/a.txt`, `./${second}/b.txt`])
    expect((await Effect.runPromise(readExport(path))).contents.counts.get("uploads")).toBe(2)
  })

  it("is read without the files at other places, which are named", async () => {
    const others = ["./avatar/logo.png", "top.txt", "a/a.txt", `${first}/a b.txt`, `${second}/deeper/b.txt`]
    const secrets = ["a".repeat(10), "b".repeat(20), "c".repeat(40)]
    const path = await written("others", "uploads.tar.gz", [...others, ...secrets.map((secret) => `./${secret}/a.txt`)])
    const { counts, otherFiles } = (await Effect.runPromise(readExport(path))).contents
    expect([counts.get("uploads"), otherFiles]).toEqual([3, others])
  })

  it.each<[name: string, entries: Parameters<typeof written>[2], message: string]>([
    ["a path", [`${first}/../../a.txt`], `it holds "${first}/../../a.txt", which is no upload`],
    ["an absolute path", [`/${first}/a.txt`], `it holds "/${first}/a.txt", which is no upload`],
    ["a path behind a folder", ["avatar/../../a.txt"], 'it holds "avatar/../../a.txt", which is no upload'],
    ["a link", [{ name: `${first}/a`, type: "symlink" }], `it holds "${first}/a", which is no file`]
  ])("that holds %s is refused", async (name, entries, message) => {
    expect(await reasonOf(await written(name, "uploads.tar.gz", entries))).toBe(`uploads.tar.gz cannot be read: ${message}`)
  })

  it.each(["9000000000000", "-9000000000000", "253402300800", "-62167219201", "1e300", "soon"])(
    "that holds a file of the time %s is refused",
    async (mtime) => {
      const path = await written(`time ${mtime}`, "uploads.tar.gz", [{ name: `${first}/a`, pax: { mtime } }])
      expect(await reasonOf(path)).toBe(
        `uploads.tar.gz cannot be read: it holds "${first}/a", whose time is not in the years 0000 to 9999`
      )
    }
  )

  it("is read with times of the years 0000 to 9999", async () => {
    const times = ["-62167219200", "253402300799.999"]
    const entries = times.map((mtime, index) => ({ name: `${index}${first.slice(1)}/a`, pax: { mtime } }))
    expect(await reasonOf(await written("times", "uploads.tar.gz", entries))).toBeUndefined()
  })

  it("that holds two of one secret is refused", async () => {
    const path = await written("twice", "uploads.tar.gz", [`${first}/a.txt`, `${first}/b.txt`])
    expect(await reasonOf(path)).toBe(`Two uploads have the secret ${first}`)
  })

  it("that is cut short is refused", async () => {
    const path = await written("cut-tar", "uploads.2.tar.gz", [])
    expect(await reasonOf(path)).toBe("There is uploads.2.tar.gz, but no uploads.1.tar.gz")
  })
})
