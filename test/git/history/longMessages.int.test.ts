import { Effect } from "effect"
import { expect, it } from "vitest"
import { CommitGraphs } from "#src/git/history/CommitGraphs.ts"
import { mergeBases } from "#src/git/history/mergeBase.ts"
import { mebibyte } from "#src/kernel/units.ts"
import { useEmptyRepository, withObjects } from "../useRepository.ts"

const fixture = useEmptyRepository()
const [commits, callers] = [90, 20]

/** The highest number of mebibytes that are resident meanwhile, beyond those before. */
const growthDuring = async (work: Promise<unknown>): Promise<number> => {
  const before = process.memoryUsage.rss()
  let highest = before
  const looking = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss())
  }, 20)
  await work
  clearInterval(looking)
  return (highest - before) / mebibyte
}

it("merge bases of commits that are long keep none of their texts, for however many callers", async () => {
  const { object, repository } = fixture()
  const tree = object("tree", "")
  const text = "x".repeat(1_000_000)
  const ids: Array<string> = []
  for (let index = 0; index < commits; index++) {
    const person = `A <a@example.com> ${1_700_000_000 + index} +0000`
    const parents = ids.slice(-1).map((id) => `parent ${id}\n`)
    ids.push(object("commit", `tree ${tree}\n${parents.join("")}author ${person}\ncommitter ${person}\n\n${text}\n`))
  }
  const [older = "", newest = ""] = ids.slice(-2)
  const asking = Effect.forEach(Array.from({ length: callers }), () => mergeBases(repository, [older, newest]), {
    concurrency: "unbounded"
  })
  const answers = withObjects(Effect.provide(asking, CommitGraphs.layer))
  // They would be 1.8 GB.
  expect(await growthDuring(answers)).toBeLessThan(400)
  expect(await answers).toEqual(Array.from({ length: callers }, () => [older]))
})
