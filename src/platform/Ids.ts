import { Effect } from "effect"
import { CurrentRun } from "./repeats/CurrentRun.ts"
import { query, Sql } from "./sql/Sql.ts"

/** Kinds of things with an integer id of their own, unique in the installation. Each has a sequence `chronoforge.<kind>_ids`. */
export const idKinds = [
  "user",
  "token",
  "key",
  "deploy_key_project",
  "cluster",
  "namespace",
  "project",
  "protected_ref",
  "protected_ref_access",
  "group_share",
  "pipeline",
  "job",
  "job_claim",
  "pipeline_schedule"
] as const
export type IdKind = (typeof idKinds)[number]

/** Takes the next id. Ids are never given twice; gaps are possible. A repeated request takes the ids that it took first. */
export const nextId: (kind: IdKind) => Effect.Effect<number, never, Sql> = Effect.fnUntraced(function* (kind) {
  const { client } = yield* Sql
  const run = yield* CurrentRun
  const rows = query(() => client<Array<{ id: number }>>`select nextval(${`chronoforge.${kind}_ids`}::regclass) as id`)
  const fresh = Effect.flatMap(rows, ([row]) => Effect.orDie(Effect.fromNullishOr(row?.id)))
  return yield* run === undefined ? fresh : run.remember(fresh)
})

/** Takes several ids at once; a repeated request takes others. */
export const nextIds = Effect.fnUntraced(function* (kind: IdKind, count: number) {
  const { client } = yield* Sql
  const rows = yield* query(
    () => client<Array<{ id: number }>>`
      select nextval(${`chronoforge.${kind}_ids`}::regclass) as id from generate_series(1, ${count}) order by id`
  )
  return rows.map(({ id }) => id)
})

/**
 * Takes the next number of a kind within a scope, from 1 on. `highest` is the highest one that the log is known to have, so that an
 * installation whose counters are lost gives none again. A repeated request takes the numbers that it took first.
 */
export const nextNumber = Effect.fnUntraced(function* (kind: "pipeline", scope: number, highest: number) {
  const { client } = yield* Sql
  const run = yield* CurrentRun
  const rows = query(
    () => client<Array<{ last: number }>>`
      insert into chronoforge.numbers as n (kind, scope, last) values (${kind}, ${scope}, ${highest} + 1)
      on conflict (kind, scope) do update set last = greatest(n.last, ${highest}) + 1 returning last`
  )
  const fresh = Effect.flatMap(rows, ([row]) => Effect.orDie(Effect.fromNullishOr(row?.last)))
  return yield* run === undefined ? fresh : run.remember(fresh)
})
