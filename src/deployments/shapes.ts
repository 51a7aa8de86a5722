import { Schema } from "effect"
import { integer, nothing, nullableText, text, time } from "../http/answer/fields.ts"
import { UserReference } from "../http/answer/shapes.ts"
import { SimpleProject } from "../projects/ProjectViews.ts"
import { Status, Tier } from "./events.ts"

const first = {
  id: integer("ID of the environment."),
  name: text("Name of the environment."),
  slug: text("The name as a part of addresses."),
  external_url: nullableText("Where it can be looked at."),
  created_at: time("When it was created."),
  updated_at: time("When it was last changed, stopped or started.")
}

const second = {
  ...first,
  tier: Tier.annotate({ description: "How near it is to users." }),
  state: Schema.Literals(["available", "stopped"]).annotate({ description: "Whether it is in use." }),
  project: SimpleProject.annotateKey({ description: "The project that it belongs to." })
}
const last = { auto_stop_at: nothing("Null: environments do not stop by themselves.") }

/** An environment. */
export const Environment = Schema.Struct({ ...second, ...last }).annotate({ identifier: "Environment" })

/** A deployment. */
export const Deployment = Schema.Struct({
  id: integer("ID of the deployment."),
  iid: integer("Number of the deployment in its project."),
  ref: text("The branch or tag that is deployed."),
  sha: text("Full ID of the commit."),
  created_at: time("When it was created."),
  updated_at: time("When it ended, or was created."),
  user: Schema.NullOr(UserReference).annotate({ description: "Who made it; null when that user is deleted." }),
  environment: Schema.Struct(first)
    .annotate({ identifier: "DeployedEnvironment" })
    .annotateKey({ description: "Where it is deployed." }),
  deployable: nothing("Null: jobs deploy nothing here."),
  status: Status.annotate({ description: "How it went." })
}).annotate({ identifier: "Deployment" })

/** An environment that is shown alone. */
export const EnvironmentDetails = Schema.Struct({
  ...second,
  last_deployment: Schema.NullOr(Deployment).annotate({ description: "The last one that succeeded; null for none." }),
  ...last
}).annotate({ identifier: "EnvironmentDetails" })
