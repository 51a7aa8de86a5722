import { Schema } from "effect"
import { ProjectReference } from "../http/answer/references.ts"
import { FullUser } from "../http/answer/shapes.ts"
import { UsageType } from "./userKey/events.ts"

const text = Schema.String

const keyFields = {
  id: Schema.Int,
  title: text,
  created_at: text,
  expires_at: Schema.NullOr(text),
  key: text,
  usage_type: UsageType
}

export const SshKey = Schema.Struct(keyFields).annotate({ identifier: "SshKey" })

/** The owner is null when a deploy key outlived its creator. */
export const SshKeyWithUser = Schema.Struct({ ...keyFields, user: Schema.NullOr(FullUser) }).annotate({
  identifier: "SshKeyWithUser"
})

const deployKeyFields = { ...keyFields, fingerprint: text, fingerprint_sha256: text }

export const DeployKey = Schema.Struct(deployKeyFields).annotate({ identifier: "DeployKey" })

/** A deploy key as a project uses it. */
export const ProjectDeployKey = Schema.Struct({ ...deployKeyFields, can_push: Schema.Boolean }).annotate({
  identifier: "ProjectDeployKey"
})

export const DeployKeyWithUser = Schema.Struct({
  ...deployKeyFields,
  user: Schema.NullOr(FullUser),
  deploy_keys_projects: Schema.Array(
    Schema.Struct({
      id: Schema.Int,
      deploy_key_id: Schema.Int,
      project_id: Schema.Int,
      created_at: text,
      updated_at: text,
      can_push: Schema.Boolean
    })
  )
}).annotate({ identifier: "DeployKeyWithUser" })

export const DeployKeyWithProjects = Schema.Struct({
  ...deployKeyFields,
  projects_with_write_access: Schema.Array(ProjectReference),
  projects_with_readonly_access: Schema.Array(ProjectReference)
}).annotate({ identifier: "DeployKeyWithProjects" })
