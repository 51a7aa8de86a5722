import { chmod, mkdir, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Data, Effect } from "effect"
import { AppConfig, redacted } from "../config.ts"
import { StartError } from "../kernel/StartError.ts"

const codeOf = (cause: unknown): string | undefined =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : undefined

/** Makes one folder; false where something of that name is there. */
const makeOne = (path: string): Promise<boolean> =>
  mkdir(path).then(
    () => true,
    (cause: unknown) => (codeOf(cause) === "EEXIST" ? false : Promise.reject(cause))
  )

/** Makes a folder with those above it, and answers whether it did. Node's own way to do that never ends in `/proc`. */
const make = async (path: string): Promise<boolean> => {
  try {
    return await makeOne(path)
  } catch (cause) {
    if (codeOf(cause) !== "ENOENT" || dirname(path) === path) throw cause
    await make(dirname(path))
    return await makeOne(path)
  }
}

/** Makes the folder. One that root makes is passable, not readable, for the user that runs Postgres. */
const ensure = async (path: string): Promise<void> => {
  const isNew = await make(path)
  if (isNew && process.getuid?.() === 0) await chmod(path, 0o711)
  if (!(await stat(path)).isDirectory()) throw new Error("it is not a folder")
}

/** Makes `DATA_DIR`, the first thing of a start. Fails where that cannot be. */
export const makeDataDir: Effect.Effect<void, StartError, AppConfig> = Effect.flatMap(AppConfig, ({ dataDir }) =>
  Effect.tryPromise({
    try: () => ensure(dataDir),
    catch: (cause) =>
      new StartError({ message: `DATA_DIR ${dataDir} cannot be made: ${cause instanceof Error ? cause.message : String(cause)}` })
  })
)

/** `DATA_DIR` takes no files now. */
export class DataDirRefused extends Data.TaggedError("DataDirRefused")<{
  /** The system's word for the reason, such as `ENOSPC`. */
  readonly code: string
}> {}

/** As much as disks give out at once, so that a full one shows. */
const trial = Buffer.alloc(4096)

/**
 * Tries whether the folder takes files: writes one and removes it. Where a disk stands still, all who ask wait for the first attempt: each would
 * else take one of the few threads of this process.
 */
export const makeDataDirTrial = (dataDir: string): Effect.Effect<void, DataDirRefused> => {
  const path = join(dataDir, ".writable")
  let running: Promise<void> | undefined
  const write = () => writeFile(path, trial).finally(() => rm(path, { force: true }).catch(() => {}))
  const attempt = () => {
    running ??= write().finally(() => {
      running = undefined
    })
    return running
  }
  return Effect.tryPromise({ try: attempt, catch: (cause) => new DataDirRefused({ code: codeOf(cause) ?? "EUNKNOWN" }) })
}

/** Fails where nobody has started the service with this `DATA_DIR` and a Postgres of its own: whoever asks after it has another one in mind. */
export const requireInstallation: Effect.Effect<void, StartError, AppConfig> = Effect.gen(function* () {
  const { dataDir, databaseUrl } = yield* AppConfig
  if ((redacted(databaseUrl) ?? "") !== "") return
  const isThere = yield* Effect.promise(() =>
    stat(join(dataDir, "postgres")).then(
      () => true,
      () => false
    )
  )
  if (!isThere) return yield* new StartError({ message: `DATA_DIR ${dataDir}: there is no installation` })
})
