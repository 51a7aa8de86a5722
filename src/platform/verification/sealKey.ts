import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto"
import { join } from "node:path"
import { Effect } from "effect"
import { AppConfig } from "../../config.ts"
import { StartError } from "../../kernel/StartError.ts"
import { ensureKeyFile, readKeyFile } from "../keyFile.ts"

const parse = (path: string, pem: string): Effect.Effect<KeyObject, StartError> =>
  Effect.try({ try: () => createPrivateKey(pem), catch: () => undefined }).pipe(
    Effect.filterOrFail((key) => key.asymmetricKeyType === "ed25519"),
    Effect.mapError(() => new StartError({ message: `Cannot use ${path}: it holds no Ed25519 private key in PEM` }))
  )

const path = Effect.map(AppConfig, ({ dataDir }) => join(dataDir, "seal-key"))

const newKey = (): string => generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString().trim()

/** The key that seals are signed with, from `<DATA_DIR>/seal-key`; made there, mode 0600, when there is none. */
export const sealKey = Effect.gen(function* () {
  const file = yield* path
  return yield* parse(file, yield* ensureKeyFile(file, newKey))
})

/** The key that seals are signed with; undefined when there is none. */
export const existingSealKey = Effect.gen(function* () {
  const file = yield* path
  const pem = yield* readKeyFile(file)
  return pem === undefined ? undefined : yield* parse(file, pem)
})
