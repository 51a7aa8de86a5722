import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { tipOnDisk } from "#src/git/refs/tipOnDisk.ts"
import { useStandardRepository } from "../useRepository.ts"

const standard = useStandardRepository()
const tipOf = (ref: string) => Effect.runPromise(tipOnDisk(standard().repository, ref))

it("tells what branches name as git does, before and after their refs are packed", async () => {
  const { git, ids } = standard()
  git(["update-ref", "refs/heads/folded/er/one", ids.third])
  const names = git(["for-each-ref", "--format=%(refname)", "refs/heads/"]).split("\n")
  const expected = names.map((name) => git(["rev-parse", name]))
  expect(names.length).toBeGreaterThan(3)
  expect(await Promise.all(names.map(tipOf))).toEqual(expected)
  git(["pack-refs", "--all"])
  expect(await Promise.all(names.map(tipOf))).toEqual(expected)
  // One that moved since is a file again.
  git(["update-ref", "refs/heads/folded/er/one", ids.first])
  expect(await tipOf("refs/heads/folded/er/one")).toBe(ids.first)
})

it("leaves to git what only git can tell", async () => {
  const { git, ids, repository } = standard()
  git(["symbolic-ref", "refs/heads/alias", "refs/heads/main"])
  git(["update-ref", "refs/heads/er/one", ids.second])
  const others = ["alias", "missing", "one", "../../HEAD", "../tags/v1.0.0", "folded", "a\nb"].map((name) => `refs/heads/${name}`)
  for (const ref of [...others, "refs/tags/v1.0.0", "main", "HEAD"]) expect([ref, await tipOf(ref)]).toEqual([ref, undefined])
  git(["pack-refs", "--all"])
  appendFileSync(join(repository.path, "packed-refs"), "#".repeat(1024 * 1024))
  expect(await tipOf("refs/heads/er/one")).toBe(undefined)
})
