import { Effect, Layer } from "effect"
import type { AppConfig } from "../../config.ts"
import type { StartError } from "../../kernel/StartError.ts"
import { spanned } from "../logging/tracing.ts"
import { type Client, query, Sql } from "../sql/Sql.ts"
import { newDataKey, openText, sealText, unwrapDataKey, wrapDataKey, wrappingKeyOf } from "./cipher.ts"
import { existingSecretKey, secretKey } from "./key.ts"
import { Secrets } from "./Secrets.ts"

interface KeyRow {
  readonly stream: string
  readonly wrapped: Uint8Array
}

const readWrapped = (client: Client, stream: string) =>
  Effect.map(
    query(() => client<Array<KeyRow>>`select stream, wrapped from chronoforge.data_keys where stream = ${stream}`),
    ([row]) => row?.wrapped
  )

/** Stores a key unless another writer was faster; `replacing` is what it may overwrite. */
const storeWrapped = (client: Client, stream: string, wrapped: Uint8Array, replacing: Uint8Array | undefined) =>
  query(() =>
    replacing === undefined
      ? client`insert into chronoforge.data_keys (stream, wrapped) values (${stream}, ${Buffer.from(wrapped)}) on conflict do nothing`
      : client`
          update chronoforge.data_keys set wrapped = ${Buffer.from(wrapped)}
          where stream = ${stream} and wrapped = ${Buffer.from(replacing)}`
  )

const make = (client: Client, wrappingKey: Uint8Array) => {
  const readDataKey = (stream: string) =>
    Effect.map(readWrapped(client, stream), (wrapped) =>
      wrapped === undefined ? undefined : unwrapDataKey(wrappingKey, stream, wrapped)
    )

  /** The stream's key, made when there is none. One that SECRET_KEY cannot unwrap is replaced, so that new secrets can be kept. */
  const ensureDataKey = Effect.fnUntraced(function* (stream: string) {
    for (;;) {
      const wrapped = yield* readWrapped(client, stream)
      const dataKey = wrapped === undefined ? undefined : unwrapDataKey(wrappingKey, stream, wrapped)
      if (dataKey !== undefined) return dataKey
      if (wrapped !== undefined) yield* Effect.logWarning("SECRET_KEY does not fit a stored key, which is replaced", { stream })
      yield* storeWrapped(client, stream, wrapDataKey(wrappingKey, stream, newDataKey()), wrapped)
    }
  }, spanned("Secrets.ensureDataKey"))

  const opener = (stream: string) =>
    Effect.map(readDataKey(stream), (dataKey) => (sealed: string) => dataKey && openText(dataKey, stream, sealed))

  return Secrets.of({
    seal: (stream, secret) => Effect.map(ensureDataKey(stream), (dataKey) => sealText(dataKey, stream, secret)),
    open: (stream, sealed) => Effect.map(opener(stream), (open) => open(sealed)),
    openAll: (stream, sealed) =>
      sealed.length === 0 ? Effect.succeed([]) : Effect.map(opener(stream), (open) => sealed.map(open)),
    deleteKey: (stream) => Effect.asVoid(query(() => client`delete from chronoforge.data_keys where stream = ${stream}`))
  })
}

/** Secrets with their keys in Postgres. Needs the migrations to have run. */
export const layerSecretsPostgres: Layer.Layer<Secrets, StartError, Sql | AppConfig> = Layer.effect(
  Secrets,
  Effect.gen(function* () {
    const { client } = yield* Sql
    return make(client, wrappingKeyOf(yield* secretKey))
  })
)

export interface SecretKeyCheck {
  /** Whether SECRET_KEY or its file is there. */
  readonly present: boolean
  /** Stored keys, and how many of them the present SECRET_KEY cannot unwrap. */
  readonly stored: number
  readonly unreadable: number
}

/** Whether SECRET_KEY fits the stored keys. Creates nothing. */
export const checkSecretKey: Effect.Effect<SecretKeyCheck, StartError, Sql | AppConfig> = Effect.gen(function* () {
  const { client } = yield* Sql
  const key = yield* existingSecretKey
  const rows = yield* query(() => client<Array<KeyRow>>`select stream, wrapped from chronoforge.data_keys`)
  if (key === undefined) return { present: false, stored: rows.length, unreadable: rows.length }
  const wrappingKey = wrappingKeyOf(key)
  const unreadable = rows.filter(({ stream, wrapped }) => unwrapDataKey(wrappingKey, stream, wrapped) === undefined)
  return { present: true, stored: rows.length, unreadable: unreadable.length }
})
