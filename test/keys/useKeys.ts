import { Effect } from "effect"
import { deployKeyAggregate } from "#src/keys/deployKey/aggregate.ts"
import { releaseFingerprint } from "#src/keys/fingerprints/names.ts"
import { deployKeyStream } from "#src/keys/ids.ts"
import { userKeyAggregate } from "#src/keys/userKey/aggregate.ts"
import { type Handled, handle } from "#src/platform/Commands.ts"
import { nextId } from "#src/platform/Ids.ts"
import { Projections } from "#src/platform/Projections.ts"
import { anyId, anyTime, field } from "#test/support/exactly.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { type Received, useService } from "#test/support/service.ts"
import { userBody } from "#test/users/bodies.ts"
import type { KeySample } from "./keySamples.ts"

export const externalUrl = "https://forge.example.com:8443"

export const keyNotFound = { message: "404 Key Not Found" }
export const fingerprintTaken = { message: { fingerprint_sha256: ["has already been taken"] } }

export const idOf = ({ body }: Received): number => Number(field(body, "id"))

/** The key of a user as it is shown: the comment is replaced by the owner and the host. */
export const published = ({ text }: KeySample, owner: string): string =>
  `${text.split(" ", 2).join(" ")} ${owner} (forge.example.com)`

/** A key that was added with nothing but what is required, in the order of the reference. */
export const keyShape = (sample: KeySample, title: string, owner: string) => ({
  id: anyId,
  title,
  created_at: anyTime,
  expires_at: null,
  key: published(sample, owner),
  usage_type: "auth_and_signing"
})

/** The same for a deploy key, whose text is shown as it was sent. */
export const deployKeyShape = (sample: KeySample, title: string) => ({
  id: anyId,
  title,
  created_at: anyTime,
  expires_at: null,
  key: sample.text,
  usage_type: "auth",
  fingerprint: sample.fingerprint,
  fingerprint_sha256: sample.fingerprintSha256
})

/** The full record of a user who never made a request. */
export const owner = (id: number, username: string) => userBody("full", { id, username }, externalUrl)

const shown = ({ position }: Handled<unknown, unknown>) => Projections.use((projections) => projections.awaitPosition(position))

const attributes = ({ fingerprint, fingerprintSha256, text }: KeySample) => ({ key: text, fingerprint, fingerprintSha256 })

/** A running service, short ways to its keys, and what its interface cannot do yet or refuses. */
export const useKeys = () => {
  const service = useService({ EXTERNAL_URL: externalUrl })
  return {
    service,
    /** Adds a key of a user as an administrator. */
    addFor: (userId: number, sample: KeySample) =>
      service.request("POST", `/users/${userId}/keys`, { json: { title: "laptop", key: sample.text } }),
    find: (fingerprint: string) => service.request("GET", "/keys", { query: { fingerprint } }),
    /** Waits until the read models show everything that is in the log. */
    settled: () => service.run(settled),
    /** Adds a key of a user that expired on the first day of 2020. */
    addExpired: (userId: number, sample: KeySample) =>
      service.run(
        Effect.gen(function* () {
          const id = yield* nextId("key")
          const expiresAt = Date.UTC(2020, 0, 1)
          const key = { ...attributes(sample), userId, title: "expired", usageType: "auth", expiresAt } as const
          yield* shown(yield* handle(userKeyAggregate, id, { _tag: "Add", key }))
          return id
        })
      ),
    /** Creates a deploy key that is not offered to all projects. */
    createPrivate: (sample: KeySample) =>
      service.run(
        Effect.gen(function* () {
          const id = yield* nextId("key")
          const key = { ...attributes(sample), creatorId: 1, title: "private", expiresAt: null, public: false }
          yield* shown(yield* handle(deployKeyAggregate, id, { _tag: "Create", key }))
          return id
        })
      ),
    removeDeployKey: (id: number, { fingerprintSha256 }: KeySample) =>
      service.run(
        Effect.gen(function* () {
          const removed = yield* handle(deployKeyAggregate, id, { _tag: "Remove" })
          yield* releaseFingerprint(fingerprintSha256, deployKeyStream(id))
          yield* shown(removed)
        })
      ),
    /** Lets projects use a deploy key. */
    enable: (
      id: number,
      links: ReadonlyArray<{ readonly linkId: number; readonly projectId: number; readonly canPush: boolean }>
    ) =>
      service.run(
        Effect.gen(function* () {
          for (const link of links) yield* shown(yield* handle(deployKeyAggregate, id, { _tag: "Enable", ...link }))
        })
      )
  }
}
