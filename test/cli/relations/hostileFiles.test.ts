import { execFileSync } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { createGzip, gzipSync } from "node:zlib"
import { Effect, Result } from "effect"
import { pack } from "tar-stream"
import { describe, expect, it } from "vitest"
import { readExport } from "#src/cli/relations/importProject.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { issueLine, labelLine, linesOf, writeExport } from "./exportFiles.ts"

const folder = temporaryFolder()

const read = (path: string) => Effect.runPromise(Effect.result(readExport(path)))
const reasonOf = async (path: string) => {
  const result = await read(path)
  return Result.isFailure(result) ? result.failure.message : undefined
}
const labels = { "labels.ndjson.gz": linesOf([labelLine("a")]) }

/** An issue with an attribute that is not read, which has this JSON. */
const withExtra = (json: string): string => `${JSON.stringify(issueLine(2)).slice(0, -1)},"extra":${json}}\n`

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth)

describe("a line", () => {
  const first = linesOf([issueLine(1)])
  it.each<[name: string, line: string, reason: string | undefined]>([
    ["nested as deep as may be", withExtra(nested(99)), undefined],
    ["nested deeper", withExtra(nested(100)), "is nested deeper than 100 levels"],
    ["nested very deep", withExtra(nested(200_000)), "is nested deeper than 100 levels"],
    ["with brackets in a text", withExtra(JSON.stringify(`"\\${nested(200)}`)), undefined],
    ["with four million values", withExtra(`[${"0,".repeat(3_999_980)}0]`), undefined],
    ["with more", withExtra(`[${"0,".repeat(4_000_000)}0]`), "has more than 4000000 values"],
    ["with more brackets", withExtra(`[${`${nested(98)},`.repeat(41_000)}0]`), "has more than 4000000 values"]
  ])("%s", async (name, line, reason) => {
    const path = await writeExport(join(folder(), name), { "issues.ndjson.gz": first + line })
    expect(await reasonOf(path)).toBe(reason === undefined ? undefined : `issues.ndjson.gz, line 2 ${reason}`)
  })

  it("of more than 256 MiB is refused", async () => {
    const path = await writeExport(join(folder(), "long"), {})
    const packing = createGzip({ level: 1 })
    const packed = buffer(packing)
    packing.write(first)
    for (let mebibytes = 0; mebibytes <= 256; mebibytes++) packing.write(Buffer.alloc(2 ** 20, "a"))
    packing.end()
    await writeFile(join(path, "issues.ndjson.gz"), await packed)
    expect(await reasonOf(path)).toBe("issues.ndjson.gz cannot be read: line 2 has more than 256 MiB")
  })

  it("of bytes that are no UTF-8 is refused", async () => {
    const path = await writeExport(join(folder(), "bytes"), {})
    const line = Buffer.from(linesOf([issueLine(2, { title: "?" })]))
    line[line.indexOf("?")] = 0xff
    await writeFile(join(path, "issues.ndjson"), Buffer.concat([Buffer.from(first), line]))
    expect(await reasonOf(path)).toBe("issues.ndjson, line 2 is no UTF-8")
  })

  it("may have a byte order mark before it, where it is the first", async () => {
    const marked = `\uFEFF${first}`
    expect(await reasonOf(await writeExport(join(folder(), "marked"), { "issues.ndjson.gz": marked }))).toBeUndefined()
    const path = await writeExport(join(folder(), "marked twice"), { "issues.ndjson.gz": marked + marked })
    expect(await reasonOf(path)).toBe("issues.ndjson.gz, line 2 is no JSON")
  })

  it("without anything is refused", async () => {
    const path = await writeExport(join(folder(), "blank"), { "issues.ndjson.gz": `${first}\n${first}` })
    expect(await reasonOf(path)).toBe("issues.ndjson.gz, line 2 is no JSON")
  })
})

describe("a folder is refused", () => {
  it.each(["issues.ndjson", "issues.1.ndjson.gz", "boards.ndjson.gz", "uploads.tar.gz"])("with a pipe, %s", async (name) => {
    const path = await writeExport(join(folder(), `pipe ${name}`), labels)
    execFileSync("sh", ["-c", 'mkfifo "$0"', join(path, name)])
    expect(await reasonOf(path)).toBe(`${name} is no file`)
  })

  it("with a folder in place of a file", async () => {
    const path = await writeExport(join(folder(), "folder"), labels)
    await mkdir(join(path, "issues.ndjson.gz"))
    expect(await reasonOf(path)).toBe("issues.ndjson.gz is no file")
  })

  it.each(["labels.ndjson", "issues.1.ndjson", "repository.tar", "self.json", "boards.ndjson"])(
    "with a file that is there packed and unpacked, %s",
    async (name) => {
      const path = await writeExport(join(folder(), `twice ${name}`), { ...labels, [`${name}.gz`]: "" })
      await writeFile(join(path, name), "")
      expect(await reasonOf(path)).toBe(`There are ${name} and ${name}.gz`)
    }
  )
})

it("relations that nothing is made of are told where they hold something, or cannot be read", async () => {
  const path = await writeExport(join(folder(), "unread"), {
    ...labels,
    "snippets.ndjson.gz": "",
    "error_tracking_setting.ndjson.gz": "null\n",
    "service_desk_setting.ndjson.gz": "{}",
    "external_pull_requests.1.ndjson.gz": "",
    "external_pull_requests.2.ndjson.gz": "{}\n"
  })
  await writeFile(join(path, "boards.ndjson.gz"), "no gzip")
  const empty = pack()
  empty.entry({ name: "./", type: "directory" })
  empty.finalize()
  await writeFile(join(path, "design.tar.gz"), gzipSync(await buffer(empty)))
  const full = pack()
  full.entry({ name: "object" }, "content")
  full.finalize()
  await writeFile(join(path, "lfs_objects.tar.gz"), gzipSync(await buffer(full)))
  const result = await read(path)
  const unread = Result.isSuccess(result) ? await Effect.runPromise(result.success.folder.unread) : result.failure
  expect(unread).toEqual(["external_pull_requests", "boards", "service_desk_setting", "lfs_objects"])
})
