import { Effect, Layer, ManagedRuntime } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { CommitGraphs } from "#src/git/history/CommitGraphs.ts"
import { Merges } from "#src/git/merge/Merges.ts"
import { Objects } from "#src/git/objects/Objects.ts"
import { PushLocks } from "#src/git/refs/pushLocks.ts"
import { makeTreeLimits, TreeLimits } from "#src/git/trees/TreeLimits.ts"
import { emptyRepository, type GitFixture } from "#test/support/git/gitFixtures.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

const folder = temporaryFolder()
const limits = Layer.sync(TreeLimits, () => makeTreeLimits({ maxPaths: 10_000, maxDepth: 64 }))
const services = Layer.mergeAll(Objects.layer, CommitGraphs.layer, PushLocks.layer, limits)
const runtime = ManagedRuntime.make(Layer.provide(Merges.layer, services))
afterAll(() => runtime.dispose())
const ask = <A, E>(question: (merges: Merges["Service"]) => Effect.Effect<A, E>) => runtime.runPromise(Merges.use(question))

let fixture: GitFixture
let ids: Partial<Record<"base" | "main" | "one" | "two", string>> = {}
beforeAll(() => {
  fixture = emptyRepository(`${folder()}/merges.git`)
  ids = fixture.commits([
    { mark: "base", files: { a: "a\n" } },
    { mark: "main", files: { b: "main\n" } },
    { mark: "one", ref: "refs/heads/change", parents: ["base"], files: { a: "one\n" } },
    { mark: "two", ref: "refs/heads/change", files: { c: "two\n" } }
  ])
})

describe("a merge request", () => {
  it("goes from its head to its merge", async () => {
    const { repository } = fixture
    const [base = "", target = "", source = ""] = [ids.base, ids.main, ids.two]
    const heads = { target, source }
    const person = { name: "Mira Holt", email: "mira@example.com", seconds: 1_700_009_000, offset: "+0000" }
    const merge = { author: person, committer: person, message: "Merge it" }

    await ask((merges) => merges.fetchHead(repository, { iid: 1, commit: source, from: null, known: [target] }))
    expect(await ask((merges) => merges.base(repository, heads))).toBe(base)
    const version = await ask((merges) => merges.version(repository, { base, start: target, head: source }))
    expect(version).toMatchObject({ size: "2", commits: { ids: [source, ids.one] } })
    expect(await ask((merges) => merges.divergence(repository, heads))).toEqual({ behind: 1, ahead: 2 })
    const trials = await ask(({ trial }) => Effect.all([trial(repository, heads), trial(repository, heads)], { concurrency: 2 }))
    expect(trials[0]).toBe(trials[1])
    expect(trials[0]).toMatchObject({ _tag: "Clean", isFastForward: false })
    const shown = await ask((merges) => merges.mergeRef(repository, { iid: 1, merge, ...heads }))

    const plan = await ask((merges) => merges.plan(repository, { method: "merge", merge, ...heads }))
    // The same people, time and message make the same commit.
    expect(plan.head).toBe(shown)
    const merged = await ask((merges) => merges.write(repository, plan))
    fixture.git(["update-ref", "refs/heads/main", merged, target])
    expect(await ask((merges) => merges.reaches(repository, { commit: source, tip: merged }))).toBe(true)
    expect(await ask((merges) => merges.broughtIn(repository, { commit: source, tip: merged }))).toBe(merged)
    expect(await ask((merges) => merges.trial(repository, { target: merged, source }))).toEqual({ _tag: "AlreadyMerged" })

    const rebased = await ask((merges) => merges.rebase(repository, { ...heads, committer: person }))
    expect(fixture.git(["rev-list", "--count", `${target}..${rebased}`])).toBe("2")
    await ask((merges) => merges.removeRefs(repository, 1))
    expect(fixture.git(["for-each-ref", "refs/merge-requests", "refs/internal"])).toBe("")
  })
})
