import { Context, Effect, Layer, Queue } from "effect"
import { query, Sql } from "../platform/sql/Sql.ts"
import { Repositories } from "./Repositories.ts"
import type { Repository } from "./Repository.ts"

/**
 * The kinds of tasks of a repository: recording refs that may have moved without the log, maintenance, counting contributors, and removing
 * it with its project.
 */
export type Task = "record" | "maintain" | "count" | "remove"

/** The delays after which a task is due. */
interface Delay {
  /** The number of milliseconds after the task was scheduled last. */
  readonly after: number
  /** The number of milliseconds after the task was scheduled first, however often it was scheduled since. */
  readonly latest: number
}

type Delays = Readonly<Record<Task, Delay>>

/**
 * Recording is due after a minute, because whoever moves refs records them within that time. A removal is due when its project is deleted;
 * an hour after it was scheduled, a project that is still there stays.
 */
const defaultDelays: Delays = {
  record: { after: 60_000, latest: 60_000 },
  maintain: { after: 10_000, latest: 600_000 },
  count: { after: 0, latest: 0 },
  remove: { after: 3_600_000, latest: 3_600_000 }
}

/** A scheduled task, and how often it was scheduled. */
export interface ScheduledTask {
  readonly repository: Repository
  readonly notes: number
}

/** A task that is not completed yet. */
export interface PendingTask extends ScheduledTask {
  /** The number of milliseconds until the task is due; not positive when it is. */
  readonly wait: number
  /** Whether the task has waited as long as it may, whatever happens in the repository. */
  readonly isLate: boolean
}

/**
 * The pending tasks of repositories. They are persistent and shared by all processes, so that nobody has to search all repositories for
 * due work.
 */
export class RepositoryTasks extends Context.Service<
  RepositoryTasks,
  {
    readonly delays: Delays
    /** Schedules a task. A crash of the whole machine may lose it, which costs time only. */
    readonly schedule: (task: Exclude<Task, "record" | "remove">, repository: Repository) => Effect.Effect<void>
    /** Schedules the recording of refs that are about to move, and maintenance. Both are on disk then. */
    readonly scheduleRecord: (repository: Repository) => Effect.Effect<ScheduledTask>
    /** Schedules the removal of a repository whose project is about to be deleted. It is on disk then. */
    readonly scheduleRemoval: (repository: Repository) => Effect.Effect<ScheduledTask>
    /** Makes recording and maintenance due now for all of these repositories. */
    readonly scheduleAll: (repositories: ReadonlyArray<Repository>) => Effect.Effect<void>
    readonly find: (task: Task, repository: Repository) => Effect.Effect<PendingTask | undefined>
    /** The tasks that are due first, whether or not they are due yet. */
    readonly next: (task: Task, limit: number) => Effect.Effect<ReadonlyArray<PendingTask>>
    /** All tasks that are pending, or those of them that are due, the first due first. */
    readonly all: (task: Task, which: "pending" | "due") => Effect.Effect<ReadonlyArray<PendingTask>>
    /** Completes a task, unless it was scheduled again. */
    readonly complete: (task: Task, scheduled: ScheduledTask) => Effect.Effect<void>
    /** Makes a task due in this many milliseconds, unless it was scheduled again. */
    readonly postpone: (task: Task, scheduled: ScheduledTask, millis: number) => Effect.Effect<void>
    /** Completes when this process schedules the task; at once when it did since the last call. */
    readonly awaitScheduled: (task: Task) => Effect.Effect<void>
  }
>()("chronoforge/git/RepositoryTasks") {
  /** The layer of tasks in the database. `delays` override the default ones. */
  static readonly layer = (delays: Partial<Delays> = {}): Layer.Layer<RepositoryTasks, never, Repositories | Sql> =>
    Layer.effect(RepositoryTasks, make({ ...defaultDelays, ...delays }))
}

interface Row {
  readonly project_id: number
  readonly notes: number
  readonly wait: number
  readonly late: boolean
}

/** Makes the signals that wake the workers of this process when a task is scheduled. */
const makeSignals = Effect.gen(function* () {
  const signal = Queue.sliding<void>(1)
  const signals: Readonly<Record<Task, Queue.Queue<void>>> = {
    record: yield* signal,
    maintain: yield* signal,
    count: yield* signal,
    remove: yield* signal
  }
  return signals
})

