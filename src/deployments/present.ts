import { isoMillis } from "../http/answer/jsonTimes.ts"
import { userReference } from "../http/answer/shapes.ts"
import type { DeploymentRow, EnvironmentRow } from "./Queries.ts"
import type { Deployment, Environment } from "./shapes.ts"

const first = (row: EnvironmentRow) => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  external_url: row.external_url,
  created_at: isoMillis(row.created_at),
  updated_at: isoMillis(row.created_at)
})

export const presentEnvironment = (row: EnvironmentRow): typeof Environment.Type => ({
  ...first(row),
  tier: row.tier,
  state: "available",
  auto_stop_at: null
})

export const presentDeployment = (row: DeploymentRow, externalUrl: string): typeof Deployment.Type => ({
  id: row.id,
  iid: row.iid,
  ref: row.ref,
  sha: row.sha,
  created_at: isoMillis(row.created_at),
  updated_at: isoMillis(row.updated_at),
  user: row.user && userReference(row.user, externalUrl),
  environment: first(row.environment),
  deployable: null,
  status: row.status
})
