import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"

/** A folder for the tests of one file, which only its owner may enter. Its path is known from the first test on. */
export const temporaryFolder = (): (() => string) => {
  let path = ""
  beforeAll(async () => {
    path = await mkdtemp(join(tmpdir(), "chronoforge-"))
  })
  afterAll(() => rm(path, { recursive: true, force: true }))
  return () => path
}
