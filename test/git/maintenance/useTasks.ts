import { join } from "node:path"
import { ConfigProvider, Effect, Layer, Logger, ManagedRuntime } from "effect"
import { afterAll, beforeAll } from "vitest"
import { AppConfig } from "#src/config.ts"
import { Contributors } from "#src/git/contributors/Contributors.ts"
import { CommitGraphs } from "#src/git/history/CommitGraphs.ts"
import { Maintenance } from "#src/git/maintenance/Maintenance.ts"
import { Repositories } from "#src/git/Repositories.ts"
import { RepositoryTasks, type Task } from "#src/git/RepositoryTasks.ts"
import { layerAdvisoryPushLocks } from "#src/git/refs/advisoryPushLocks.ts"
import type { PushLocks } from "#src/git/refs/pushLocks.ts"
import { connect } from "#src/platform/sql/connect.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { freshDatabase } from "#test/support/database.ts"
import { emptyRepository, type GitFixture } from "#test/support/git/gitFixtures.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

/** Short ones, in milliseconds. */
export const delays = { maintain: { after: 50, latest: 400 }, count: { after: 0, latest: 0 } }

export type Services = AppConfig | Maintenance | PushLocks | Repositories | RepositoryTasks | Sql

/** A process of the installation. */
export interface Process {
  readonly run: <A, E>(effect: Effect.Effect<A, E, Services>) => Promise<A>
  /** Ends it: what runs in it is interrupted. */
  readonly end: () => Promise<void>
}

/** A database and a folder of repositories for the tests of one file, and processes that use both. */
export const useTasks = () => {
  const folder = temporaryFolder()
  const database = ManagedRuntime.make(
    Layer.effect(
      Sql,
      Effect.flatMap(freshDatabase(), (url) => Effect.orDie(connect(url, 8)))
    )
  )
  const processes: Array<Process> = []
  let last = 0

  const start = async (): Promise<Process> => {
    const sql = await database.runPromise(Effect.service(Sql))
    const environment = ConfigProvider.layer(ConfigProvider.fromEnv({ env: { DATA_DIR: folder() } }))
    const layer = Maintenance.layer.pipe(
      Layer.provideMerge(
        Layer.mergeAll(layerAdvisoryPushLocks, Contributors.layer, CommitGraphs.layer, RepositoryTasks.layer(delays))
      ),
      Layer.provideMerge(Repositories.layer),
      Layer.provideMerge(Layer.orDie(AppConfig.layer.pipe(Layer.provide(environment)))),
      Layer.provideMerge(Layer.succeed(Sql, sql)),
      Layer.merge(Logger.layer([]))
    )
    const runtime = ManagedRuntime.make(layer)
    const started: Process = { run: (effect) => runtime.runPromise(effect), end: () => runtime.dispose() }
    processes.push(started)
    return started
  }

  let main: Process | undefined
  beforeAll(async () => {
    main = await start()
  })
  afterAll(async () => {
    await Promise.all(processes.map(({ end }) => end()))
    await database.dispose()
  })
  const run: Process["run"] = (effect) => main?.run(effect) ?? Promise.reject(new Error("not started"))

  /** The repository of a new project, which has a commit. */
  const newRepository = (): GitFixture => {
    const id = ++last
    const fixture = emptyRepository(join(folder(), "repositories", id.toString(16).padStart(2, "0"), `${id}.git`))
    fixture.commits([{ mark: "one", files: { a: "1\n" } }])
    return fixture
  }

  /** Tasks that are noted of the repository of a project. */
  const noted = ({ repository }: GitFixture): Promise<ReadonlyArray<Task>> =>
    run(
      Effect.gen(function* () {
        const [{ client }, { idOf }] = [yield* Sql, yield* Repositories]
        const rows = yield* query(
          () => client<Array<{ task: Task }>>`
            select task from chronoforge.repository_tasks where project_id = ${idOf(repository)} order by task`
        )
        return rows.map(({ task }) => task)
      })
    )

  return { newRepository, noted, run, start }
}
