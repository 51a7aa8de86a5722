import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { expect, it } from "vitest"
import { zeroId } from "#src/git/objectId.ts"
import { moveOnDisk } from "#src/git/refs/moveOnDisk.ts"
import type { RefChange } from "#src/git/refs/RefChange.ts"
import { useStandardRepository, withObjects } from "../useRepository.ts"

const standard = useStandardRepository()
const move = (...changes: ReadonlyArray<RefChange>) => withObjects(moveOnDisk(standard().repository, changes))
const inRepository = (name: string) => join(standard().repository.path, name)

/** Where the ref is according to git; null where there is none. */
const at = (name: string): string | null => {
  const [line = ""] = standard().git(["for-each-ref", "--format=%(objectname) %(refname)", name]).split("\n")
  return line.endsWith(` ${name}`) ? line.slice(0, 40) : null
}
const locks = () =>
  readdirSync(inRepository("refs"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".lock"))
/** Whether git would do the same, which it does where it would. */
const gitMoves = ({ from, name, to }: RefChange): boolean => {
  try {
    standard().git(["update-ref", "--stdin"], `update ${name} ${to} ${from ?? zeroId}\n`)
    return true
  } catch {
    return false
  }
}

const name = fc.constantFrom("a", "a/b", "a/b/c", "a/d", "é", "main/below").map((short) => `refs/heads/moved/${short}`)
const step = fc.record({
  name,
  /** Whether the caller knows where the ref is. */
  knows: fc.boolean(),
  target: fc.constantFrom("first" as const, "second" as const),
  packs: fc.boolean(),
  removes: fc.boolean()
})

it("moves a ref wherever git would, and only there", { timeout: 120_000 }, () =>
  fc.assert(
    fc
      .asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
        const { git, ids } = standard()
        for (const { knows, name, packs, removes, target } of steps) {
          const before = at(name)
          const change = { name, from: knows ? before : ids.third, to: ids[target] }
          // An empty one, which git may have left, is git's to remove.
          const isFolder = statSync(inRepository(name), { throwIfNoEntry: false })?.isDirectory() === true
          const isMoved = await move(change)
          expect([at(name), locks()]).toEqual([isMoved ? change.to : before, []])
          // Back to where git finds what was there.
          if (isMoved) git(before === null ? ["update-ref", "-d", name] : ["update-ref", name, before])
          expect([steps, change, isMoved]).toEqual([steps, change, gitMoves(change) && !isFolder])
          if (removes && at(name) !== null) git(["update-ref", "-d", name])
          if (packs) git(["pack-refs", "--all"])
        }
      })
      .beforeEach(() => {
        const { git } = standard()
        const made = git(["for-each-ref", "--format=delete %(refname)", "refs/heads/moved/"])
        if (made !== "") git(["update-ref", "--stdin"], `${made}\n`)
        rmSync(inRepository("refs/heads/moved"), { recursive: true, force: true })
      }),
    { numRuns: 15 }
  )
)

it("leaves to git what takes more than one file, and changes nothing then", async () => {
  const { git, ids, repository } = standard()
  const made = (name: string): RefChange => ({ name, from: null, to: ids.first })
  const main = at("refs/heads/main")
  mkdirSync(inRepository("refs/heads/left/folder"), { recursive: true })
  writeFileSync(inRepository("refs/heads/left/locked.lock"), "")
  git(["symbolic-ref", "refs/heads/left/alias", "refs/heads/main"])
  writeFileSync(inRepository("refs/heads/left/broken"), "nothing\n")
  const cases: ReadonlyArray<ReadonlyArray<RefChange>> = [
    [],
    [made("refs/heads/left/one"), made("refs/heads/left/two")],
    [{ name: "refs/heads/main", from: main, to: null }],
    [made("HEAD")],
    [made("refs/heads/left/folder")],
    [made("refs/heads/left/locked")],
    [{ name: "refs/heads/left/alias", from: main, to: ids.first }],
    [made("refs/heads/left/broken")],
    [{ name: "refs/heads/left/tree", from: null, to: git(["rev-parse", "main^{tree}"]) }],
    [{ name: "refs/heads/left/missing", from: null, to: `1${zeroId.slice(1)}` }]
  ]
  for (const changes of cases) expect([changes, await move(...changes)]).toEqual([changes, false])
  expect([locks(), at("refs/heads/main")]).toEqual([["heads/left/locked.lock"], main])
  rmSync(inRepository("refs/heads/left"), { recursive: true })

  mkdirSync(inRepository("logs"))
  expect(await move(made("refs/heads/logged"))).toBe(false)
  rmSync(inRepository("logs"), { recursive: true })
  git(["pack-refs", "--all"])
  appendFileSync(join(repository.path, "packed-refs"), `#${" ".repeat(1024 * 1024)}\n`)
  expect([await move(made("refs/heads/many")), existsSync(inRepository("refs/heads/many.lock"))]).toEqual([false, false])
})
