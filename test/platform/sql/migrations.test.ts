import { mkdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { loadMigrations, readMigrations } from "#src/platform/sql/migrate.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

const folder = temporaryFolder()

/** Reads a folder in which are these files, each with its own path as text. */
const read = async (paths: ReadonlyArray<string>) => {
  const place = join(folder(), "migrations")
  await rm(place, { recursive: true, force: true })
  for (const path of paths) {
    await mkdir(dirname(join(place, path)), { recursive: true })
    await writeFile(join(place, path), path)
  }
  return Effect.runPromise(readMigrations(place))
}

const name = (number: number): string => `${String(number).padStart(4, "0")}_step.sql`
const firstTwenty = Array.from({ length: 20 }, (_, index) => `0001-0020/${name(index + 1)}`)

describe("migrations", () => {
  it("are read in the order of their numbers, over the borders of folders", async () => {
    const paths = [...firstTwenty, "0021-0040/0021_next_step.sql"]
    const migrations = await read([...paths.toReversed(), "README.md", "0001-0020/notes.txt"])
    expect(migrations.map(({ number, sql }) => [number, sql])).toEqual(paths.map((path, index) => [index + 1, path]))
    expect(migrations.at(-1)).toEqual({ number: 21, name: "next_step", sql: "0021-0040/0021_next_step.sql" })
  })

  it.each([
    [
      "two of one number",
      ["0001-0020/0001_a.sql", "0001-0020/0001_b.sql"],
      "0001-0020/0001_b.sql must be called 0001-0020/0002_"
    ],
    ["a missing number", ["0001-0020/0001_a.sql", "0001-0020/0003_c.sql"], "0001-0020/0003_c.sql must be called 0001-0020/0002_"],
    ["a number that is too short", ["0001-0020/1_a.sql"], "0001-0020/1_a.sql must be called 0001-0020/0001_"],
    ["no number", ["0001-0020/a.sql"], "0001-0020/a.sql must be called 0001-0020/0001_"],
    ["no name", ["0001-0020/0001_.sql"], "0001-0020/0001_.sql must be called 0001-0020/0001_"],
    ["an unreadable name", ["0001-0020/0001_a b.sql"], "0001-0020/0001_a b.sql must be called 0001-0020/0001_"],
    ["no folder", ["0001_a.sql"], "0001_a.sql must be called 0001-0020/0001_"],
    [
      "a folder that is not its own",
      [...firstTwenty, "0001-0020/0021_a.sql"],
      "0001-0020/0021_a.sql must be called 0021-0040/0021_"
    ],
    ["a folder within", ["0001-0020/more/0001_a.sql"], "0001-0020/more/0001_a.sql must be called 0001-0020/0001_"]
  ])("with %s are refused", async (_, paths, message) => {
    await expect(read(paths)).rejects.toThrow(`The migration ${message}<name>.sql`)
  })

  it("of installations are those that they have recorded", async () => {
    const migrations = await Effect.runPromise(loadMigrations)
    expect(migrations.slice(0, 24).map(({ number, name }) => `${number} ${name}`)).toEqual([
      "1 event_log",
      "2 projections",
      "3 project_ids",
      "4 group_shares",
      "5 repository_tasks",
      "6 append_hash",
      "7 pipelines",
      "8 schedules",
      "9 job_leases",
      "10 repository_removals",
      "11 data_key_fingerprints",
      "12 labels",
      "13 milestones",
      "14 merge_requests",
      "15 approval_rules",
      "16 award_emoji",
      "17 todos",
      "18 issues",
      "19 notes",
      "20 merge_request_labels",
      "21 merge_request_blocks",
      "22 text_search",
      "23 deployments",
      "24 reactions"
    ])
  })
})
