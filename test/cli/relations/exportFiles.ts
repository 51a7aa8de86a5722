import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { gzipSync } from "node:zlib"
import { pack } from "tar-stream"
import { expect } from "vitest"
import { gitClient } from "#test/support/git/gitClient.ts"

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

/** Adds a repository to an export, whose branches have a commit each with these files. Answers the ids of the commits. */
export const addRepository = async (
  folder: string,
  branches: Readonly<Record<string, Readonly<Record<string, string>>>>
): Promise<ReadonlyArray<string>> => {
  const source = join(folder, "source")
  await mkdir(source, { recursive: true })
  const git = async (...args: ReadonlyArray<string>) => {
    const { status, stderr, stdout } = await gitClient(source, ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args])
    expect([args, status, status === 0 ? "" : stderr]).toEqual([args, 0, ""])
    return stdout.trim()
  }
  await git("init", "--quiet", "--initial-branch=main")
  const commits: Array<string> = []
  for (const [branch, files] of Object.entries(branches)) {
    if (commits.length > 0) await git("checkout", "--quiet", "-b", branch)
    for (const [name, text] of Object.entries(files)) await writeFile(join(source, name), text)
    await git("add", ".")
    await git("commit", "--quiet", "--message", branch)
    commits.push(await git("rev-parse", "HEAD"))
  }
  // The default branch is that of HEAD.
  await git("checkout", "--quiet", "main")
  await git("bundle", "create", "repository.bundle", "HEAD", "--branches")
  const tar = pack()
  tar.entry({ name: "repository.bundle" }, await readFile(join(source, "repository.bundle")))
  tar.finalize()
  await writeFile(join(folder, "repository.tar.gz"), gzipSync(await buffer(tar)))
  return commits
}
