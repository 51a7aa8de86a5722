import { Schema } from "effect"
import { eventCodec } from "../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

/** How near an environment is to users. */
export const Tier = Schema.Literals(["production", "staging", "testing", "development", "other"])
export type Tier = typeof Tier.Type

export const EnvironmentEvent = Schema.TaggedUnion({
  EnvironmentCreated: {
    id: Schema.Int,
    by: Schema.Int,
    name: Schema.String,
    slug: Schema.String,
    externalUrl: Schema.NullOr(Schema.String),
    tier: Tier
  }
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
