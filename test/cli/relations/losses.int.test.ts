import { spawnSync } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { gzipSync } from "node:zlib"
import { pack } from "tar-stream"
import { describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { linesOf, requestLine, times } from "./exportFiles.ts"
import { useImports } from "./useImports.ts"

const { folder, installation, read, run, statusOf, write } = useImports()

/** Imports where no file may have more than a mebibyte. */
const runWithSmallFiles = (...args: ReadonlyArray<string>) => {
  const command = ["-c", 'ulimit -f 2048; exec "$@"', "sh", process.execPath, "src/main.js", "import-relations", ...args]
  const {
    status: code,
    stderr,
    stdout
  } = spawnSync("sh", command, {
    env: { PATH: process.env.PATH, LOG_LEVEL: "error", ...installation.settings },
    encoding: "utf8"
  })
  return { code, stderr, stdout }
}

describe("uploads", () => {
  const secret = "1".repeat(20)
  const many = Array.from({ length: 40 }, (_, index) => `${String(index).padStart(32, "0")}/a.txt`)
  const tarOf = async (path: string, names: ReadonlyArray<string>, content = "content") => {
    const tar = pack()
    for (const name of names) tar.entry({ name }, content)
    tar.finalize()
    await write(path, { "labels.ndjson.gz": "" })
    await writeFile(join(folder(), path, "uploads.tar.gz"), gzipSync(await buffer(tar)))
    return join(folder(), path)
  }

  it("come with secrets of any length, in their order; other files are named", async () => {
    const path = await tarOf("uploads", ["./avatar/logo.png", `${secret}/a.txt`, ...many])
    const { code, stderr, stdout } = await run(path, "team/uploads")
    expect([code, stdout]).toEqual([0, "Imported 41 uploads into team/uploads\n"])
    expect(stderr).toContain('No uploads, so nothing is made of them: "./avatar/logo.png"\n')
    expect(await statusOf(`/projects/team%2Fuploads/uploads/${secret}/a.txt`)).toBe(200)
    const project = field(await read("/projects/team%2Fuploads"), "id")
    const rows = await installation.sql(`select secret from rm_uploads.uploads where project_id = ${project} order by id`)
    expect(rows).toEqual([[secret], ...many.map((name) => [name.slice(0, 32)])])
  })

  it("that the disk does not take end the import in words, and nothing stays", async () => {
    const path = await tarOf("too-large", many.slice(0, 1), "x".repeat(2 * 1024 * 1024))
    const { code, stderr, stdout } = runWithSmallFiles(path, "team/too-large")
    const told = "uploads.tar.gz cannot be brought: EFBIG: file too large, write\n"
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining(told)])
    expect(stderr).not.toContain("    at ")
    expect(await statusOf("/projects/team%2Ftoo-large")).toBe(404)
  })
})

it("what is not kept of records is counted", async () => {
  const open = (iid: number, more: object) => requestLine(iid, { state: "opened", ...more })
  const bridge = { name: "deploy", status: "success", user_id: 99 }
  const stages = [
    { name: "test", bridges: [bridge, bridge] },
    { name: "deploy", bridges: [bridge] }
  ]
  const built = { ref: "main", sha: "b".repeat(40), ...times, status: "success", source: "push", stages }
  const path = await write("lost", {
    "merge_requests.ndjson.gz": linesOf([
      open(1, { merge_user_id: 7 }),
      open(2, { merge_when_pipeline_succeeds: true }),
      open(3, {}),
      requestLine(4, { state: "merged", merge_user_id: 7 })
    ]),
    "ci_pipelines.ndjson.gz": linesOf([built])
  })
  const lost = (await run(path, "team/lost")).stderr
  expect(lost).toContain(
    "2 merge requests were set to merge automatically, which they are not here\nNothing is made of 3 trigger jobs\n"
  )
  const { stderr } = await run(
    await write("nothing lost", { "merge_requests.ndjson.gz": linesOf([open(1, {})]) }),
    "team/not-lost"
  )
  expect(stderr).not.toMatch(/automatically|trigger/)
})
