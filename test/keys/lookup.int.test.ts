import { beforeAll, describe, expect, it } from "vitest"
import { anyTime, expectExactly } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { notFound } from "#test/support/rows.ts"
import { answerOf } from "#test/support/service.ts"
import { bareEd25519, ed25519, nistp256, rsa } from "./keySamples.ts"
import { deployKeyShape, idOf, keyNotFound, keyShape, owner, published, useKeys } from "./useKeys.ts"

const { service, addExpired, addFor, enable, find } = useKeys()

/** Its SHA-256 fingerprint has a plus sign and a slash. */
const sample = nistp256
const { fingerprint: md5, fingerprintSha256: sha256 } = sample

let [ada, id] = [0, 0]
beforeAll(async () => {
  ada = await createUser(service, "ada")
  const added = await addFor(ada, sample)
  expect(added.status).toBe(201)
  id = idOf(added)
})

const whole = () => ({ ...keyShape(sample, "laptop", "ada"), id, user: owner(ada, "ada") })
const read = (keyId: number | string) => service.request("GET", `/keys/${keyId}`)
const malformed = [400, { message: "Failed to return the key" }]
const missing = [404, keyNotFound]

describe("GET /keys", () => {
  it.each([md5, `SHA256:${sha256}`, `sha256:${sha256}`, `SHA256:SHA256:${sha256}`, `sha256:SHA256:${sha256}`])(
    "finds by %s one object, the key with its whole user",
    async (fingerprint) => {
      const { body, status } = await find(fingerprint)
      expect(status).toBe(200)
      expectExactly(body, whole())
    }
  )

  it.each<[string, string, unknown]>([
    ["MD5 in upper case", md5.toUpperCase(), missing],
    ["MD5 in mixed case", md5.replace("a", "A"), missing],
    ["MD5 and more", `${md5}:00`, missing],
    ["MD5 on the second line", `x\n${md5}`, missing],
    ["another MD5", rsa.fingerprint, missing],
    ["MD5 with a prefix", `MD5:${md5}`, malformed],
    ["MD5 with a blank before", ` ${md5}`, malformed],
    ["15 pairs", md5.slice(3), malformed],
    ["MD5 without colons", md5.replaceAll(":", ""), malformed],
    ["pairs that are not hexadecimal", md5.replace("a", "g"), malformed],
    ["SHA256 with its padding", `SHA256:${sha256}=`, missing],
    ["another SHA256", `SHA256:${rsa.fingerprintSha256}`, missing],
    ["SHA256 in lower case", `SHA256:${sha256.toLowerCase()}`, missing],
    ["SHA256 without its prefix", sha256, malformed],
    ["SHA256 with a prefix in mixed case", `Sha256:${sha256}`, malformed],
    ["31 bytes", `SHA256:${sha256.slice(0, -1)}`, malformed],
    ["33 bytes", `SHA256:${sha256}A`, malformed],
    ["a prefix", "SHA256:", malformed],
    ["nonsense", "nonsense", malformed],
    ["nothing", "", malformed]
  ])("%s: %s", async (_, fingerprint, answer) => {
    expect(answerOf(await find(fingerprint))).toEqual(answer)
  })

  it.each<[string, string, unknown]>([
    ["%2B, with / and : as they are", `SHA256:${sha256.replaceAll("+", "%2B")}`, "found"],
    ["everything encoded", encodeURIComponent(`SHA256:${sha256}`), "found"],
    ["MD5 with %3A", md5.replaceAll(":", "%3a"), "found"],
    ["a plus sign, which is a blank", `SHA256:${sha256}`, malformed],
    ["encoded twice", encodeURIComponent(encodeURIComponent(`SHA256:${sha256}`)), malformed]
  ])("in the address: %s", async (_, encoded, answer) => {
    expect(sha256).toMatch(/\+.*\/|\/.*\+/)
    const received = await service.request("GET", `/keys?fingerprint=${encoded}`)
    expect(answerOf(received)).toEqual(answer === "found" ? [200, whole()] : answer)
  })

  it.each<[string, string, unknown]>([
    ["no fingerprint", "/keys", [400, { error: "fingerprint is missing" }]],
    ["a fingerprint without a value", "/keys?fingerprint", malformed],
    ["a list of fingerprints", `/keys?fingerprint[]=${md5}`, [400, { error: "fingerprint is invalid" }]],
    ["an object", `/keys?fingerprint[a]=${md5}`, [400, { error: "fingerprint is invalid" }]]
  ])("%s", async (_, path, answer) => {
    expect(answerOf(await service.request("GET", path))).toEqual(answer)
  })
})

