import { readFileSync } from "node:fs"
import { DeployKeyEvent, deployKeyCodec } from "#src/keys/deployKey/events.ts"
import { deployKeyIdOf, userKeyIdOf } from "#src/keys/ids.ts"
import { UserKeyEvent, userKeyCodec } from "#src/keys/userKey/events.ts"
import { projectCodec } from "#src/projects/events.ts"
import { projectIdOf } from "#src/projects/ids.ts"
import { userCodec } from "#src/users/events.ts"
import { userIdOf } from "#src/users/ids.ts"
import { type Change, idTaken, on, patch, put, type ReadModel, remove, removeWhere } from "../ReadModel.ts"

const [keys, links] = ["keys", "deploy_keys_projects"]

const userKeyChanges = (id: number, at: number, event: UserKeyEvent): ReadonlyArray<Change> =>
  UserKeyEvent.match(event, {
    SshKeyAdded: (added) => [
      idTaken("key", id),
      put(keys, {
        id,
        kind: "user",
        user_id: added.userId,
        title: added.title,
        created_at: at,
        updated_at: at,
        expires_at: added.expiresAt,
        key: added.key,
        usage_type: added.usageType,
        fingerprint: added.fingerprint,
        fingerprint_sha256: added.fingerprintSha256,
        public: false
      })
    ],
    SshKeyRemoved: () => [remove(keys, { id })]
  })

const deployKeyChanges = (id: number, at: number, event: DeployKeyEvent): ReadonlyArray<Change> =>
  DeployKeyEvent.match(event, {
    DeployKeyCreated: (created) => [
      idTaken("key", id),
      put(keys, {
        id,
        kind: "deploy",
        user_id: created.creatorId,
        title: created.title,
        created_at: at,
        updated_at: at,
        expires_at: created.expiresAt,
        key: created.key,
        // Gap: which one deploy keys have is not told; all samples show this one, and nothing is signed with them.
        usage_type: "auth",
        fingerprint: created.fingerprint,
        fingerprint_sha256: created.fingerprintSha256,
        public: created.public
      })
    ],
    DeployKeyRetitled: ({ title }) => [patch(keys, { id }, { title, updated_at: at })],
    DeployKeyEnabled: ({ projectId, linkId, canPush }) => [
      idTaken("deploy_key_project", linkId),
      put(links, { id: linkId, deploy_key_id: id, project_id: projectId, created_at: at, updated_at: at, can_push: canPush })
    ],
    DeployKeyPushRightChanged: ({ linkId, canPush }) => [patch(links, { id: linkId }, { can_push: canPush, updated_at: at })],
    DeployKeyDisabled: ({ linkId }) => [remove(links, { id: linkId })],
    DeployKeyRemoved: () => [remove(keys, { id }), removeWhere(links, { deploy_key_id: id })]
  })

/** Keys of users end with their users; deploy keys outlive their creators, and the projects that used them. */
export const keysReadModel: ReadModel = {
  name: "keys",
  version: 2,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { [keys]: ["id"], [links]: ["id"] },
  projections: [
    on(userKeyCodec, (event, { stream, at }) => {
      const id = userKeyIdOf(stream)
      return id === undefined ? [] : userKeyChanges(id, at, event)
    }),
    on(deployKeyCodec, (event, { stream, at }) => {
      const id = deployKeyIdOf(stream)
      return id === undefined ? [] : deployKeyChanges(id, at, event)
    }),
    on(userCodec, (event, { stream }) => {
      const id = userIdOf(stream)
      return id === undefined || event._tag !== "UserDeleted" ? [] : [removeWhere(keys, { user_id: id, kind: "user" })]
    }),
    on(projectCodec, (event, { stream }) => {
      const id = projectIdOf(stream)
      return id === undefined || event._tag !== "ProjectDeleted" ? [] : [removeWhere(links, { project_id: id })]
    })
  ]
}
