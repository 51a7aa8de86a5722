import { Effect } from "effect"
import { CurrentRun } from "./CurrentRun.ts"
import { gather, type Waiting } from "./sql/lookup.ts"
import { type Client, query, Sql } from "./sql/Sql.ts"

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
  "pipeline_schedule",
  "label",
  "milestone",
  "issue",
  "merge_request",
  "merge_request_version",
  "merge_request_block",
  "approval_rule",
  "award_emoji",
  "todo",
  "note",
  "merge_request_label_event",
  "merge_request_milestone_event",
  "environment",
  "deployment",
  "release",
  "release_link",
  "upload"
] as const
export type IdKind = (typeof idKinds)[number]

/** So many ids of a kind. */
interface IdRequest {
  readonly kind: IdKind
  readonly count: number
}

/**
 * Asks for the highest number that the log is known to have in a scope, 0 for none: the text of an expression, in which `scope` stands for
 * the column with the scope.
 */
export type HighestNumber = (scope: string) => string

interface NumberRequest {
  readonly kind: "pipeline" | "merge_request" | "issue" | "project_milestone" | "group_milestone" | "deployment"
  readonly scope: number
  readonly highest: HighestNumber
}

const give = <Request, Taken>(waiting: Waiting<Request, Taken>, request: Request, taken: Taken): void => {
  for (const resume of waiting.get(request) ?? []) resume(Effect.succeed(taken))
}

/** So many statements take ids, or numbers, at the same time: those who ask meanwhile share the next one. */
const maxInFlight = 2

/** Takes ids, for all who ask in the same turn of the event loop with one statement. */
const takeIds = (client: Client) =>
  gather<IdRequest, ReadonlyArray<number>>(async (waiting, requests) => {
    const [kinds, counts] = [requests.map(({ kind }) => kind), requests.map(({ count }) => count)]
    const rows = await client<Array<{ request: number; id: number }>>`
      select r.request - 1 as request, nextval(('chronoforge.' || r.kind || '_ids')::regclass) as id
      from unnest(${kinds}::text[], ${counts}::int[]) with ordinality r (kind, count, request), generate_series(1, r.count)
      order by request, id`
    const taken = Map.groupBy(rows, ({ request }) => request)
    for (const [index, request] of requests.entries())
      give(
        waiting,
        request,
        (taken.get(index) ?? []).map(({ id }) => id)
      )
  }, maxInFlight)

/** Takes numbers of one kind in the same way; each scope counts on by as many as were asked for. */
const takeNumbers = (client: Client) =>
  gather<NumberRequest, number>(async (waiting, requests) => {
    for (const [kind, ofKind] of Map.groupBy(requests, (request) => request.kind)) {
      const byScope = Map.groupBy(ofKind, ({ scope }) => scope)
      const counts = Array.from(byScope.values(), ({ length }) => length)
      const text = `
        with s as (select * from unnest($2::bigint[], $3::int[]) as s (scope, count))
        insert into chronoforge.numbers as n (kind, scope, last)
          select $1, s.scope, ${ofKind[0]?.highest("s.scope") ?? 0} + s.count from s order by s.scope
        on conflict (kind, scope) do update
          set last = greatest(n.last + (select s.count from s where s.scope = n.scope), excluded.last)
        returning scope, last`
      const values = [kind, [...byScope.keys()], counts]
      const rows = await client.unsafe<Array<{ scope: number; last: number }>>(text, values, { prepare: true })
      for (const { last, scope } of rows) {
        const ofScope = byScope.get(scope) ?? []
        for (const [index, request] of ofScope.entries()) give(waiting, request, last - ofScope.length + 1 + index)
      }
    }
  }, maxInFlight)

const allocatorsOf = (client: Client) => ({ ids: takeIds(client), numbers: takeNumbers(client) })
const allocators = new WeakMap<Client, ReturnType<typeof allocatorsOf>>()

/** Those of this process for a database. */
const allocator = Effect.map(Sql, ({ client }) => {
  const known = allocators.get(client)
  if (known !== undefined) return known
  const made = allocatorsOf(client)
  allocators.set(client, made)
  return made
})

/** Takes several ids at once, in ascending order; a repeated request takes others. */
export const nextIds = Effect.fnUntraced(function* (kind: IdKind, count: number) {
  const { ids } = yield* allocator
  return yield* Effect.orDie(ids({ kind, count }))
})

/** Whether an id was given before, by an installation that was put back to an earlier state since. */
type IsGiven = (id: number) => Effect.Effect<boolean>

/**
 * Takes the next id. Ids are never given twice; gaps are possible. A repeated request takes the ids that it took first. Where `isGiven` says
 * so it takes the one behind.
 */
export const nextId: (kind: IdKind, isGiven?: IsGiven) => Effect.Effect<number, never, Sql> = Effect.fnUntraced(function* (
  kind,
  isGiven = () => Effect.succeed(false)
) {
  const { ids } = yield* allocator
  const run = yield* CurrentRun
  const next = Effect.orDie(Effect.flatMap(ids({ kind, count: 1 }), ([id]) => Effect.fromNullishOr(id)))
  const fresh = Effect.repeat(next, { while: isGiven })
  return yield* run === undefined ? fresh : run.remember(fresh)
})

/**
 * Takes the next number of a kind within a scope, from 1 on. An installation whose counters are lost gives none again that the log is
 * known to have. A repeated request takes the numbers that it took first.
 */
export const nextNumber = Effect.fnUntraced(function* (kind: NumberRequest["kind"], scope: number, highest: HighestNumber) {
  const { numbers } = yield* allocator
  const run = yield* CurrentRun
  const fresh = Effect.orDie(numbers({ kind, scope, highest }))
  return yield* run === undefined ? fresh : run.remember(fresh)
})

/** Numbers of a kind within a scope are given behind this one from now on. */
export const passNumber = Effect.fnUntraced(function* (kind: NumberRequest["kind"], scope: number, highest: number) {
  const { client } = yield* Sql
  yield* query(
    () => client`
      insert into chronoforge.numbers as n (kind, scope, last) values (${kind}, ${scope}, ${highest})
      on conflict (kind, scope) do update set last = greatest(n.last, excluded.last)`
  )
})
