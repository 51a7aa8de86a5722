import { mkdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { checksumOf, loadMigrations, readMigrations } from "#src/platform/sql/migrate.ts"
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

  it("are never edited, because installations have recorded them", async () => {
    const migrations = await Effect.runPromise(loadMigrations)
    expect(migrations.map((each) => `${each.number} ${each.name} ${checksumOf(each).slice(0, 12)}`)).toEqual([
      "1 event_log 1106e243184c",
      "2 projections 049b482f60fb",
      "3 project_ids e9870dd145a8",
      "4 group_shares 4d2d24667907",
      "5 repository_tasks 907d04014eeb",
      "6 append_hash 375b0d8606b3",
      "7 pipelines b81ecf948ac0",
      "8 schedules a52adf4e869a",
      "9 job_leases bec47f9328da",
      "10 repository_removals 273537265ba7",
      "11 data_key_fingerprints ab297df9cd41",
      "12 labels 17942ba4d250",
      "13 milestones 419ad1867152",
      "14 merge_requests b33e387071ec",
      "15 approval_rules 98489938c72e",
      "16 award_emoji e29f068801fc",
      "17 todos abb03e916f96",
      "18 issues 7a7371d224ff",
      "19 notes f2c096779c9e",
      "20 merge_request_labels 6a69b666136f",
      "21 merge_request_blocks d7ca843392f5",
      "22 text_search 5fcf6162d138",
      "23 deployments bceedaca7476",
      "24 reactions b4a979023307",
      "25 export_records 81fc6a7c5e8b",
      "26 releases 3a9c29d2ba32",
      "27 uploads 10d3923e6748",
      "28 export_tables 6c0ceb079b53",
      "29 append_fences 2bb686caf457",
      "30 idempotent_files 85000c0eeacb"
    ])
  })
})
