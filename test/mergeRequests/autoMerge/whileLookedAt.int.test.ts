import { Effect } from "effect"
import { expect, it } from "vitest"
import { mergeOne } from "#src/mergeRequests/autoMerge/mergeDue.ts"
import { wakeAutoMerge } from "#src/mergeRequests/autoMerge/wakeAutoMerge.ts"
import { mergeRequestAggregate } from "#src/mergeRequests/decisions/aggregate.ts"
import type { MergeRequestKey } from "#src/mergeRequests/ids.ts"
import { cannotBeMerged, mergeNow } from "#src/mergeRequests/merging/merge.ts"
import { MergeRequestQueries, type MergeRequestRow } from "#src/mergeRequests/Queries.ts"
import { load } from "#src/platform/Commands.ts"
import { Projects, principalOf } from "#src/projects/Projects.ts"
import { moveRefs } from "#src/pushes/Pushes.ts"
import { Users } from "#src/users/Users.ts"
import { field } from "#test/support/exactly.ts"
import { useMergeRequests } from "../useMergeRequests.ts"

const { commit, newProject, open, pathOf, put, service } = useMergeRequests()
const { request, run } = service

const url = "http://forge.example.com"
/** Something that is due to be merged of itself. */
const due = async (name: string): Promise<MergeRequestKey> => {
  const id = await newProject(name)
  await open(id, { title: "Draft: Add" })
  expect((await request("PUT", pathOf(id, 1, "/merge"), { json: { auto_merge: true } })).status).toBe(200)
  await put(id, 1, { title: "Add" })
  return { projectId: id, iid: 1 }
}

/** Looks at it, and lets it seem otherwise when it is about to be merged. */
const look = (key: MergeRequestKey, seeming: Partial<MergeRequestRow>, meanwhile: Effect.Effect<void, never, never>) =>
  run(
    Effect.gen(function* () {
      const queries = yield* MergeRequestQueries
      let asked = 0
      const find: typeof queries.find = (...of) =>
        ++asked === 2
          ? Effect.andThen(
              meanwhile,
              Effect.map(queries.find(...of), (row) => row && { ...row, ...seeming })
            )
          : queries.find(...of)
      yield* Effect.provideService(mergeOne(key, url), MergeRequestQueries, { ...queries, find })
      const { state } = yield* load(mergeRequestAggregate, key)
      return state._tag === "Opened" ? { heldFor: state.request.autoMerge?.heldFor, error: state.request.mergeError } : state._tag
    })
  )

const tip = async (projectId: number, branch: string): Promise<string> => {
  const { body } = await request("GET", `/projects/${projectId}/repository/branches/${branch}`)
  return String(field(field(body, "commit"), "id"))
}

it("what cannot be merged, and nobody knows why, is held with a reason", async () => {
  const key = await due("looked-at-failed")
  expect(await look(key, { is_blocked: true }, Effect.void)).toEqual({
    heldFor: "merge_failed",
    error: "An error occurred while merging"
  })
})

it("what a push made a conflict a moment ago says that it could not be merged", async () => {
  const id = await newProject("looked-at-conflict")
  await open(id)
  const [from, to] = [await tip(id, "main"), await commit(id, "other", { "topic.txt": "other\n" })]
  // As a push of git does, which takes no turn among merges.
  const pushing = Effect.promise(() => run(moveRefs(id, [{ name: "refs/heads/main", from, to }])))
  const merging = Effect.gen(function* () {
    const [queries, merger] = [yield* MergeRequestQueries, yield* Users.use((users) => users.find(1))]
    const project = yield* Projects.use((projects) => projects.find(String(id), 1))
    const row = yield* queries.find(id, 1)
    if (merger === undefined || project === undefined || row === undefined) return expect.unreachable()
    const found = { ...project, principal: principalOf({ user: merger }, project.role) }
    const find: typeof queries.find = (...of) => Effect.andThen(pushing, queries.find(...of))
    const merge = mergeNow({ row, found, merger, externalUrl: url }, { removesSourceBranch: null })
    const refusal = yield* Effect.flip(Effect.provideService(merge, MergeRequestQueries, { ...queries, find }))
    const { state } = yield* load(mergeRequestAggregate, { projectId: id, iid: 1 })
    return [refusal, state._tag === "Opened" && state.request.mergeError]
  })
  expect(await run(merging)).toEqual([cannotBeMerged, "An error occurred while merging"])
})

it("what stood in the way for a moment, and is over, leaves it due", async () => {
  const key = await due("looked-at-over")
  const waking = Effect.promise(() => run(wakeAutoMerge(key)))
  expect(await look(key, { is_blocked: true }, waking)).toEqual({ heldFor: undefined, error: null })
  expect(await look(key, {}, Effect.void)).toBe("Merged")
})
