import { Effect } from "effect"
import { BlockEvent, blockCodec } from "#src/mergeRequests/blocks/events.ts"
import { blockedKeyOf } from "#src/mergeRequests/blocks/ids.ts"
import type { MergeRequestKey } from "#src/mergeRequests/ids.ts"
import type { BlockRow, MergeRequestQueries } from "#src/mergeRequests/Queries.ts"
import { select, slice, sql } from "#src/platform/sql/fragment.ts"
import type { Client } from "#src/platform/sql/Sql.ts"
import { idTaken, on, put, remove } from "../ReadModel.ts"
import { type Listing, selectListed } from "../selectListed.ts"

export const blocks = "blocks"

export const blockProjection = on(blockCodec, (event, { stream }) => {
  const key = blockedKeyOf(stream)
  if (key === undefined) return []
  return BlockEvent.match(event, {
    MergeRequestBlocked: ({ blocking, id }) => [
      idTaken("merge_request_block", id),
      put(blocks, {
        id,
        project_id: key.projectId,
        iid: key.iid,
        blocking_project_id: blocking.projectId,
        blocking_iid: blocking.iid
      })
    ],
    MergeRequestUnblocked: ({ id }) => [remove(blocks, { id })]
  })
})

/** Those whose blocking merge request is gone are none. */
const listing = (projectId: number, iid: number): Listing => {
  const found = sql`
    select b.id, b.blocking_project_id, b.blocking_iid from rm_merge_requests.blocks b
    join rm_merge_requests.merge_requests m on m.project_id = b.blocking_project_id and m.iid = b.blocking_iid
    where b.project_id = ${projectId} and b.iid = ${iid}`
  return { rows: (page) => sql`${found} order by b.id ${slice(page)}`, counted: found }
}

export const blockQueries = (client: Client): Pick<MergeRequestQueries["Service"], "blocks" | "keyOf" | "waitsFor"> => ({
  blocks: ({ iid, project_id }, page) => selectListed<BlockRow>(client, listing(project_id, iid), page),
  keyOf: (id) =>
    Effect.map(
      select<MergeRequestKey>(
        client,
        sql`select m.project_id as "projectId", m.iid from rm_merge_requests.merge_requests m where m.id = ${id}`
      ),
      ([key]): MergeRequestKey | undefined => key
    ),
  waitsFor: (key, other) =>
    Effect.map(
      select(
        client,
        sql`
          with recursive waiting(project_id, iid) as (
            select ${key.projectId}::bigint, ${key.iid}::bigint
            union
            select b.blocking_project_id, b.blocking_iid from waiting w
            join rm_merge_requests.blocks b on b.project_id = w.project_id and b.iid = w.iid
          )
          select from waiting where project_id = ${other.projectId} and iid = ${other.iid}`
      ),
      ({ length }) => length > 0
    )
})
