import type { Decoded } from "../http/parameters/parameters.ts"
import type { addExistingCluster, changeClusterSettings } from "./contract.ts"
import type { ClusterSettings, SettingsChanges } from "./events.ts"
import { tidy } from "./settings.ts"

type AddParameters = Decoded<(typeof addExistingCluster)["parameters"]>
type ChangeParameters = Decoded<(typeof changeClusterSettings)["parameters"]>

/** Without surrounding blanks; null for a blank one. */
const tokenOf = (given: string | null | undefined): string | null => (given ?? "").trim() || null

const settingsOf = (given: AddParameters): ClusterSettings => {
  const platform = given.platform_kubernetes_attributes
  return tidy<ClusterSettings>({
    name: given.name ?? "",
    enabled: given.enabled,
    managed: given.managed,
    environmentScope: given.environment_scope,
    namespacePerEnvironment: given.namespace_per_environment,
    domain: given.domain ?? null,
    managementProjectId: given.management_project_id ?? null,
    apiUrl: platform.api_url,
    namespace: platform.namespace ?? null,
    caCert: platform.ca_cert ?? null
  })
}

/** Null clears a text; an empty switch counts as not given. */
const changesOf = (given: ChangeParameters): SettingsChanges => {
  const platform = given.platform_kubernetes_attributes ?? {}
  return tidy<SettingsChanges>({
    namespacePerEnvironment: given.namespace_per_environment,
    ...(given.name === undefined ? {} : { name: given.name ?? "" }),
    ...(typeof given.enabled === "boolean" ? { enabled: given.enabled } : {}),
    ...(typeof given.managed === "boolean" ? { managed: given.managed } : {}),
    ...(given.environment_scope === undefined ? {} : { environmentScope: given.environment_scope ?? "" }),
    ...(given.domain === undefined ? {} : { domain: given.domain }),
    ...(given.management_project_id === undefined ? {} : { managementProjectId: given.management_project_id }),
    ...(platform.api_url === undefined ? {} : { apiUrl: platform.api_url ?? "" }),
    ...(platform.namespace === undefined ? {} : { namespace: platform.namespace }),
    ...(platform.ca_cert === undefined ? {} : { caCert: platform.ca_cert })
  })
}

/** What a request to add a cluster wishes. The token is in clear. */
export const additionOf = (given: AddParameters) => ({
  settings: settingsOf(given),
  authorizationType: given.platform_kubernetes_attributes.authorization_type,
  token: tokenOf(given.platform_kubernetes_attributes.token)
})

/** What a request to change a cluster wishes. The token is in clear. */
export const changeOf = (given: ChangeParameters) => ({
  changes: changesOf(given),
  token: tokenOf(given.platform_kubernetes_attributes?.token)
})
