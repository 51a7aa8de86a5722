import { Context, Effect, Layer } from "effect"
import { query, Sql } from "../../platform/sql/Sql.ts"

/** A run of a job by an executor. */
export interface Run {
  readonly jobId: number
  readonly pipelineId: number
  readonly claim: number
}

/** How long executors may be silent. The table is not in the log: what runs is, and goes back when its lease is over. */
export class Leases extends Context.Service<
  Leases,
  {
    /** Begins a lease, unless the job has one already: then somebody else is about to take it. */
    readonly begin: (run: Run) => Effect.Effect<boolean>
    /** Renews a lease, or begins it anew, and answers when it ends, in milliseconds since 1970; undefined where another run has one. */
    readonly renew: (run: Run) => Effect.Effect<number | undefined>
    readonly end: (claim: number) => Effect.Effect<void>
    /** Puts a run whose lease is over behind others for half a minute. */
    readonly postpone: (claim: number) => Effect.Effect<void>
    /** Runs whose lease is over, the longest first. */
    readonly expired: (limit: number) => Effect.Effect<ReadonlyArray<Run>>
    /** Milliseconds until the first lease ends, or one that begins now: less than none where one has ended. */
    readonly untilNext: Effect.Effect<number>
    /** The run of this number, if its lease was begun and not ended. */
    readonly find: (claim: number) => Effect.Effect<Run | undefined>
  }
>()("chronoforge/pipelines/executors/Leases") {
  /** `seconds` after it was heard of last, an executor counts as gone. Times are those of the database. */
  static readonly layer = (seconds: number): Layer.Layer<Leases, never, Sql> =>
    Layer.effect(
      Leases,
      Effect.map(Sql, ({ client }) => ({
        begin: ({ claim, jobId, pipelineId }) =>
          query(
            () => client`
              insert into chronoforge.job_leases (job_id, claim, pipeline_id, expires_at)
              values (${jobId}, ${claim}, ${pipelineId}, now() + make_interval(secs => ${seconds}))
              on conflict do nothing returning claim`
          ).pipe(Effect.map(({ length }) => length === 1)),
        renew: ({ claim, jobId, pipelineId }) =>
          query(
            () => client<Array<{ until: number }>>`
              with renewed as (
                update chronoforge.job_leases set expires_at = now() + make_interval(secs => ${seconds})
                where claim = ${claim} and job_id = ${jobId} returning expires_at
              ), begun as (
                insert into chronoforge.job_leases (job_id, claim, pipeline_id, expires_at)
                select ${jobId}, ${claim}, ${pipelineId}, now() + make_interval(secs => ${seconds})
                where not exists (select from renewed)
                on conflict do nothing returning expires_at
              )
              select (extract(epoch from expires_at) * 1000)::bigint as until
              from (select * from renewed union all select * from begun) lease`
          ).pipe(Effect.map(([row]) => row?.until)),
        end: (claim) => Effect.asVoid(query(() => client`delete from chronoforge.job_leases where claim = ${claim}`)),
        postpone: (claim) =>
          Effect.asVoid(
            query(
              () => client`
                update chronoforge.job_leases set expires_at = now() + interval '30 seconds'
                where claim = ${claim} and expires_at <= now()`
            )
          ),
        expired: (limit) =>
          query(
            () => client<Array<Run>>`
              select job_id as "jobId", pipeline_id as "pipelineId", claim from chronoforge.job_leases
              where expires_at <= now() order by expires_at limit ${limit}`
          ),
        untilNext: query(
          () => client<Array<{ millis: number | null }>>`
            select (extract(epoch from min(expires_at) - now()) * 1000)::float8 as millis from chronoforge.job_leases`
        ).pipe(Effect.map(([row]) => Math.min(row?.millis ?? Number.POSITIVE_INFINITY, seconds * 1000))),
        find: (claim) =>
          query(
            () => client<Array<Run>>`
              select job_id as "jobId", pipeline_id as "pipelineId", claim from chronoforge.job_leases where claim = ${claim}`
          ).pipe(Effect.map(([run]) => run))
      }))
    )
}
