import { Schema } from "effect"
import { flag, integer, nullableTime, text, time } from "../http/answer/fields.ts"
import { ProjectReference } from "../http/answer/references.ts"
import { FullUser } from "../http/answer/shapes.ts"
import { UsageType } from "./userKey/events.ts"

const keyFields = {
  id: integer("ID of the key."),
  title: text("Title of the key."),
  created_at: time("When the key was added."),
  expires_at: nullableTime("When the key expires; null for never."),
  key: text("The public key, as OpenSSH writes it."),
  usage_type: UsageType.annotate({ description: "What the key may be used for." })
}

export const SshKey = Schema.Struct(keyFields).annotate({ identifier: "SshKey" })

/** The owner is null when a deploy key outlived its creator. */
export const SshKeyWithUser = Schema.Struct({
  ...keyFields,
  user: Schema.NullOr(FullUser).annotate({ description: "Whose key it is." })
}).annotate({
  identifier: "SshKeyWithUser"
})

const deployKeyFields = {
  ...keyFields,
  fingerprint: text("MD5 fingerprint, as pairs of hex digits."),
  fingerprint_sha256: text("SHA-256 fingerprint: `SHA256:` and Base64.")
}

export const DeployKey = Schema.Struct(deployKeyFields).annotate({ identifier: "DeployKey" })

/** A deploy key as a project uses it. */
export const ProjectDeployKey = Schema.Struct({
  ...deployKeyFields,
  can_push: flag("Whether the key may push to the project.")
}).annotate({
  identifier: "ProjectDeployKey"
})

export const DeployKeyWithUser = Schema.Struct({
  ...deployKeyFields,
  user: Schema.NullOr(FullUser).annotate({ description: "Whose key it is; null when a deploy key outlived its creator." }),
  deploy_keys_projects: Schema.Array(
    Schema.Struct({
      id: integer("ID of the use."),
      deploy_key_id: integer("ID of the key."),
      project_id: integer("ID of the project."),
      created_at: time("When the project began to use the key."),
      updated_at: time("When the use was last changed."),
      can_push: flag("Whether the key may push to the project.")
    })
  ).annotate({ description: "The projects that use the key." })
}).annotate({ identifier: "DeployKeyWithUser" })

export const DeployKeyWithProjects = Schema.Struct({
  ...deployKeyFields,
  projects_with_write_access: Schema.Array(ProjectReference).annotate({ description: "The projects to which the key may push." }),
  projects_with_readonly_access: Schema.Array(ProjectReference).annotate({
    description: "The projects that the key may only fetch."
  })
}).annotate({ identifier: "DeployKeyWithProjects" })
