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
  ["a number twice", { "issues.ndjson.gz": linesOf([issueLine(1), issueLine(1)]) }, "Two of issues are called 1"],
  ["no first batch", { "issues.2.ndjson.gz": "" }, "There is issues.2.ndjson.gz, but no issues.1.ndjson.gz"],
  [
    "batches and the whole",
    { "issues.1.ndjson.gz": "", "issues.ndjson.gz": "" },
    "There are issues.ndjson.gz and issues.1.ndjson.gz"
  ],
  [
    "no pattern",
    { "pipeline_schedules.ndjson.gz": linesOf([scheduleLine("now and then")]) },
    "The schedule Nightly cannot be kept: cron syntax is invalid"
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
    "a label that nobody could make",
    { "labels.ndjson.gz": linesOf([{ ...labelLine("a,b"), color: "javascript:alert(1)" }]) },
    "The label a,b cannot be kept: title is invalid, color must be a valid color code"
  ]
]
for (const [name, files, message] of broken) {
  it(`${name}: ${message}`, async () => {
    const path = await writeExport(join(folder(), name), files)
    expect((await reasonOf(path))?.replace(path, "FOLDER")).toBe(message)
  })
}

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

describe("a tar of uploads", () => {
  const [first, second] = ["a".repeat(32), "b".repeat(32)]
  /** Writes a tar with these entries: the folder that it is in. */
  const written = async (name: string, file: string, entries: ReadonlyArray<string | { name: string; type: "symlink" }>) => {
    const tar = pack()
    for (const entry of entries) {
      if (typeof entry === "string") tar.entry({ name: entry }, entry.endsWith("/") ? "" : "content")
      else tar.entry({ ...entry, linkname: "/etc/passwd" })
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

  it.each<[name: string, entries: Parameters<typeof written>[2], message: string]>([
    ["a path", [`${first}/../../a.txt`], `it holds "${first}/../../a.txt", which is no upload`],
    ["an absolute path", [`/${first}/a.txt`], `it holds "/${first}/a.txt", which is no upload`],
    ["no secret", ["a/a.txt"], 'it holds "a/a.txt", which is no upload'],
    ["a name that is none", [`${first}/a b.txt`], `it holds "${first}/a b.txt", which is no upload`],
    ["a link", [{ name: `${first}/a`, type: "symlink" }], `it holds "${first}/a", which is no file`]
  ])("that holds %s is refused", async (name, entries, message) => {
    expect(await reasonOf(await written(name, "uploads.tar.gz", entries))).toBe(`uploads.tar.gz cannot be read: ${message}`)
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
