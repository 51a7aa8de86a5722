import { isoMillis } from "../http/answer/jsonTimes.ts"
import type { Presented } from "../http/answer/Presented.ts"
import { userReference } from "../http/answer/shapes.ts"
import type { SimpleProject } from "../projects/ProjectViews.ts"
import type { DeploymentRow, EnvironmentRow } from "./Queries.ts"
import type { Deployment, Environment, EnvironmentDetails } from "./shapes.ts"

const first = (row: EnvironmentRow) => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  external_url: row.external_url,
  created_at: isoMillis(row.created_at),
  updated_at: isoMillis(row.updated_at)
})

type Project = Presented<typeof SimpleProject.Type>

const second = (row: EnvironmentRow, project: Project) => ({ ...first(row), tier: row.tier, state: row.state, project })

export const presentEnvironment = (row: EnvironmentRow, project: Project): Presented<typeof Environment.Type> => ({
  ...second(row, project),
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

/** An environment alone, with the last deployment that succeeded. */
export const presentEnvironmentDetails = (
  row: EnvironmentRow,
  {
    externalUrl,
    last,
    project
  }: { readonly externalUrl: string; readonly last: DeploymentRow | undefined; readonly project: Project }
): Presented<typeof EnvironmentDetails.Type> => ({
  ...second(row, project),
  last_deployment: last === undefined ? null : presentDeployment(last, externalUrl),
  auto_stop_at: null
})
