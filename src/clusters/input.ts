import type { Decoded } from "../http/parameters/parameters.ts"
import { defined, nullAs } from "../kernel/defined.ts"
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
  const platform = given.platform_kubernetes_attributes
  return tidy<SettingsChanges>(
    defined({
      namespacePerEnvironment: given.namespace_per_environment,
      name: nullAs(given.name, ""),
      enabled: given.enabled ?? undefined,
      managed: given.managed ?? undefined,
      environmentScope: nullAs(given.environment_scope, ""),
      domain: given.domain,
      managementProjectId: given.management_project_id,
      apiUrl: nullAs(platform?.api_url, ""),
      namespace: platform?.namespace,
      caCert: platform?.ca_cert
    })
  )
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
