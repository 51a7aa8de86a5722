import { expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import type { Received } from "#test/support/service.ts"
import { iidOf } from "../useMergeRequests.ts"
import { useAutoMerge, waits } from "./useAutoMerge.ts"

const { commit, get, held, member, merge, newProject, open, pathOf, post, put, remove, service, shownWhen } = useAutoMerge()
const { request } = service

const ask = (method: "DELETE" | "POST" | "PUT", id: number, more: string, json: object = {}) =>
  request(method, pathOf(id, 1, more), { json })
const configure = (id: number, json: object) => request("PUT", `/projects/${id}`, { json })
const idOf = ({ body }: Received) => field(body, "id")

const discussed = { only_allow_merge_if_all_discussions_are_resolved: true }
const discuss = async (id: number) => String(idOf(await ask("POST", id, "/discussions", { body: "Why?" })))
/** Another one that has to be merged first: the block. */
const blocked = async (id: number, projectId = id) => {
  await commit(projectId, "first", { "first.txt": "first\n" })
  const blocking = idOf(await open(projectId, { source_branch: "first" }))
  return ask("POST", id, "/blocks", { blocking_merge_request_id: blocking })
}
const nothing = async () => {}

interface Row<A> {
  readonly settings?: object
  readonly json?: object
  readonly reason: string
  readonly prepare: (id: number) => Promise<A>
  readonly happens: (id: number, prepared: A) => Promise<unknown>
}

const row = <A>({ happens, prepare, ...others }: Row<A>) => ({
  ...others,
  /** What is prepared, and answers what happens then. */
  begin: async (id: number) => {
    const prepared = await prepare(id)
    return () => happens(id, prepared)
  }
})

const rows = {
  "the last discussion is resolved": row({
    settings: discussed,
    reason: "discussions_not_resolved",
    prepare: async (id) => [await discuss(id), await discuss(id)],
    happens: async (id, threads) => {
      for (const thread of threads) await ask("PUT", id, `/discussions/${thread}`, { resolved: true })
    }
  }),
  "the note that was to be resolved is deleted": row({
    settings: discussed,
    reason: "discussions_not_resolved",
    prepare: async (id) =>
      field([field((await ask("POST", id, "/discussions", { body: "Why?" })).body, "notes")].flat()[0], "id"),
    happens: (id, note) => ask("DELETE", id, `/notes/${note}`)
  }),
  "discussions need not be resolved any more": row({
    settings: discussed,
    reason: "discussions_not_resolved",
    prepare: discuss,
    happens: (id) => configure(id, { only_allow_merge_if_all_discussions_are_resolved: false })
  }),
  "no pipeline has to succeed any more": row({
    settings: { only_allow_merge_if_pipeline_succeeds: true },
    reason: "ci_must_pass",
    prepare: nothing,
    happens: (id) => configure(id, { only_allow_merge_if_pipeline_succeeds: false })
  }),
  "a pipeline that was skipped is enough": row({
    settings: { only_allow_merge_if_pipeline_succeeds: true },
    reason: "ci_must_pass",
    prepare: (id) => post(id, "skipped"),
    happens: (id) => configure(id, { allow_merge_on_skipped_pipeline: true })
  }),
  "the pipeline that failed is deleted": row({
    reason: "ci_still_running",
    prepare: (id) => post(id, "running"),
    happens: async (id) => {
      await post(id, "failed")
      const pipeline = field(field((await get(id, 1)).body, "head_pipeline"), "id")
      return request("DELETE", `/projects/${id}/pipelines/${pipeline}`)
    }
  }),
  "what had to be merged first is merged": row({
    reason: "merge_request_blocked",
    prepare: blocked,
    happens: (id) => merge(id, { merge_when_pipeline_succeeds: false }, undefined, 2)
  }),
  "what had to be merged first is deleted": row({
    reason: "merge_request_blocked",
    prepare: blocked,
    happens: (id) => remove(id, 2)
  }),
  "the project of what had to be merged first is deleted": row({
    reason: "merge_request_blocked",
    prepare: async (id) => {
      const other = await newProject(`blocking-${id}`)
      await blocked(id, other)
      return other
    },
    happens: (_, other) => request("DELETE", `/projects/${other}`)
  }),
  "it does not have to wait for another one any more": row({
    reason: "merge_request_blocked",
    prepare: blocked,
    happens: (id, block) => ask("DELETE", id, `/blocks/${idOf(block)}`)
  }),
  "it is no draft any more": row({
    json: { title: "Draft: Add" },
    reason: "draft_status",
    prepare: nothing,
    happens: (id) => put(id, 1, { title: "Add" })
  }),
  "it is approved": row({
    json: { approvals_before_merge: 1 },
    reason: "not_approved",
    prepare: (id) => member(id, "developer", `approver-${id}`),
    happens: (id, { token }) => request("POST", pathOf(id, 1, "/approve"), { token })
  }),
  "a rule of approvals is removed": row({
    reason: "not_approved",
    prepare: async (id) => {
      const { id: userId } = await member(id, "developer", `ruling-${id}`)
      return ask("POST", id, "/approval_rules", { name: "Security", approvals_required: 1, user_ids: [userId] })
    },
    happens: (id, rule) => ask("DELETE", id, `/approval_rules/${idOf(rule)}`)
  })
}

it.each(Object.entries(rows))("merges when %s", async (name, { begin, json, reason, settings }) => {
  const id = await newProject(name.replaceAll(/\W/g, "-"), settings)
  expect(iidOf(await open(id, json))).toBe(1)
  const happens = await begin(id)
  expect([waits(await merge(id)), await held(id)]).toEqual([true, reason])
  await happens()
  expect(field(await shownWhen(id, (body) => field(body, "state") === "merged"), "merge_error")).toBeNull()
})

it.each<readonly [when: string, name: string, happens: (id: number) => Promise<unknown>]>([
  ["the project asks for that no more", "squashing", (id) => configure(id, { squash_option: "default_off" })],
  ["it is as the project wants it", "squashed", (id) => put(id, 1, { squash: true })]
])("says why it could not be merged, and merges when %s", async (_, name, happens) => {
  const id = await newProject(name, { squash_option: "always" })
  await open(id, { title: "Draft: Add" })
  expect([waits(await merge(id)), await held(id)]).toEqual([true, "draft_status"])
  await put(id, 1, { title: "Add" })
  expect(field(await shownWhen(id, (body) => field(body, "merge_error") !== null), "merge_error")).toBe(
    "This project requires squashing commits when merge requests are accepted."
  )
  expect(await held(id)).toBe("merge_failed")
  await happens(id)
  await shownWhen(id, (body) => field(body, "state") === "merged")
})
