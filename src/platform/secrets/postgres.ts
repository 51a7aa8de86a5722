import { Effect, Layer } from "effect"
import type { AppConfig } from "../../config.ts"
import type { StartError } from "../../kernel/StartError.ts"
import { spanned } from "../logging/tracing.ts"
import { type Client, query, Sql } from "../sql/Sql.ts"
import { fingerprintOf, newDataKey, openText, sealText, unwrapDataKey, wrapDataKey, wrappingKeyOf } from "./cipher.ts"
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

interface Wrapped extends KeyRow {
  /** The fingerprint of the SECRET_KEY that wrapped it. */
  readonly by: Uint8Array
}

/** Stores a key unless another writer was faster; `replacing` is what it may overwrite. */
const storeWrapped = (client: Client, { by, stream, wrapped }: Wrapped, replacing: Uint8Array | undefined) =>
  query(() =>
    replacing === undefined
      ? client`
          insert into chronoforge.data_keys (stream, wrapped, wrapped_by)
          values (${stream}, ${Buffer.from(wrapped)}, ${Buffer.from(by)}) on conflict do nothing`
      : client`
          update chronoforge.data_keys set wrapped = ${Buffer.from(wrapped)}, wrapped_by = ${Buffer.from(by)}
          where stream = ${stream} and wrapped = ${Buffer.from(replacing)}`
  )

const make = (client: Client, key: string) => {
  const [wrappingKey, by] = [wrappingKeyOf(key), fingerprintOf(key)]
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
      yield* storeWrapped(client, { by, stream, wrapped: wrapDataKey(wrappingKey, stream, newDataKey()) }, wrapped)
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
    return make(client, yield* secretKey)
  })
)

export interface SecretKeyCheck {
  /** Whether SECRET_KEY or its file is there. */
  readonly present: boolean
  /** Stored keys, and how many of them the present SECRET_KEY cannot unwrap. */
  readonly stored: number
  readonly unreadable: number
}

/** So many keys without a fingerprint are looked at with one statement. */
const batchSize = 500

/** Notes the fingerprint of the keys without one that this SECRET_KEY unwraps; answers whether it unwraps all of them. */
const noteFingerprints = Effect.fnUntraced(function* (client: Client, key: string) {
  const [wrappingKey, by] = [wrappingKeyOf(key), fingerprintOf(key)]
  for (;;) {
    const rows = yield* query(
      () => client<Array<KeyRow>>`
        select stream, wrapped from chronoforge.data_keys where wrapped_by is null order by stream limit ${batchSize}`
    )
    const fitting = rows.filter(({ stream, wrapped }) => unwrapDataKey(wrappingKey, stream, wrapped) !== undefined)
    const [streams, digits] = [
      fitting.map(({ stream }) => stream),
      fitting.map(({ wrapped }) => Buffer.from(wrapped).toString("hex"))
    ]
    yield* query(
      () => client`
        update chronoforge.data_keys d set wrapped_by = ${Buffer.from(by)}
        from unnest(${streams}::text[], ${digits}::text[]) seen (stream, hex)
        where d.stream = seen.stream and d.wrapped = decode(seen.hex, 'hex')`
    )
    // One that does not fit is answer enough; the rest is looked at when it does.
    if (fitting.length < rows.length) return false
    if (rows.length < batchSize) return true
  }
})

/**
 * Whether SECRET_KEY fits the stored keys, as their fingerprints tell, without a look at each. Keys from before there were fingerprints get
 * theirs the first time.
 */
export const fitsStoredKeys: Effect.Effect<boolean, StartError, Sql | AppConfig> = Effect.gen(function* () {
  const { client } = yield* Sql
  const key = yield* secretKey
  const by = Buffer.from(fingerprintOf(key))
  // Least and greatest are the ends of an index, whatever the number of keys. Before 18 Postgres has no min and max of bytea.
  const [row] = yield* query(
    () => client<Array<{ fits: boolean | null }>>`
      select (select wrapped_by from chronoforge.data_keys where wrapped_by is not null order by wrapped_by limit 1) = ${by}
        and (select wrapped_by from chronoforge.data_keys where wrapped_by is not null order by wrapped_by desc limit 1) = ${by} as fits`
  )
  return row?.fits !== false && (yield* noteFingerprints(client, key))
})

/** Whether SECRET_KEY fits the stored keys, each of which is tried. Creates nothing. */
export const checkSecretKey: Effect.Effect<SecretKeyCheck, StartError, Sql | AppConfig> = Effect.gen(function* () {
  const { client } = yield* Sql
  const key = yield* existingSecretKey
  const rows = yield* query(() => client<Array<KeyRow>>`select stream, wrapped from chronoforge.data_keys`)
  if (key === undefined) return { present: false, stored: rows.length, unreadable: rows.length }
  const wrappingKey = wrappingKeyOf(key)
  const unreadable = rows.filter(({ stream, wrapped }) => unwrapDataKey(wrappingKey, stream, wrapped) === undefined)
  return { present: true, stored: rows.length, unreadable: unreadable.length }
})
