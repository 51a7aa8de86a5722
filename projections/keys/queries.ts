import { Effect, Layer } from "effect"
import { type FoundKey, KeyReadModel, type KeyRow, type OwnedKeyRow } from "#src/keys/ReadModel.ts"
import { lookupById } from "#src/platform/sql/lookup.ts"
import { type Client, query, Sql } from "#src/platform/sql/Sql.ts"

const columns = `k.id, k.kind, k.title, k.created_at, k.updated_at, k.expires_at, k.key, k.usage_type, k.fingerprint,
  k.fingerprint_sha256`
const owned = `
  select ${columns}, to_jsonb(u) as owner
  from rm_keys.keys k left join rm_users.users u on u.id = k.user_id`
const found = `
  select ${columns}, to_jsonb(u) as owner, coalesce(
    (select json_agg(l order by l.id) from rm_keys.deploy_keys_projects l where l.deploy_key_id = k.id), '[]'::json) as links
  from rm_keys.keys k left join rm_users.users u on u.id = k.user_id`

const fingerprintColumn = { md5: "k.fingerprint", sha256: "k.fingerprint_sha256" } as const

type Value = string | number | boolean

const rows = <Row extends object>(client: Client, text: string, values: ReadonlyArray<Value>) =>
  query(() => client.unsafe<Array<Row>>(text, [...values], { prepare: true }))

const first = <Row extends object>(client: Client, text: string, values: ReadonlyArray<Value>) =>
  Effect.map(rows<Row>(client, text, values), ([row]) => row)

const page = (client: Client, condition: string, value: Value, slice: { readonly limit: number; readonly offset: number }) =>
  Effect.all(
    {
      rows: rows<KeyRow>(client, `select ${columns} from rm_keys.keys k where ${condition} order by k.id limit $2 offset $3`, [
        value,
        slice.limit,
        slice.offset
      ]),
      total: Effect.map(
        first<{ readonly total: number }>(client, `select count(*) as total from rm_keys.keys k where ${condition}`, [value]),
        (row) => row?.total ?? 0
      )
    },
    { concurrency: 2 }
  )

/** Answers questions about keys from Postgres. */
export const keyQueries: Layer.Layer<KeyReadModel, never, Sql> = Layer.effect(
  KeyReadModel,
  Effect.gen(function* () {
    const { client, lookups } = yield* Sql
    return KeyReadModel.of({
      find: lookupById<OwnedKeyRow>(lookups, `${owned} where k.id = any($1)`),
      findByFingerprint: ({ kind, text }) => first<FoundKey>(lookups, `${found} where ${fingerprintColumn[kind]} = $1`, [text]),
      hasFingerprint: (sha256) =>
        Effect.map(
          first<{ readonly id: number }>(client, "select id from rm_keys.keys where fingerprint_sha256 = $1 limit 1", [sha256]),
          (row) => row !== undefined
        ),
      listOfUser: (userId, slice) => page(client, "k.kind = 'user' and k.user_id = $1", userId, slice),
      findOfUser: (userId, keyId) =>
        first<KeyRow>(lookups, `select ${columns} from rm_keys.keys k where k.id = $1 and k.kind = 'user' and k.user_id = $2`, [
          keyId,
          userId
        ]),
      listDeployKeys: ({ onlyPublic }, slice) => page(client, "k.kind = 'deploy' and (k.public or not $1)", onlyPublic, slice)
    })
  })
)
