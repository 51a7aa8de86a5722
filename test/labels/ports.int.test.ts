import { Effect, Result, Schema } from "effect"
import { beforeAll, expect, it } from "vitest"
import { ensureLabels, LabelDetails, LabelQueries, presentDetails } from "#src/labels/Labels.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { Projections } from "#src/platform/Projections.ts"
import { anyId, field } from "#test/support/exactly.ts"
import { answerOf } from "#test/support/service.ts"
import { idOf, titleTaken, useLabels } from "./useLabels.ts"

const { service, add, get, namesIn, newGroup, newProject } = useLabels()

let projectId = 0
let project = ""
let groupLabel = 0
beforeAll(async () => {
  const namespace_id = await newGroup()
  projectId = await newProject({ namespace_id })
  project = `projects/${projectId}`
  groupLabel = idOf(await add(`groups/${namespace_id}`, { name: "of the group" }))
})

/** Waits until the read models show what was made. */
const ensure = (...titles: ReadonlyArray<string>) =>
  service.run(
    Effect.gen(function* () {
      const ids = yield* ensureLabels(projectId, titles)
      const last = yield* EventStore.use((store) => store.read(`label-${Math.max(0, ...ids)}`))
      const { position = 0 } = last.at(-1) ?? {}
      yield* Projections.use((projections) => projections.awaitPosition(position))
      return ids
    })
  )

it("labels that are named are found, in the project and above, and made where there are none", async () => {
  const bug = idOf(await add(project))
  const ids = await ensure(" bug", "new one", "of the group", "new one", "", "a,b", "x".repeat(256))
  expect(ids).toEqual([bug, anyId, groupLabel])
  expect((await get(project, "new one")).body).toMatchObject({ id: ids[1], color: "#6699cc", is_project_label: true })
  expect(await ensure("new one", "bug")).toEqual([ids[1], bug])
})

it("many who need the same labels at once get the same, and creations beside them are told so", async () => {
  const titles = Array.from({ length: 5 }, (_, n) => `shared ${n}`)
  const [ensured, created] = await Promise.all([
    Promise.all(Array.from({ length: 10 }, () => ensure(...titles))),
    Promise.all(titles.map((name) => add(project, { name })))
  ])
  expect(new Set(ensured.map((ids) => ids.join()))).toHaveProperty("size", 1)
  expect(await namesIn(project, { search: "shared" })).toEqual(titles)
  for (const [index, answer] of created.entries()) {
    if (answer.status === 201) expect(idOf(answer)).toBe(ensured[0]?.[index])
    else expect(answerOf(answer)).toEqual(titleTaken)
  }
})

it("others find labels by titles and ids, and show them", async () => {
  const ids = await ensure("of the group", "bug")
  const { byIds, byTitles } = await service.run(
    Effect.gen(function* () {
      const labels = yield* LabelQueries
      const place = { parent: { kind: "project", id: projectId }, withAncestors: true } as const
      return {
        byIds: yield* labels.withIds([...ids, 999_999]),
        byTitles: yield* labels.named(place, ["of the group", "bug", "none"])
      }
    })
  )
  expect(byIds.map(({ title }) => title)).toEqual(["bug", "of the group"])
  expect(byTitles).toEqual(byIds)
  const shown = byIds.map(presentDetails)
  expect(Result.isSuccess(Schema.decodeResult(Schema.Array(LabelDetails))(shown))).toBe(true)
  expect(shown.map((label) => field(label, "name"))).toEqual(["bug", "of the group"])
})
