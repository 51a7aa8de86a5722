import { Schema, Struct } from "effect"
import { eventCodec } from "../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

/** How near an environment is to users. */
export const Tier = Schema.Literals(["production", "staging", "testing", "development", "other"])
export type Tier = typeof Tier.Type

const settings = { externalUrl: Schema.NullOr(Schema.String), tier: Tier }

/** Some settings with their new values. */
export const EnvironmentChanges = Schema.Struct(settings).mapFields(Struct.map(Schema.optionalKey))
export type EnvironmentChanges = typeof EnvironmentChanges.Type

/** The environment, and who did it. */
const order = { id: Schema.Int, by: Schema.Int }

/** A stream has those of all environments that had the name, one after the other. */
export const EnvironmentEvent = Schema.TaggedUnion({
  EnvironmentCreated: { ...order, name: Schema.String, slug: Schema.String, ...settings },
  /** The changes hold only the settings that differ from before. */
  EnvironmentChanged: { ...order, changes: EnvironmentChanges },
  EnvironmentStopped: order,
  EnvironmentStarted: order,
  EnvironmentDeleted: order
})
export type EnvironmentEvent = typeof EnvironmentEvent.Type
export const environmentCodec = eventCodec(EnvironmentEvent)

export const Status = Schema.Literals(["running", "success", "failed", "canceled"])
export type Status = typeof Status.Type

/** The numbers of the merge requests that came into the environment with it. */
const mergeRequestIids = Schema.Array(Schema.Int)

export const DeploymentEvent = Schema.TaggedUnion({
  DeploymentCreated: {
    iid: Schema.Int,
    projectId: Schema.Int,
    environmentId: Schema.Int,
    by: Schema.Int,
    ref: Schema.String,
    isTag: Schema.Boolean,
    sha: Schema.String,
    status: Status,
    mergeRequestIids
  },
  DeploymentEnded: { projectId: Schema.Int, status: Status, mergeRequestIids }
})
export type DeploymentEvent = typeof DeploymentEvent.Type
export const deploymentCodec = eventCodec(DeploymentEvent)
