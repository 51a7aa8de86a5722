import { Clock, Effect } from "effect"
import type { Caller } from "../../http/access/Caller.ts"
import { conflict, invalidRecord, notFound } from "../../http/answer/errors.ts"
import type { Presented } from "../../http/answer/Presented.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { noContent, ok, page } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import { handle, load } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { changes } from "../../platform/repeats.ts"
import { can, findReadable, requireProject } from "../../projects/Projects.ts"
import { described } from "../described.ts"
import type { MergeRequestKey } from "../ids.ts"
import { presentListed } from "../present.ts"
import { type BlockRow, type DescribedMergeRequestRow, MergeRequestQueries, type MergeRequestRow } from "../Queries.ts"
import { requireChangeable, requireMergeRequest } from "../requireMergeRequest.ts"
import { blocksAggregate, maxBlocks, type State } from "./aggregate.ts"
import { createBlock, deleteBlock, listBlocks, type MergeRequestBlock } from "./contract.ts"

const invalid = (text: string) => invalidRecord({ base: [text] })

const circular = invalid("Merge requests cannot block each other")

const refused = {
  BlockExists: () => Effect.fail(conflict("This block already exists")),
  BlockMissing: () => Effect.fail(notFound),
  TooManyBlocks: ({ limit }: { readonly limit: number }) => Effect.fail(invalid(`Only ${limit} merge requests may block one`))
} as const

/** A merge request of any project, where the caller may see it. */
const visible = Effect.fnUntraced(function* (projectId: number, iid: number, caller: Caller | undefined) {
  const found = yield* Effect.option(findReadable(String(projectId), caller))
  if (found._tag === "None" || !can("read_merge_requests", found.value.principal, found.value.project)) return undefined
  return yield* MergeRequestQueries.use((requests) => requests.find(projectId, iid))
})

interface Shown {
  readonly blocked: DescribedMergeRequestRow
  readonly caller: Caller | undefined
  readonly externalUrl: string
}

/** A block as the caller sees it: without what is hidden from them. */
const present = Effect.fnUntraced(function* (block: BlockRow, { blocked, caller, externalUrl }: Shown) {
  const blocking = yield* visible(block.blocking_project_id, block.blocking_iid, caller)
  const view = { externalUrl, now: yield* Clock.currentTimeMillis }
  const shown: Presented<typeof MergeRequestBlock.Type> = {
    id: block.id,
    blocking_merge_request: blocking && presentListed(yield* described(blocking), view),
    blocked_merge_request: presentListed(blocked, view),
    project_id: blocked.project_id
  }
  return shown
})

const list = route(
  listBlocks,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const blocked = yield* described(yield* requireMergeRequest(yield* requireProject(input), parameters.merge_request_iid))
    const { extent, rows } = yield* MergeRequestQueries.use((requests) => requests.blocks(blocked, pageOf(parameters)))
    const shown = { blocked, caller, externalUrl: request.externalUrl }
    return page(yield* Effect.forEach(rows, (row) => present(row, shown), { concurrency: 4 }), extent)
  })
)

/** The merge request that is to be merged first: one that the caller sees, and that does not wait for the other one itself. */
const requireBlocking = Effect.fnUntraced(function* (id: number, blocked: MergeRequestRow, caller: Caller) {
  const { keyOf, waitsFor } = yield* MergeRequestQueries
  const key = yield* keyOf(id)
  const blocking = key && (yield* visible(key.projectId, key.iid, caller))
  if (key === undefined || blocking === undefined) return yield* notFound
  if (blocking.id === blocked.id) return yield* invalid("This block is self-referential")
  if (yield* waitsFor(key, { projectId: blocked.project_id, iid: blocked.iid })) return yield* circular
  return key
})

/** Of what may wait for no more those blocks whose merge request was deleted, maybe with its project. */
const deletedBlocks = Effect.fnUntraced(function* (key: MergeRequestKey) {
  const { state } = yield* load(blocksAggregate, key)
  if (state.length < maxBlocks) return []
  const { find } = yield* MergeRequestQueries
  const isGone = ({ blocking: { iid, projectId } }: State[number]) => Effect.map(find(projectId, iid), (row) => row === undefined)
  return (yield* Effect.filter(state, isGone, { concurrency: 4 })).map(({ id }) => id)
})

const post = route(
  createBlock,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const found = yield* requireProject(input)
    const iid = parameters.merge_request_iid ?? (yield* notFound)
    const key = { projectId: found.project.id, iid }
    const make = Effect.gen(function* () {
      const row = yield* requireChangeable(found, iid, caller)
      const blocking = yield* requireBlocking(parameters.blocking_merge_request_id ?? 0, row, caller)
      const id = yield* nextId("merge_request_block")
      const gone = yield* deletedBlocks(key)
      const blocked = handle(blocksAggregate, key, { _tag: "Block", id, by: caller.user.id, blocking, gone })
      return yield* Effect.catchTags(blocked, refused)
    })
    const made = yield* changes(blocksAggregate, key, make)
    const [event] = made.events.flatMap((each) => (each._tag === "MergeRequestBlocked" ? [each] : []))
    if (event === undefined) return yield* notFound
    yield* awaitReadModels(made)
    // What was made to wait at the same time is only seen now: the last block of a circle sees all others.
    if (yield* MergeRequestQueries.use(({ waitsFor }) => waitsFor(event.blocking, key))) {
      const unblock = { _tag: "Unblock", id: event.id, by: caller.user.id } as const
      yield* awaitReadModels(yield* Effect.catchTags(handle(blocksAggregate, key, unblock), refused))
      return yield* circular
    }
    const blocked = yield* described(yield* requireMergeRequest(found, iid))
    const block = { id: event.id, blocking_project_id: event.blocking.projectId, blocking_iid: event.blocking.iid }
    return ok(yield* present(block, { blocked, caller, externalUrl: request.externalUrl }))
  })
)

const remove = route(
  deleteBlock,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const found = yield* requireProject(input)
    const iid = parameters.merge_request_iid ?? (yield* notFound)
    const key = { projectId: found.project.id, iid }
    const make = Effect.gen(function* () {
      yield* requireChangeable(found, iid, caller)
      const unblock = { _tag: "Unblock", id: parameters.block_id ?? 0, by: caller.user.id } as const
      return yield* Effect.catchTags(handle(blocksAggregate, key, unblock), refused)
    })
    yield* awaitReadModels(yield* changes(blocksAggregate, key, make))
    return noContent
  })
)

export const blockRoutes = [list, post, remove]
