import type { Decoded } from "../http/parameters/parameters.ts"
import { defined, nullAs } from "../kernel/defined.ts"
import type { addExistingCluster, changeClusterSettings } from "./contract.ts"
import type { ClusterSettings, SettingsChanges } from "./events.ts"
import { tidy } from "./settings.ts"

type AddParameters = Decoded<(typeof addExistingCluster)["parameters"]>
type ChangeParameters = Decoded<(typeof changeClusterSettings)["parameters"]>

/** The token without surrounding blanks; null for a blank one. */
const tokenOf = (token: string | null | undefined): string | null => (token ?? "").trim() || null

const settingsOf = (parameters: AddParameters): ClusterSettings => {
  const platform = parameters.platform_kubernetes_attributes
  return tidy<ClusterSettings>({
    name: parameters.name ?? "",
    enabled: parameters.enabled,
    managed: parameters.managed,
    environmentScope: parameters.environment_scope,
    namespacePerEnvironment: parameters.namespace_per_environment,
    domain: parameters.domain ?? null,
    managementProjectId: parameters.management_project_id ?? null,
    apiUrl: platform.api_url,
    namespace: platform.namespace ?? null,
    caCert: platform.ca_cert ?? null
  })
}

/** Null clears a text; an empty switch counts as absent. */
const changesOf = (parameters: ChangeParameters): SettingsChanges => {
  const platform = parameters.platform_kubernetes_attributes
  return tidy<SettingsChanges>(
    defined({
      namespacePerEnvironment: parameters.namespace_per_environment,
      name: nullAs(parameters.name, ""),
      enabled: parameters.enabled ?? undefined,
      managed: parameters.managed ?? undefined,
      environmentScope: nullAs(parameters.environment_scope, ""),
      domain: parameters.domain,
      managementProjectId: parameters.management_project_id,
      apiUrl: nullAs(platform?.api_url, ""),
      namespace: platform?.namespace,
      caCert: platform?.ca_cert
    })
  )
}

/** The input of a command that adds a cluster, from the parameters. The token is in clear. */
export const additionOf = (parameters: AddParameters) => ({
  settings: settingsOf(parameters),
  authorizationType: parameters.platform_kubernetes_attributes.authorization_type,
  token: tokenOf(parameters.platform_kubernetes_attributes.token)
})

/** The input of a command that changes a cluster, from the parameters. The token is in clear. */
export const changeOf = (parameters: ChangeParameters) => ({
  changes: changesOf(parameters),
  token: tokenOf(parameters.platform_kubernetes_attributes?.token)
})