const make = Effect.fnUntraced(function* (delays: Delays) {
  const [{ client }, { idOf, of }, signals] = [yield* Sql, yield* Repositories, yield* makeSignals]
  const notify = (...tasks: ReadonlyArray<Task>) =>
    Effect.sync(() => {
      for (const task of tasks) Queue.offerUnsafe(signals[task], undefined)
    })
  const pendingTask = ({ late, notes, project_id, wait }: Row): PendingTask => ({
    repository: of(project_id),
    notes,
    wait,
    isLate: late
  })
  const columns = client`project_id, notes, (extract(epoch from due_at - now()) * 1000)::float8 as wait, latest_at <= now() as late`
  const onConflict = client`
    on conflict (project_id, task) do update set notes = t.notes + 1, due_at = least(excluded.due_at, t.latest_at)`
  // This statement is its own transaction, which answers before it is on disk.
  const asyncCommit = client`set_config('synchronous_commit', 'off', true) is not null`
  const { maintain, record, remove } = delays

  return RepositoryTasks.of({
    delays,
    schedule: (task, repository) =>
      query(
        () => client`
          insert into chronoforge.repository_tasks as t (project_id, task, due_at, latest_at)
          select ${idOf(repository)}, ${task}, now() + ${delays[task].after} * interval '1 ms', now() + ${delays[task].latest} * interval '1 ms'
          where ${asyncCommit} ${onConflict}`
      ).pipe(Effect.andThen(notify(task))),
    scheduleRecord: (repository) =>
      query(async () => {
        const id = idOf(repository)
        const rows = await client<Array<{ task: Task; notes: number }>>`
          insert into chronoforge.repository_tasks as t (project_id, task, due_at, latest_at) values
            (${id}, 'record', now() + ${record.after} * interval '1 ms', now() + ${record.latest} * interval '1 ms'),
            (${id}, 'maintain', now() + ${maintain.after} * interval '1 ms', now() + ${maintain.latest} * interval '1 ms')
          ${onConflict} returning task, notes`
        return { repository, notes: rows.find(({ task }) => task === "record")?.notes ?? 0 }
      }).pipe(Effect.tap(notify("record", "maintain"))),
    scheduleRemoval: (repository) =>
      query(async () => {
        const [row] = await client<Array<{ notes: number }>>`
          insert into chronoforge.repository_tasks as t (project_id, task, due_at, latest_at) values
            (${idOf(repository)}, 'remove', now() + ${remove.after} * interval '1 ms', now() + ${remove.latest} * interval '1 ms')
          ${onConflict} returning notes`
        return { repository, notes: row?.notes ?? 0 }
      }).pipe(Effect.tap(notify("remove"))),
    scheduleAll: (repositories) =>
      query(
        () => client`
          insert into chronoforge.repository_tasks as t (project_id, task, due_at, latest_at)
          select id, task, now(), now() from unnest(${repositories.map(idOf)}::bigint[]) id, unnest(array['record', 'maintain']) task
          ${onConflict}`
      ).pipe(Effect.andThen(notify("record", "maintain"))),
    find: (task, repository) =>
      query(async () => {
        const [row] = await client<Array<Row>>`
          select ${columns} from chronoforge.repository_tasks where project_id = ${idOf(repository)} and task = ${task}`
        return row && pendingTask(row)
      }),
    next: (task, limit) =>
      query(async () => {
        const rows = await client<Array<Row>>`
          select ${columns} from chronoforge.repository_tasks where task = ${task} order by due_at limit ${limit}`
        return rows.map(pendingTask)
      }),
    all: (task, which) =>
      query(async () => {
        const dueOnly = which === "due" ? client`and due_at <= now()` : client``
        const rows = await client<Array<Row>>`
          select ${columns} from chronoforge.repository_tasks where task = ${task} ${dueOnly} order by due_at`
        return rows.map(pendingTask)
      }),
    complete: (task, { notes, repository }) =>
      query(
        () => client`
          delete from chronoforge.repository_tasks
          where project_id = ${idOf(repository)} and task = ${task} and notes = ${notes} and ${asyncCommit}`
      ).pipe(Effect.asVoid),
    postpone: (task, { notes, repository }, millis) =>
      query(
        () => client`
          update chronoforge.repository_tasks
          set due_at = now() + ${millis} * interval '1 ms', latest_at = now() + ${millis + delays[task].latest} * interval '1 ms'
          where project_id = ${idOf(repository)} and task = ${task} and notes = ${notes}`
      ).pipe(Effect.asVoid),
    awaitScheduled: (task) => Queue.take(signals[task])
  })
})
