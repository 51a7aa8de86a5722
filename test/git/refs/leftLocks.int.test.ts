import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { moveOnDisk } from "#src/git/refs/moveOnDisk.ts"
import { updateRefs } from "#src/git/refs/updateRefs.ts"
import { runProgram } from "#test/support/processes/runProgram.ts"
import { until } from "#test/support/until.ts"
import { useStandardRepository, withObjects } from "../useRepository.ts"

const standard = useStandardRepository()

/** A move that stands still while it holds the lock of its ref, whose file is a pipe that nobody has written to. */
const standingStill = async (name: string) => {
  const { ids, repository } = standard()
  const file = join(repository.path, name)
  const [pipe, lock] = [`${file}.pipe`, `${file}.lock`]
  runProgram("mkfifo", [file])
  const moving = withObjects(moveOnDisk(repository, [{ name, from: ids.first, to: ids.third }]))
  await until(async () => existsSync(lock))
  // For everybody else it is a ref again.
  renameSync(file, pipe)
  writeFileSync(file, `${ids.first}\n`)
  return {
    lock,
    at: () => readFileSync(file, "utf8").trim(),
    /** Lets it go on; answers whether it moved the ref. */
    wake: async () => {
      await writeFile(pipe, `${ids.first}\n`)
      return moving
    }
  }
}

it("a lock that a move without git leaves keeps nobody waiting, and who held it moves nothing when they wake", async () => {
  const { ids, repository } = standard()
  const name = "refs/heads/still"
  const { at, lock, wake } = await standingStill(name)
  await withObjects(updateRefs(repository, [{ name, from: ids.first, to: ids.second }]))
  expect([at(), existsSync(lock)]).toEqual([ids.second, false])
  expect([await wake(), at(), existsSync(lock)]).toEqual([false, ids.second, false])
})

it("who wakes leaves the lock that somebody else has by then", async () => {
  const { at, lock, wake } = await standingStill("refs/heads/woken")
  rmSync(lock)
  writeFileSync(lock, "of somebody else")
  expect([await wake(), at(), readFileSync(lock, "utf8")]).toEqual([false, standard().ids.first, "of somebody else"])
})
