import { Schema, Struct } from "effect"
import { eventCodec } from "../platform/eventStore/codec.ts"
import { SealedText } from "../platform/eventStore/secretTexts.ts"

// Storage format: add cases and optional fields, never rename.

/** What an administrator sets for a cluster, but for its token. */
export const ClusterSettings = Schema.Struct({
  name: Schema.String,
  enabled: Schema.Boolean,
  managed: Schema.Boolean,
  environmentScope: Schema.String,
  namespacePerEnvironment: Schema.Boolean,
  domain: Schema.NullOr(Schema.String),
  managementProjectId: Schema.NullOr(Schema.Int),
  apiUrl: Schema.String,
  namespace: Schema.NullOr(Schema.String),
  caCert: Schema.NullOr(Schema.String)
})
export type ClusterSettings = typeof ClusterSettings.Type

/** Some settings with their new values. */
export const SettingsChanges = ClusterSettings.mapFields(Struct.map(Schema.optionalKey))
export type SettingsChanges = typeof SettingsChanges.Type

export const AuthorizationType = Schema.Literals(["unknown_authorization", "rbac", "abac"])
export type AuthorizationType = typeof AuthorizationType.Type

/** The provider of the cluster: a user connected an existing one, or a cloud provider made it on demand. */
export const ProviderType = Schema.Literals(["user", "gcp", "aws"])
export type ProviderType = typeof ProviderType.Type

/** A cluster at its cloud provider. */
export const CloudProvider = Schema.Struct({
  status: Schema.Literals(["scheduled", "creating", "created", "errored"]),
  cloudProjectId: Schema.String,
  zone: Schema.String,
  machineType: Schema.NullOr(Schema.String),
  numNodes: Schema.NullOr(Schema.Int),
  endpoint: Schema.NullOr(Schema.String)
})
export type CloudProvider = typeof CloudProvider.Type

/** Tokens are sealed for the cluster's stream. */
export const ClusterEvent = Schema.TaggedUnion({
  ClusterAdded: {
    settings: ClusterSettings,
    authorizationType: AuthorizationType,
    providerType: ProviderType,
    provider: Schema.NullOr(CloudProvider),
    addedBy: Schema.Int,
    token: SealedText
  },
  /** The changes hold only the settings that differ from before. */
  ClusterChanged: { changes: SettingsChanges },
  ClusterTokenReplaced: { token: SealedText },
  ClusterRemoved: {}
})
export type ClusterEvent = typeof ClusterEvent.Type

export const clusterCodec = eventCodec(ClusterEvent)
