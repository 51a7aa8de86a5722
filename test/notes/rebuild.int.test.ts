import { expect, it } from "vitest"
import { Projections } from "#src/platform/Projections.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { field } from "#test/support/exactly.ts"
import { idOf, useNotes } from "./useNotes.ts"

const { ask, discuss, newRequest, note, remove, service } = useNotes()

/** How many notes each thing has, and how many wait to be resolved. */
const counts = () =>
  service.run(
    Sql.use(({ client }) =>
      query(() => client`select project_id, iid, user_notes, unresolved from rm_notes.counts order by project_id, iid`)
    )
  )
/** Writes all notes again as they are, as the projector does with an event that comes twice. */
const writeAgain = () =>
  service.run(
    Sql.use(({ client }) =>
      query(
        () => client`insert into rm_notes.notes (id, project_id, noteable_type, iid, discussion_id, starts, is_thread,
      is_system, is_internal, body, created_at, updated_at) select id, project_id, noteable_type, iid, discussion_id, starts, is_thread,
      is_system, is_internal, body, created_at, updated_at from rm_notes.notes
      on conflict (id) do update set body = excluded.body, is_thread = excluded.is_thread`
      )
    )
  )

it("made anew from the log the read model is what it was, with its counts", async () => {
  const [id, doomed, deleted] = [await newRequest("kept"), await newRequest("doomed"), await newRequest("deleted")]
  const gone = idOf(await note(id, { body: "gone" }))
  await note(id, { body: "stays", created_at: "2020-01-01T00:00:00Z" })
  const { body: thread } = await discuss(id, { body: "first" })
  const path = `/discussions/${field(thread, "id")}`
  const { body: reply } = await ask("POST", id, `${path}/notes`, { json: { body: "second" } })
  await ask("PUT", id, `${path}/notes/${field(reply, "id")}`, { json: { resolved: true } })
  await ask("DELETE", id, `/notes/${gone}`)
  for (const other of [doomed, deleted]) await discuss(other, { body: "a" })
  await remove(deleted, 1)
  await service.request("DELETE", `/projects/${doomed}`)
  // What is deleted leaves its notes, which are found nowhere.
  const others = [doomed, deleted].map((project_id) => ({ project_id, iid: 1, user_notes: 1, unresolved: 1 }))
  expect(await counts()).toEqual([{ project_id: id, iid: 1, user_notes: 3, unresolved: 1 }, ...others])
  for (const more of ["/notes", "/discussions"]) expect((await ask("GET", deleted, more)).status).toBe(404)
  await writeAgain()
  expect(await counts()).toEqual([{ project_id: id, iid: 1, user_notes: 3, unresolved: 1 }, ...others])
  const before = (await ask("GET", id, "/discussions")).body

  const rebuild = await service.run(Projections.use((projections) => projections.requestRebuild(["notes"])))
  const progress = () => service.run(Projections.use((projections) => projections.rebuildProgress(rebuild)))
  await expect.poll(async () => (await progress())?.state).toBe("finished")
  expect(await progress()).toMatchObject({ differing: 0, examples: [] })
  expect((await ask("GET", id, "/discussions")).body).toEqual(before)
  // The tables that took the place of the others keep their counts themselves.
  await ask("PUT", id, path, { json: { resolved: true } })
  expect(await counts()).toEqual([{ project_id: id, iid: 1, user_notes: 3, unresolved: 0 }, ...others])
})
