import { Effect, Layer } from "effect"
import {
  type DeploymentFilter,
  DeploymentQueries,
  type DeploymentRow,
  type EnvironmentFilter,
  type EnvironmentRow
} from "#src/deployments/Queries.ts"
import { all, type Fragment, raw, select, slice, sql } from "#src/platform/sql/fragment.ts"
import { Sql } from "#src/platform/sql/Sql.ts"
import { type Listing, selectListed } from "../selectListed.ts"
import { referenceById } from "../users/references.ts"

const environmentNames = "e.id, e.name, e.slug, e.external_url, e.tier, e.state, e.created_at, e.updated_at"
const environmentColumns = raw(environmentNames)

const environments = ({ name, projectId, search, state }: EnvironmentFilter): Listing => {
  const found = sql`select ${environmentColumns} from rm_deployments.environments e where ${all(
    sql`e.project_id = ${projectId}`,
    raw("not e.is_deleted"),
    state !== undefined && sql`e.state = ${state}`,
    name !== undefined && sql`e.name = ${name}`,
    search !== undefined && sql`strpos(lower(e.name), lower(${search})) > 0`
  )}`
  return { rows: (page) => sql`${found} order by e.name, e.id ${slice(page)}`, counted: found }
}

const columns = raw(`d.id, d.iid, d.ref, d.is_tag, d.sha, d.status, d.created_at, d.updated_at,
  (select to_json(_e) from (
    select ${environmentNames} from rm_deployments.environments e where e.id = d.environment_id
  ) _e) as environment, ${referenceById("d.user_id")} as user`)

const isThere = raw("exists (select from rm_deployments.environments e where e.id = d.environment_id and not e.is_deleted)")

const listing = (filter: DeploymentFilter): Listing => {
  const { environment, finishedAfter, finishedBefore, order: wanted, projectId, status, updatedAfter, updatedBefore } = filter
  const found = sql`select d.* from rm_deployments.deployments d where ${all(
    sql`d.project_id = ${projectId}`,
    isThere,
    status !== undefined && sql`d.status = ${status}`,
    updatedAfter !== undefined && sql`d.updated_at >= ${updatedAfter}`,
    updatedBefore !== undefined && sql`d.updated_at <= ${updatedBefore}`,
    finishedAfter !== undefined && sql`d.finished_at >= ${finishedAfter}`,
    finishedBefore !== undefined && sql`d.finished_at <= ${finishedBefore}`,
    environment !== undefined &&
      sql`d.environment_id = any(array(
        select e.id from rm_deployments.environments e where e.project_id = ${projectId} and e.name = ${environment}))`
  )}`
  const direction = wanted.descending ? "desc" : "asc"
  const order = raw(wanted.by === "id" ? `d.id ${direction}` : `d.${wanted.by} ${direction}, d.id ${direction}`)
  return {
    rows: (page) => sql`select ${columns} from (${found} order by ${order} ${slice(page)}) d order by ${order}`,
    counted: found
  }
}

const lastSucceeded = raw("d.status = 'success' order by d.finished_at desc, d.id desc limit 1")

const isMerged = raw("m.state = 'merged'")

/** Answers questions about environments and deployments from Postgres. */
export const deploymentQueries: Layer.Layer<DeploymentQueries, never, Sql> = Layer.effect(
  DeploymentQueries,
  Effect.map(Sql, ({ client }) => {
    const first = <Row extends object>(statement: Fragment) =>
      Effect.map(select<Row>(client, statement), ([row]): Row | undefined => row)
    const iids = (statement: Fragment) =>
      Effect.map(select<{ readonly iid: number }>(client, statement), (rows) => rows.map(({ iid }) => iid))
    return DeploymentQueries.of({
      environments: (filter, page) => selectListed<EnvironmentRow>(client, environments(filter), page),
      environment: (projectId, id) =>
        first<EnvironmentRow>(
          sql`select ${environmentColumns} from rm_deployments.environments e
            where e.id = ${id} and e.project_id = ${projectId} and not e.is_deleted`
        ),
      nameOf: (projectId, id) =>
        Effect.map(
          first<{ readonly name: string }>(
            sql`select e.name from rm_deployments.environments e where e.id = ${id} and e.project_id = ${projectId}`
          ),
          (found) => found?.name
        ),
      list: (filter, page) => selectListed<DeploymentRow>(client, listing(filter), page),
      find: (projectId, id) =>
        first<DeploymentRow>(
          sql`select ${columns} from rm_deployments.deployments d
            where d.id = ${id} and d.project_id = ${projectId} and ${isThere}`
        ),
      lastSha: (environmentId) =>
        Effect.map(
          first<{ readonly sha: string }>(
            sql`select d.sha from rm_deployments.deployments d
              where d.environment_id = ${environmentId} and ${lastSucceeded}`
          ),
          (found) => found?.sha
        ),
      last: (environmentId) =>
        first<DeploymentRow>(
          sql`select ${columns} from rm_deployments.deployments d where d.environment_id = ${environmentId} and ${lastSucceeded}`
        ),
      mergedWith: (projectId, shas, limit) =>
        iids(
          sql`select distinct m.iid from rm_merge_requests.commits c
            join rm_merge_requests.merge_requests m on m.project_id = c.project_id and m.iid = c.iid
            where c.project_id = ${projectId} and c.sha = any(${shas}::text[]) and ${isMerged}
            order by m.iid ${slice({ limit, offset: 0 })}`
        ),
      mergedInto: (projectId, branch, limit) =>
        iids(
          sql`select m.iid from rm_merge_requests.merge_requests m
            where m.project_id = ${projectId} and m.target_branch = ${branch} and ${isMerged}
            order by m.iid desc ${slice({ limit, offset: 0 })}`
        ),
      highestNumber: (scope) => `coalesce((select max(d.iid) from rm_deployments.deployments d where d.project_id = ${scope}), 0)`
    })
  })
)
