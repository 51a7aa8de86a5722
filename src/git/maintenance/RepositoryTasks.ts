import { Context, Effect, Layer, Queue } from "effect"
import { query, Sql } from "../../platform/sql/Sql.ts"
import { Repositories } from "../Repositories.ts"
import type { Repository } from "../Repository.ts"

/** What may be due in a repository: to record refs that may have moved without the log, to maintain it, to count its contributors. */
export type Task = "record" | "maintain" | "count"

/** When a task is due. */
interface Delay {
  /** Milliseconds after it was noted last. */
  readonly after: number
  /** Milliseconds after it was noted first, however often it was noted since. */
  readonly latest: number
}

type Delays = Readonly<Record<Task, Delay>>

/** A record is due where nobody is at it: who moves refs takes less than a minute for it. */
const defaultDelays: Delays = {
  record: { after: 60_000, latest: 60_000 },
  maintain: { after: 10_000, latest: 600_000 },
  count: { after: 0, latest: 0 }
}

/** A task that was noted, and how often. */
export interface Noted {
  readonly repository: Repository
  readonly notes: number
}

/** A task that is not done yet. */
export interface OpenTask extends Noted {
  /** Milliseconds until it is due; not positive when it is. */
  readonly wait: number
  /** It has waited as long as it may, whatever goes on in the repository. */
  readonly isLate: boolean
}

/**
 * What is not done yet in repositories, where it outlives this process and other processes see it. So nobody has to look through all
 * repositories for what is due.
 */
export class RepositoryTasks extends Context.Service<
  RepositoryTasks,
  {
    readonly delays: Delays
    /** Notes a task. A crash of the whole machine may lose the note, which costs time only. */
    readonly note: (task: Exclude<Task, "record">, repository: Repository) => Effect.Effect<void>
    /** Notes that refs are about to move, which wants maintenance too. The note is on disk then. */
    readonly noteMoves: (repository: Repository) => Effect.Effect<Noted>
    /** Makes a record and maintenance due for all of these repositories, now. */
    readonly noteAll: (repositories: ReadonlyArray<Repository>) => Effect.Effect<void>
    readonly find: (task: Task, repository: Repository) => Effect.Effect<OpenTask | undefined>
    /** Those that are due first, whether or not they are yet. */
    readonly next: (task: Task, limit: number) => Effect.Effect<ReadonlyArray<OpenTask>>
    /** Forgets a task, unless it was noted again. */
    readonly done: (task: Task, noted: Noted) => Effect.Effect<void>
    /** Makes a task due in so many milliseconds, unless it was noted again. */
    readonly postpone: (task: Task, noted: Noted, millis: number) => Effect.Effect<void>
    /** Completes when this process notes the task; at once when it has since the last time. */
    readonly awaitNote: (task: Task) => Effect.Effect<void>
  }
>()("chronoforge/git/RepositoryTasks") {
  /** In the database. `delays`: those that are not the usual ones. */
  static readonly layer = (delays: Partial<Delays> = {}): Layer.Layer<RepositoryTasks, never, Repositories | Sql> =>
    Layer.effect(RepositoryTasks, make({ ...defaultDelays, ...delays }))
}

interface Row {
  readonly project_id: number
  readonly notes: number
  readonly wait: number
  readonly late: boolean
}

/** Wakes who waits for a task that this process notes. */
const makeBells = Effect.gen(function* () {
  const [record, maintain, count] = [yield* Queue.sliding<void>(1), yield* Queue.sliding<void>(1), yield* Queue.sliding<void>(1)]
  return { record, maintain, count } satisfies Readonly<Record<Task, unknown>>
})

const make = Effect.fnUntraced(function* (delays: Delays) {
  const [{ client }, { idOf, of }, bells] = [yield* Sql, yield* Repositories, yield* makeBells]
  const ring = (...tasks: ReadonlyArray<Task>) =>
    Effect.sync(() => {
      for (const task of tasks) Queue.offerUnsafe(bells[task], undefined)
    })
  const openTask = ({ late, notes, project_id, wait }: Row): OpenTask => ({
    repository: of(project_id),
    notes,
    wait,
    isLate: late
  })
  const columns = client`project_id, notes, (extract(epoch from due_at - now()) * 1000)::float8 as wait, latest_at <= now() as late`
  const again = client`
    on conflict (project_id, task) do update set notes = t.notes + 1, due_at = least(excluded.due_at, t.latest_at)`
  // Of a transaction that is this statement: it answers before it is on disk.
  const relaxed = client`set_config('synchronous_commit', 'off', true) is not null`
  const { record, maintain } = delays

  return RepositoryTasks.of({
    delays,
    note: (task, repository) =>
      query(
        () => client`
          insert into chronoforge.repository_tasks as t (project_id, task, due_at, latest_at)
          select ${idOf(repository)}, ${task}, now() + ${delays[task].after} * interval '1 ms', now() + ${delays[task].latest} * interval '1 ms'
          where ${relaxed} ${again}`
      ).pipe(Effect.andThen(ring(task))),
    noteMoves: (repository) =>
      query(async () => {
        const id = idOf(repository)
        const rows = await client<Array<{ task: Task; notes: number }>>`
          insert into chronoforge.repository_tasks as t (project_id, task, due_at, latest_at) values
            (${id}, 'record', now() + ${record.after} * interval '1 ms', now() + ${record.latest} * interval '1 ms'),
            (${id}, 'maintain', now() + ${maintain.after} * interval '1 ms', now() + ${maintain.latest} * interval '1 ms')
          ${again} returning task, notes`
        return { repository, notes: rows.find(({ task }) => task === "record")?.notes ?? 0 }
      }).pipe(Effect.tap(ring("record", "maintain"))),
    noteAll: (repositories) =>
      query(
        () => client`
          insert into chronoforge.repository_tasks as t (project_id, task, due_at, latest_at)
          select id, task, now(), now() from unnest(${repositories.map(idOf)}::bigint[]) id, unnest(array['record', 'maintain']) task
          ${again}`
      ).pipe(Effect.andThen(ring("record", "maintain"))),
    find: (task, repository) =>
      query(async () => {
        const [row] = await client<Array<Row>>`
          select ${columns} from chronoforge.repository_tasks where project_id = ${idOf(repository)} and task = ${task}`
        return row && openTask(row)
      }),
    next: (task, limit) =>
      query(async () => {
        const rows = await client<Array<Row>>`
          select ${columns} from chronoforge.repository_tasks where task = ${task} order by due_at limit ${limit}`
        return rows.map(openTask)
      }),
    done: (task, { notes, repository }) =>
      query(
        () => client`
          delete from chronoforge.repository_tasks
          where project_id = ${idOf(repository)} and task = ${task} and notes = ${notes} and ${relaxed}`
      ).pipe(Effect.asVoid),
    postpone: (task, { notes, repository }, millis) =>
      query(
        () => client`
          update chronoforge.repository_tasks
          set due_at = now() + ${millis} * interval '1 ms', latest_at = now() + ${millis + delays[task].latest} * interval '1 ms'
          where project_id = ${idOf(repository)} and task = ${task} and notes = ${notes}`
      ).pipe(Effect.asVoid),
    awaitNote: (task) => Queue.take(bells[task])
  })
})
