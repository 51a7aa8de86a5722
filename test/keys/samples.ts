import type { Create } from "#src/keys/deployKey/aggregate.ts"
import { DeployKeyEvent } from "#src/keys/deployKey/events.ts"
import type { Add } from "#src/keys/userKey/aggregate.ts"
import { UserKeyEvent } from "#src/keys/userKey/events.ts"
import { ed25519, rsa } from "./keySamples.ts"

export const userKey: Add["key"] = {
  userId: 7,
  title: "laptop",
  key: ed25519.text,
  fingerprint: ed25519.fingerprint,
  fingerprintSha256: ed25519.fingerprintSha256,
  usageType: "auth",
  expiresAt: null
}
export const keyAdded = UserKeyEvent.cases.SshKeyAdded.make(userKey)

export const deployKey: Create["key"] = {
  creatorId: 1,
  title: "ci",
  key: rsa.text,
  fingerprint: rsa.fingerprint,
  fingerprintSha256: rsa.fingerprintSha256,
  expiresAt: 1_751_284_800_000,
  public: true
}
export const deployKeyCreated = DeployKeyEvent.cases.DeployKeyCreated.make(deployKey)
