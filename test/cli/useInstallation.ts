import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll } from "vitest"
import { ask, freshDatabase } from "#test/support/database.ts"
import { type ServeProcess, serveProcess } from "#test/support/processes/serveProcess.ts"
import { chronoforge, type Ended } from "./chronoforge.ts"

/** A running service with a database and a data folder of its own, and the command line beside it. */
export interface Installation {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly settings: Readonly<Record<string, string>>
  readonly run: (...args: ReadonlyArray<string>) => Promise<Ended>
  readonly request: ServeProcess["request"]
  /** What the service wrote to both of its outputs so far. */
  readonly output: ServeProcess["output"]
  /** Runs a statement in the database. */
  readonly sql: (statement: string) => Promise<ReadonlyArray<ReadonlyArray<unknown>>>
}

/** Starts an installation with these settings before the tests of the calling file and removes it after them. */
export const useInstallation = (env: Readonly<Record<string, string>> = {}): Installation => {
  const scope = Scope.makeUnsafe()
  let settings: Readonly<Record<string, string>> = {}
  let service: ServeProcess | undefined
  beforeAll(async () => {
    const url = await Effect.runPromise(Scope.provide(freshDatabase(), scope))
    settings = { DATABASE_URL: url, DATA_DIR: await mkdtemp(join(tmpdir(), "chronoforge-cli-")), ...env }
    service = await serveProcess(settings)
  })
  afterAll(async () => {
    await service?.end("SIGTERM")
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(settings.DATA_DIR ?? "", { recursive: true, force: true })
  })
  return {
    get url() {
      return service?.url ?? ""
    },
    get settings() {
      return settings
    },
    get output() {
      return service?.output ?? []
    },
    run: (...args) => chronoforge(args, settings),
    request: (...request) => (service === undefined ? Promise.reject(new Error("not started")) : service.request(...request)),
    sql: (statement) => Effect.runPromise(ask(settings.DATABASE_URL ?? "", statement))
  }
}
