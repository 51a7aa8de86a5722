import { isoMillis } from "../http/answer/jsonTimes.ts"
import { projectReference } from "../http/answer/references.ts"
import { fullUser } from "../http/answer/shapes.ts"
import type { DeployKeyLink, DeployKeyRow, FoundKey, KeyRow, OwnedKeyRow, ProjectKeyRow } from "./Queries.ts"
import type { DeployKey, DeployKeyWithProjects, DeployKeyWithUser, ProjectDeployKey, SshKey, SshKeyWithUser } from "./shapes.ts"
import { publishable } from "./sshPublicKey.ts"

const keyFields = (row: KeyRow, key: string): typeof SshKey.Type => ({
  id: row.id,
  title: row.title,
  created_at: isoMillis(row.created_at),
  expires_at: row.expires_at === null ? null : isoMillis(row.expires_at),
  key,
  usage_type: row.usage_type
})

/**
 * A key whose comment, often an email address, is replaced by its owner's name and the host.
 * Gap: the reference fails for a deploy key whose creator is deleted; here it has no comment.
 */
export const presentKey = (row: KeyRow, owner: { readonly name: string } | null, externalUrl: string): typeof SshKey.Type => {
  const comment = owner === null ? undefined : `${owner.name} (${new URL(externalUrl).hostname})`
  return keyFields(row, publishable(row.key, comment))
}

/** Shows any key in the shape of a user's key. */
export const presentKeyWithUser = (row: OwnedKeyRow, externalUrl: string): typeof SshKeyWithUser.Type => ({
  ...presentKey(row, row.owner, externalUrl),
  user: row.owner === null ? null : fullUser(row.owner, externalUrl)
})

/** Deploy keys are shown as they were sent, but for further words of the comment. */
export const presentDeployKey = (row: KeyRow): typeof DeployKey.Type => ({
  ...keyFields(row, row.key),
  fingerprint: row.fingerprint,
  fingerprint_sha256: row.fingerprint_sha256
})

const presentLink = (link: DeployKeyLink): (typeof DeployKeyWithUser.Type)["deploy_keys_projects"][number] => ({
  id: link.id,
  deploy_key_id: link.deploy_key_id,
  project_id: link.project_id,
  created_at: isoMillis(link.created_at),
  updated_at: isoMillis(link.updated_at),
  can_push: link.can_push
})

const presentDeployKeyWithUser = (found: FoundKey, externalUrl: string): typeof DeployKeyWithUser.Type => ({
  ...presentDeployKey(found),
  user: found.owner === null ? null : fullUser(found.owner, externalUrl),
  deploy_keys_projects: found.links.map(presentLink)
})

/** What a look-up by fingerprint answers. */
export const presentFound = (found: FoundKey, externalUrl: string) =>
  found.kind === "deploy" ? presentDeployKeyWithUser(found, externalUrl) : presentKeyWithUser(found, externalUrl)

/** A deploy key as a project uses it. */
export const presentProjectKey = (row: ProjectKeyRow): typeof ProjectDeployKey.Type => ({
  ...presentDeployKey(row),
  can_push: row.can_push
})

export const presentDeployKeyWithProjects = (row: DeployKeyRow): typeof DeployKeyWithProjects.Type => ({
  ...presentDeployKey(row),
  projects_with_write_access: row.projects.filter(({ can_push }) => can_push).map(projectReference),
  projects_with_readonly_access: row.projects.filter(({ can_push }) => !can_push).map(projectReference)
})
