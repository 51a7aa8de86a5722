import { expect, it } from "vitest"
import { keysReadModel } from "#projections/keys/projection.ts"
import { DeployKeyEvent, deployKeyCodec } from "#src/keys/deployKey/events.ts"
import { UserKeyEvent, userKeyCodec } from "#src/keys/userKey/events.ts"
import { UserEvent, userCodec } from "#src/users/events.ts"
import { changesIn, recorded } from "#test/support/recordedEvent.ts"
import { ed25519, rsa } from "./keySamples.ts"
import { deployKeyCreated, keyAdded } from "./samples.ts"

const { at } = recorded

const changesOf = changesIn(keysReadModel)

const ofUserKey = (event: UserKeyEvent) => changesOf(userKeyCodec.encode(event), "key-5")
const ofDeployKey = (event: DeployKeyEvent) => changesOf(deployKeyCodec.encode(event), "deployKey-6")
const ofUser = (event: UserEvent) => changesOf(userCodec.encode(event), "user-7")

it("a key of a user is a row", () => {
  expect(ofUserKey(keyAdded)).toEqual([
    { _tag: "IdTaken", kind: "key", id: 5 },
    {
      _tag: "Put",
      table: "keys",
      row: {
        id: 5,
        kind: "user",
        user_id: 7,
        title: "laptop",
        created_at: at,
        updated_at: at,
        expires_at: null,
        key: ed25519.text,
        usage_type: "auth",
        fingerprint: ed25519.fingerprint,
        fingerprint_sha256: ed25519.fingerprintSha256,
        public: false
      }
    }
  ])
  expect(ofUserKey(UserKeyEvent.cases.SshKeyRemoved.make({}))).toEqual([{ _tag: "Remove", table: "keys", key: { id: 5 } }])
})

it("a deploy key is a row beside them", () => {
  expect(ofDeployKey(deployKeyCreated)).toEqual([
    { _tag: "IdTaken", kind: "key", id: 6 },
    {
      _tag: "Put",
      table: "keys",
      row: {
        id: 6,
        kind: "deploy",
        user_id: 1,
        title: "ci",
        created_at: at,
        updated_at: at,
        expires_at: 1_751_284_800_000,
        key: rsa.text,
        usage_type: "auth",
        fingerprint: rsa.fingerprint,
        fingerprint_sha256: rsa.fingerprintSha256,
        public: true
      }
    }
  ])
})

const { cases } = DeployKeyEvent
const table = "deploy_keys_projects"

it.each<[DeployKeyEvent, ReadonlyArray<object>]>([
  [
    cases.DeployKeyRetitled.make({ title: "deploy" }),
    [{ _tag: "Patch", table: "keys", key: { id: 6 }, columns: { title: "deploy", updated_at: at } }]
  ],
  [
    cases.DeployKeyEnabled.make({ projectId: 3, linkId: 11, canPush: true }),
    [
      { _tag: "IdTaken", kind: "deploy_key_project", id: 11 },
      {
        _tag: "Put",
        table,
        row: { id: 11, deploy_key_id: 6, project_id: 3, created_at: at, updated_at: at, can_push: true }
      }
    ]
  ],
  [
    cases.DeployKeyPushRightChanged.make({ projectId: 3, linkId: 11, canPush: false }),
    [{ _tag: "Patch", table, key: { id: 11 }, columns: { can_push: false, updated_at: at } }]
  ],
  [cases.DeployKeyDisabled.make({ projectId: 3, linkId: 11 }), [{ _tag: "Remove", table, key: { id: 11 } }]],
  [
    cases.DeployKeyRemoved.make({}),
    [
      { _tag: "Remove", table: "keys", key: { id: 6 } },
      { _tag: "RemoveWhere", table, where: { deploy_key_id: 6 } }
    ]
  ]
])("$_tag", (event, changes) => {
  expect(ofDeployKey(event)).toEqual(changes)
})

it("keys end with their user; other events of users change none", () => {
  expect(ofUser(UserEvent.cases.UserDeleted.make({ hardDelete: false }))).toEqual([
    { _tag: "RemoveWhere", table: "keys", where: { user_id: 7, kind: "user" } }
  ])
  expect(ofUser(UserEvent.cases.UserBlocked.make({}))).toEqual([])
})
