import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { Effect } from "effect"
import { AppConfig, redacted } from "../../config.ts"
import { ensureKeyFile, readKeyFile } from "../keyFile.ts"

const keyBytes = 32

/** The setting, and the file that stands in for it. An empty setting counts as unset, as compose files make of an absent one. */
const sources = Effect.map(AppConfig, ({ dataDir, secretKey }) => ({
  setting: redacted(secretKey) || undefined,
  path: join(dataDir, "secret-key")
}))

/** SECRET_KEY, or what `<DATA_DIR>/secret-key` says; undefined when there is neither. */
export const existingSecretKey = Effect.flatMap(sources, ({ setting, path }) =>
  setting === undefined ? readKeyFile(path) : Effect.succeed(setting)
)

/** The secret key, like `existingSecretKey`; when there is none, the file is made first. */
export const secretKey = Effect.flatMap(sources, ({ setting, path }) =>
  setting === undefined ? ensureKeyFile(path, () => randomBytes(keyBytes).toString("base64url")) : Effect.succeed(setting)
)
