import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Result } from "effect"
import { expect, it } from "vitest"
import { readExport } from "#src/cli/relations/importProject.ts"
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
