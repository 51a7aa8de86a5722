import { expect, it } from "vitest"
import { type Commit, cacheCommits, cachedCommit } from "#src/git/objects/commit.ts"

const person = { name: "Ann", email: "ann@example.com", seconds: 1_700_000_000, offset: "+0000" }
const plain: Commit = { id: "", tree: "0".repeat(40), parents: [], author: person, committer: person, message: "Add\n" }
const long = "x".repeat(100_000)

/** Whether a commit is kept, under an id of its own. */
const isKept = (id: string, commit: Partial<Commit>): boolean => {
  const repository = { path: "/cached-commits" }
  cacheCommits(repository, [{ ...plain, ...commit, id }])
  return cachedCommit(repository, id) !== undefined
}

it.each<readonly [string, Partial<Commit>, boolean]>([
  ["a plain commit", {}, true],
  ["one with a long message", { message: long }, false],
  ["one of an author with a long name", { author: { ...person, name: long } }, false],
  ["one of a committer with a long address", { committer: { ...person, email: long } }, false],
  ["one with a long signature", { gpgSignature: long }, false],
  ["one with many parents", { parents: Array.from({ length: 2_000 }, () => "1".repeat(40)) }, false]
])("%s is kept or not", (id, commit, kept) => {
  expect(isKept(id, commit)).toBe(kept)
})
