import { mkdir, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { makeFolder } from "#src/git/process/makeFolder.ts"
import { temporaryFolder } from "../../support/temporaryFolder.ts"

const folder = temporaryFolder()

const failure = (code: string) => Object.assign(new Error(code), { code })

/** `mkdir` below a folder of a disk that can only be read, as Node answers there. */
const onReadOnlyDisk = (root: string) => async (path: string, options: { readonly recursive?: boolean }) => {
  if (!path.startsWith(root)) throw failure("EEXIST")
  throw failure(options.recursive === true ? "ENOENT" : "EROFS")
}

it("makes a folder with those above it, and again", async () => {
  const path = join(folder(), "a", "b", "c")
  for (const _ of [1, 2]) await makeFolder(path, 0o700)
  const modes = await Promise.all([path, join(path, "..")].map((each) => stat(each)))
  expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o700])
})

it("tells what the system tells", async () => {
  const made = makeFolder(join(folder(), "r", "s"), 0o700, onReadOnlyDisk(join(folder(), "r")))
  await expect(made).rejects.toMatchObject({ code: "EROFS" })
  await writeFile(join(folder(), "file"), "")
  await expect(makeFolder(join(folder(), "file", "d"))).rejects.toMatchObject({ code: "ENOTDIR" })
  await expect(makeFolder(join(folder(), "file"))).rejects.toMatchObject({ code: "EEXIST" })
})

it("makes what was removed while it was made", async () => {
  let calls = 0
  const once = async (path: string, options: object) => {
    if (calls++ === 0) throw failure("ENOENT")
    return mkdir(path, options)
  }
  await makeFolder(join(folder(), "x", "y"), 0o700, once)
  expect((await stat(join(folder(), "x", "y"))).isDirectory()).toBe(true)
})
