import { Effect, Layer } from "effect"
import { type DueExport, type ExportedContent, ExportQueries, type RelationRow } from "#src/exports/Queries.ts"
import { batchSize } from "#src/exports/relations.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"

const relationsText = `
  select r.relation, r.status, r.error, r.is_batched, r.updated_at,
    case when r.is_batched then (r.objects + ${batchSize - 1}) / ${batchSize} else 0 end as batches_count,
    coalesce(b.batches, '[]') as batches
  from rm_exports.relations r left join lateral (
    select json_agg(json_build_object('batch_number', b.batch_number, 'status', b.status, 'objects', b.objects, 'error', b.error,
      'updated_at', b.updated_at) order by b.batch_number) as batches
    from rm_exports.batches b where b.project_id = r.project_id and b.relation = r.relation) b on true
  where r.project_id = $1 and ($2::text is null or r.relation = $2) order by r.place`

const contentText = `
  select e.number, r.is_batched, coalesce($3 between 1 and (r.objects + ${batchSize - 1}) / ${batchSize}, false) as has_batch,
    case when $3::bigint is null then r.sha256 else b.sha256 end as sha256
  from rm_exports.relations r join rm_exports.exports e on e.project_id = r.project_id
  left join rm_exports.batches b on b.project_id = r.project_id and b.relation = r.relation and b.batch_number = $3
  where r.project_id = $1 and r.relation = $2`

/** So many callers are looked at together, and so many of the oldest exports of each. */
const [maxCallers, maxOfCaller] = [1_000, 10]

/** Each step is one look into an index, so that it costs the same however many exports wait. */
const dueText = `
  with recursive callers(name, place) as (
    (select requested_by, 1 from rm_exports.exports where finished_at is null order by requested_by limit 1)
    union all
    select (select e.requested_by from rm_exports.exports e where e.finished_at is null and e.requested_by > c.name
      order by e.requested_by limit 1), c.place + 1
    from callers c where c.name is not null and c.place < ${maxCallers}
  )
  select oldest.project_id as id, oldest.number, c.name as "requestedBy"
  from callers c cross join lateral (
    select e.project_id, e.number, e.requested_at, row_number() over (order by e.requested_at, e.project_id) as turn
    from rm_exports.exports e
    where e.finished_at is null and e.requested_by = c.name and e.project_id <> all($2::bigint[])
    order by e.requested_at, e.project_id limit ${maxOfCaller}
  ) oldest
  where c.name is not null and oldest.project_id <> all($1::bigint[])
  order by oldest.turn, oldest.requested_at, oldest.project_id limit $3`

const finishedText = `
  select project_id as "projectId", number from rm_exports.exports where finished_at < $1 order by finished_at, project_id limit $2`

/** Answers questions about exports from Postgres. */
export const exportQueries: Layer.Layer<ExportQueries, never, Sql> = Layer.effect(
  ExportQueries,
  Effect.map(Sql, ({ client }) => {
    const rows = <Row extends object>(text: string, values: Parameters<typeof client.unsafe>[1]) =>
      query(() => client.unsafe<Array<Row>>(text, values, { prepare: true }))
    return ExportQueries.of({
      relations: (projectId, relation) => rows<RelationRow>(relationsText, [projectId, relation ?? null]),
      content: (projectId, relation, batch) =>
        Effect.map(rows<ExportedContent>(contentText, [projectId, relation, batch ?? null]), ([row]) => row),
      due: ({ limit, running, waiting }) => rows<DueExport>(dueText, [[...running], [...waiting], limit]),
      finishedBefore: (time, limit) => rows(finishedText, [time, limit])
    })
  })
)
