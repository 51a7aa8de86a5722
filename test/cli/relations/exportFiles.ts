import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"

const time = "2024-08-15T11:25:20.423Z"
export const times = { created_at: time, updated_at: time }

/** An issue as an export has it. */
export const issueLine = (iid: number, more: object = {}): object => ({
  ...{ title: `Issue ${iid}`, author_id: 7, ...times, iid, description: null, state: "opened" },
  ...more
})

/** A merge request as an export has it, of which little is known. */
export const requestLine = (iid: number, more: object = {}): object => ({
  ...{ title: `Request ${iid}`, author_id: 7, ...times, iid, description: null, state: "closed" },
  ...{ source_branch: `topic-${iid}`, target_branch: "main", source_project_id: 3, target_project_id: 3 },
  ...more
})

export const labelLine = (title: string): object => ({ title, color: "#d9534f", ...times, type: "ProjectLabel" })

export const scheduleLine = (cron: string): object => ({
  ...{ description: "Nightly", ref: "refs/heads/main", cron, cron_timezone: "UTC", owner_id: 7 },
  ...times
})

/** The text of a file: a line for each record. */
export const linesOf = (records: ReadonlyArray<object>): string => records.map((record) => `${JSON.stringify(record)}\n`).join("")

/** Writes compressed files into a folder. */
export const writeExport = async (folder: string, files: Readonly<Record<string, string>>): Promise<string> => {
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), gzipSync(text))
  return folder
}
