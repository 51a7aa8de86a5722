import { isoMillis } from "../http/answer/jsonTimes.ts"
import type { Presented } from "../http/answer/Presented.ts"
import { isEncrypted, type SitesBase, siteUrl } from "./address.ts"
import type { deployPages, readPages } from "./contract.ts"
import type { DeploymentRow, PagesRow } from "./Queries.ts"

type Pages = Presented<(typeof readPages)["success"]["body"]["Type"]>
type Deployment = Presented<(typeof deployPages)["success"]["body"]["Type"]>

/** The address of the site of a project. */
export const urlOf = (base: SitesBase, projectPath: string, { unique_domain, unique_domain_enabled }: PagesRow): string =>
  siteUrl(base, { projectPath, uniqueDomain: (unique_domain_enabled === true ? unique_domain : null) ?? undefined })

/** Whether requests without encryption are redirected: where nobody has set it, if sites are served with encryption. */
export const forcesHttps = (base: SitesBase, { https_only }: PagesRow): boolean => https_only ?? isEncrypted(base)

const presentDeployment = (url: string, row: DeploymentRow): Deployment => ({
  created_at: isoMillis(row.created_at),
  url: `${url}/${row.path_prefix}`,
  path_prefix: row.path_prefix,
  root_directory: row.root_directory
})

export const presentPages = (base: SitesBase, projectPath: string, row: PagesRow): Pages => {
  const url = urlOf(base, projectPath, row)
  return {
    url,
    deployments: row.deployments.map((deployment) => presentDeployment(url, deployment)),
    is_unique_domain_enabled: row.unique_domain_enabled ?? false,
    force_https: forcesHttps(base, row)
  }
}