describe("GET /keys/:id", () => {
  it("answers the same as the fingerprint", async () => {
    const { body, status } = await read(id)
    expect(status).toBe(200)
    expectExactly(body, whole())
  })

  it.each(["999999", "0", "-1", "abc", "1e3", "1.5", "99999999999999999999", "%20", md5])("knows no key %s", async (keyId) => {
    expect(answerOf(await read(keyId))).toEqual([404, notFound])
  })
})

it("expired keys are found too", async () => {
  const keyId = await addExpired(ada, ed25519)
  const expected = {
    ...keyShape(ed25519, "expired", "ada"),
    id: keyId,
    expires_at: "2020-01-01T00:00:00.000Z",
    usage_type: "auth",
    user: owner(ada, "ada")
  }
  for (const answer of [await read(keyId), await find(`SHA256:${ed25519.fingerprintSha256}`), await find(ed25519.fingerprint)]) {
    expect(answer.status).toBe(200)
    expectExactly(answer.body, expected)
  }
})

it("the user is shown as they are now", async () => {
  const userId = await createUser(service, "grace")
  const keyId = idOf(await addFor(userId, bareEd25519))
  await service.request("PUT", `/users/${userId}`, { json: { name: "Grace H.", bio: "compilers" } })
  await service.request("POST", `/users/${userId}/block`)
  expectExactly((await read(keyId)).body, {
    ...keyShape(bareEd25519, "laptop", "Grace H."),
    id: keyId,
    user: { ...owner(userId, "grace"), name: "Grace H.", state: "blocked", bio: "compilers" }
  })
})

describe("a deploy key", () => {
  /** Noted behind the request. */
  const lastActivity = expect.toSatisfy((day) => day === null || /^\d{4}-\d\d-\d\d$/.test(String(day)))
  let [keyId, hopper] = [0, 0]
  beforeAll(async () => {
    hopper = await createUser(service, "hopper", { admin: true })
    const { text: token } = await issueTokenFor(service, hopper)
    const json = { title: "deploy", key: rsa.text, expires_at: "2100-01-01" }
    keyId = idOf(await service.request("POST", "/deploy_keys", { json, token }))
  })
  const shape = () => ({ ...deployKeyShape(rsa, "deploy"), id: keyId, expires_at: "2100-01-01T00:00:00.000Z" })
  const creator = () => ({ ...owner(hopper, "hopper"), last_activity_on: lastActivity })

  it.each([rsa.fingerprint, `SHA256:${rsa.fingerprintSha256}`])(
    "is found by %s with the projects that use it",
    async (fingerprint) => {
      expectExactly((await find(fingerprint)).body, { ...shape(), user: creator(), deploy_keys_projects: [] })
    }
  )

  it("shows each project that uses it, by the id of the link", async () => {
    await enable(keyId, [
      { linkId: 72, projectId: 5, canPush: true },
      { linkId: 71, projectId: 3, canPush: false }
    ])
    const { body } = await find(rsa.fingerprint)
    const times = { created_at: anyTime, updated_at: anyTime }
    expectExactly(body, {
      ...shape(),
      user: creator(),
      deploy_keys_projects: [
        { id: 71, deploy_key_id: keyId, project_id: 3, ...times, can_push: false },
        { id: 72, deploy_key_id: keyId, project_id: 5, ...times, can_push: true }
      ]
    })
  })

  it("is shown by id as a user's key is", async () => {
    const { fingerprint: _md5, fingerprint_sha256: _sha256, ...plain } = shape()
    expectExactly((await read(keyId)).body, { ...plain, key: published(rsa, "hopper"), user: creator() })
  })

  it("outlives its creator, without a comment and without a user", async () => {
    expect((await service.request("DELETE", `/users/${hopper}`)).status).toBe(204)
    expect(await find(rsa.fingerprint)).toMatchObject({ status: 200, body: { id: keyId, key: rsa.text, user: null } })
    const bare = rsa.text.split(" ", 2).join(" ")
    expect(await read(keyId)).toMatchObject({ status: 200, body: { id: keyId, key: bare, user: null } })
  })
})
