import { Effect, Layer } from "effect"
import { namespaceName, namespacePath } from "#projections/namespaces/expressions.ts"
import type { Slice } from "#src/http/answer/pagination.ts"
import {
  type DeployKeyRow,
  type FoundKey,
  KeyQueries,
  type KeyRow,
  type OwnedKeyRow,
  type ProjectKeyRow
} from "#src/keys/Queries.ts"
import { lookupById } from "#src/platform/sql/lookup.ts"
import { type Client, query, Sql } from "#src/platform/sql/Sql.ts"

const columns = `k.id, k.kind, k.title, k.created_at, k.updated_at, k.expires_at, k.key, k.usage_type, k.fingerprint,
  k.fingerprint_sha256`
const owned = `
  select ${columns}, to_jsonb(u) as owner
  from rm_keys.keys k left join rm_users.users u on u.id = k.user_id`
const found = `
  select ${columns}, to_jsonb(u) as owner, coalesce(
    (select json_agg(l order by l.id) from rm_keys.deploy_keys_projects l where l.deploy_key_id = k.id), '[]'::json) as links,
    k.public
  from rm_keys.keys k left join rm_users.users u on u.id = k.user_id`

/** Deploy keys with the projects that use them. */
const deployKeys = `
  select ${columns}, coalesce((
    select json_agg(json_build_object('id', p.id, 'description', p.description, 'name', p.name,
      'name_with_namespace', ${namespaceName("p.namespace_id")} || ' / ' || p.name, 'path', p.path,
      'path_with_namespace', ${namespacePath("p.namespace_id")} || '/' || p.path, 'created_at', p.created_at,
      'can_push', l.can_push) order by p.id)
    from rm_keys.deploy_keys_projects l join rm_projects.projects p on p.id = l.project_id
    join rm_namespaces.namespaces n on n.id = p.namespace_id where l.deploy_key_id = k.id), '[]'::json) as projects
  from rm_keys.keys k where k.kind = 'deploy' and (k.public or not $1) order by k.id limit $2 offset $3`

const projectKeys = `
  select ${columns}, k.public, l.can_push from rm_keys.deploy_keys_projects l join rm_keys.keys k on k.id = l.deploy_key_id
  where l.project_id = $1`

const fingerprintColumn = { md5: "k.fingerprint", sha256: "k.fingerprint_sha256" } as const

type Value = string | number | boolean

const rows = <Row extends object>(client: Client, text: string, values: ReadonlyArray<Value>) =>
  query(() => client.unsafe<Array<Row>>(text, [...values], { prepare: true }))

const first = <Row extends object>(client: Client, text: string, values: ReadonlyArray<Value>) =>
  Effect.map(rows<Row>(client, text, values), ([row]) => row)

const total = (client: Client, text: string, value: Value) =>
  Effect.map(
    first<{ readonly total: number }>(client, `select count(*) as total from ${text}`, [value]),
    (row) => row?.total ?? 0
  )

const page = (client: Client, condition: string, value: Value, slice: Slice) =>
  Effect.all(
    {
      rows: rows<KeyRow>(client, `select ${columns} from rm_keys.keys k where ${condition} order by k.id limit $2 offset $3`, [
        value,
        slice.limit,
        slice.offset
      ]),
      total: total(client, `rm_keys.keys k where ${condition}`, value)
    },
    { concurrency: 2 }
  )

/** Answers questions about keys from Postgres. */
export const keyQueries: Layer.Layer<KeyQueries, never, Sql> = Layer.effect(
  KeyQueries,
  Effect.gen(function* () {
    const { client, lookups } = yield* Sql
    return KeyQueries.of({
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
      listDeployKeys: ({ onlyPublic }, { limit, offset }) =>
        Effect.all(
          {
            rows: rows<DeployKeyRow>(client, deployKeys, [onlyPublic, limit, offset]),
            total: total(client, "rm_keys.keys k where k.kind = 'deploy' and (k.public or not $1)", onlyPublic)
          },
          { concurrency: 2 }
        ),
      findDeployKey: (id) => first<FoundKey>(lookups, `${found} where k.id = $1 and k.kind = 'deploy'`, [id]),
      listOfProject: (projectId, { limit, offset }) =>
        Effect.all(
          {
            rows: rows<ProjectKeyRow>(client, `${projectKeys} order by l.id limit $2 offset $3`, [projectId, limit, offset]),
            total: total(client, "rm_keys.deploy_keys_projects where project_id = $1", projectId)
          },
          { concurrency: 2 }
        ),
      findOfProject: (projectId, keyId) => first<ProjectKeyRow>(lookups, `${projectKeys} and k.id = $2`, [projectId, keyId])
    })
  })
)
