import { Effect, Result } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { addUserKey } from "#src/keys/writes.ts"
import { expectExactly, field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { type Fields, requestForms } from "#test/support/requests/requestForms.ts"
import { notFound, unknownUser } from "#test/support/rows.ts"
import { answerOf, type Received, type Sent } from "#test/support/service.ts"
import {
  bareEd25519,
  dsa,
  ed25519,
  type KeySample,
  nistp256,
  nistp384,
  nistp521,
  otherEd25519,
  rsa,
  securityEd25519,
  securityNistp256,
  smallRsa
} from "./keySamples.ts"
import { lineOf, withFields } from "./sshLines.ts"
import { fingerprintTaken, idOf, keyNotFound, keyShape, useKeys } from "./useKeys.ts"

const { service, addFor, find, settled } = useKeys()

let [ada, token] = [0, ""]
beforeAll(async () => {
  ada = await createUser(service, "ada", { name: "Ada 𝔏" })
  token = (await issueTokenFor(service, ada)).text
  expect((await addFor(1, rsa)).status).toBe(201)
  const json = { title: "deploy", key: otherEd25519.text }
  expect((await service.request("POST", "/deploy_keys", { json })).status).toBe(201)
})

const asAda = (method: string, path: string, sent: Sent = {}) => service.request(method, path, { token, ...sent })

/** Where a key of Ada is added, read, listed and deleted: by herself, and by an administrator. */
const places = [
  ["/user/keys", () => "/user/keys", asAda],
  ["/users/:id/keys", () => `/users/${ada}/keys`, service.request]
] as const

const unicode = "Grüße 👩🏽‍🚀 𝔨𝔢𝔶"
const twoYears = "2100-01-02T03:04:05.678Z"

const added: ReadonlyArray<readonly [given: string, fields: Fields, sample: KeySample, shown: object]> = [
  ["only what is required", { title: "laptop", key: ed25519.text }, ed25519, {}],
  [
    "everything",
    { title: "laptop", key: nistp256.text, expires_at: twoYears, usage_type: "signing" },
    nistp256,
    { expires_at: twoYears, usage_type: "signing" }
  ],
  [
    "a day",
    { title: "laptop", key: nistp256.text, expires_at: "2100-01-02" },
    nistp256,
    { expires_at: "2100-01-02T00:00:00.000Z" }
  ],
  ["an empty expires_at", { title: "laptop", key: nistp256.text, expires_at: "" }, nistp256, {}],
  ["usage_type auth", { title: "laptop", key: nistp384.text, usage_type: "auth" }, nistp384, { usage_type: "auth" }],
  ["a title of 255 characters", { title: "t".repeat(255), key: nistp521.text }, nistp521, { title: "t".repeat(255) }],
  ["a title of characters beyond 16 bits", { title: unicode, key: smallRsa.text }, smallRsa, { title: unicode }],
  ["a key without a comment", { title: "laptop", key: bareEd25519.text }, bareEd25519, {}],
  ["a key of a security token", { title: "laptop", key: securityEd25519.text }, securityEd25519, {}],
  ["an ECDSA key of one", { title: "laptop", key: securityNistp256.text }, securityNistp256, {}],
  ["blanks around a key", { title: "laptop", key: `\n ${ed25519.text} \r\n` }, ed25519, {}],
  ["unknown parameters", { title: "laptop", key: ed25519.text, user_id: 1, id: 7, fingerprint: "x" }, ed25519, {}]
]

const forbiddenType = "type is forbidden. Must be RSA, ECDSA, ED25519, ECDSA_SK, or ED25519_SK"
const ungenerated = { fingerprint_sha256: ["cannot be generated"] }
const weakRsa = lineOf(
  "ssh-rsa",
  withFields("ssh-rsa", Buffer.of(1, 0, 1), Buffer.concat([Buffer.of(0), Buffer.alloc(96, 0xff)]))
)
const long = `${ed25519.text.split(" ", 2).join(" ")} ${"c".repeat(5000)}`
const title = "laptop"

const refused: ReadonlyArray<readonly [given: string, fields: Fields, body: unknown]> = [
  ["nothing", {}, { error: "key is missing, title is missing" }],
  ["no key", { title }, { error: "key is missing" }],
  ["no title", { key: ed25519.text }, { error: "title is missing" }],
  ["a hash for the key", { title, key: { a: "b" } }, { error: "key is invalid" }],
  [
    "an unknown usage_type",
    { title, key: ed25519.text, usage_type: "sign" },
    { error: "usage_type does not have a valid value" }
  ],
  ["an empty usage_type", { title, key: ed25519.text, usage_type: "" }, { error: "usage_type does not have a valid value" }],
  ["an expires_at that is no time", { title, key: ed25519.text, expires_at: "soon" }, { error: "expires_at is invalid" }],
  [
    "several at once",
    { expires_at: "soon", usage_type: "x" },
    { error: "key is missing, title is missing, expires_at is invalid, usage_type does not have a valid value" }
  ],
  ["a blank title", { title: " ", key: ed25519.text }, { message: { title: ["can't be blank"] } }],
  [
    "a long title",
    { title: "t".repeat(256), key: ed25519.text },
    { message: { title: ["is too long (maximum is 255 characters)"] } }
  ],
  ["an empty key", { title, key: "" }, { message: { key: ["can't be blank", forbiddenType, "is invalid"], ...ungenerated } }],
  ["nonsense", { title, key: "nonsense" }, { message: { key: [forbiddenType, "is invalid"], ...ungenerated } }],
  ["an algorithm and nonsense", { title, key: "ssh-rsa x" }, { message: { key: [forbiddenType], ...ungenerated } }],
  ["options before a key", { title, key: `no-pty ${ed25519.text}` }, { message: { key: ["is invalid"] } }],
  ["DSA", { title, key: dsa.text }, { message: { key: [forbiddenType] } }],
  ["weak RSA", { title, key: weakRsa }, { message: { key: ["must be at least 1024 bits"] } }],
  ["a long comment", { title, key: long }, { message: { key: ["is too long (maximum is 5000 characters)"] } }],
  ["an expired key", { title, key: ed25519.text, expires_at: "2020-01-01" }, { message: { key: ["has expired"] } }],
  ["the key of another user", { title, key: rsa.text }, fingerprintTaken],
  ["that with another comment", { title, key: `${rsa.text.split(" ", 2).join(" ")} mine` }, fingerprintTaken],
  ["a deploy key", { title, key: otherEd25519.text }, fingerprintTaken],
  [
    "all that at once",
    { title: "", key: rsa.text, expires_at: "2020-01-01" },
    { message: { title: ["can't be blank"], key: ["has expired"], ...fingerprintTaken.message } }
  ]
]

describe.each(places)("%s", (_, path, request) => {
  const list = () => request("GET", path())

  describe.each(requestForms)("POST as %s", (_, sent) => {
    it.each(added)("takes %s", async (_, fields, sample, shown) => {
      const answer = await request("POST", path(), sent(fields))
      expect(answer.status).toBe(201)
      expectExactly(answer.body, { ...keyShape(sample, "laptop", "Ada 𝔏"), ...shown })
      const own = `${path()}/${idOf(answer)}`
      const again = await request("GET", own)
      expect(again.status).toBe(200)
      expectExactly(again.body, answer.body)
      expectExactly((await list()).body, [answer.body])
      expect(answerOf(await request("DELETE", own))).toEqual([204, undefined])
      expect(answerOf(await request("GET", own))).toEqual([404, keyNotFound])
      expect(answerOf(await request("DELETE", own))).toEqual([404, keyNotFound])
    })

    it.each(refused)("refuses %s", async (_, fields, body) => {
      expect(answerOf(await request("POST", path(), sent(fields)))).toEqual([400, body])
      expect(answerOf(await list())).toEqual([200, []])
    })
  })

  it("a key twice: the second is refused", async () => {
    const json = { title, key: ed25519.text }
    const first = await request("POST", path(), { json })
    expect(answerOf(await request("POST", path(), { json }))).toEqual([400, fingerprintTaken])
    await request("DELETE", `${path()}/${idOf(first)}`)
  })

  it("keys are listed by id, page by page", async () => {
    const answers: Array<Received> = []
    for (const { text } of [nistp521, ed25519, nistp256]) {
      answers.push(await request("POST", path(), { json: { title, key: text } }))
    }
    const page = await request("GET", path(), { query: { per_page: "2", page: "2" } })
    expect(page.body).toEqual([answers[2]?.body])
    const headers = ["x-per-page", "x-page", "x-next-page", "x-prev-page", "x-total", "x-total-pages"]
    expect(headers.map((name) => page.headers.get(name))).toEqual(["2", "2", "", "1", "3", "2"])
    expect((await list()).body).toEqual(answers.map(({ body }) => body))
    await Promise.all(answers.map((answer) => request("DELETE", `${path()}/${idOf(answer)}`)))
  })

  it("If-Unmodified-Since protects a key that is younger", async () => {
    const answer = await request("POST", path(), { json: { title, key: ed25519.text } })
    const own = `${path()}/${idOf(answer)}`
    const since = (time: string) => ({ headers: { "if-unmodified-since": time } })
    const second = new Date(Math.floor((Date.parse(String(field(answer.body, "created_at"))) - 1) / 1000) * 1000)
    const tooYoung = [412, { message: "412 Precondition Failed" }]
    expect(answerOf(await request("DELETE", own, since(second.toUTCString())))).toEqual(tooYoung)
    expect(answerOf(await request("DELETE", own, since("whenever")))).toEqual([204, undefined])
  })
})

it("twenty at once with one key: exactly one is added", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => addFor(n % 2 === 0 ? 1 : ada, ed25519)))
  const refusals = answers.filter(({ status }) => status !== 201)
  expect(refusals.map(answerOf)).toEqual(Array.from({ length: 19 }, () => [400, fingerprintTaken]))
  const { body } = await find(ed25519.fingerprint)
  expect(answers.filter(({ status }) => status === 201).map(idOf)).toEqual([field(body, "id")])
  await service.request("DELETE", `/users/${field(field(body, "user"), "id")}/keys/${field(body, "id")}`)
})

it("keys belong to one user", async () => {
  const id = idOf(await addFor(1, nistp256))
  expect(answerOf(await asAda("GET", `/user/keys/${id}`))).toEqual([404, keyNotFound])
  expect(answerOf(await asAda("DELETE", `/user/keys/${id}`))).toEqual([404, keyNotFound])
  expect(answerOf(await service.request("GET", `/users/${ada}/keys/${id}`))).toEqual([404, keyNotFound])
  expect(answerOf(await service.request("DELETE", `/users/${ada}/keys/${id}`))).toEqual([404, keyNotFound])
  const ofRoot = await service.request("GET", `/users/1/keys/${id}`, { token: null })
  expectExactly(ofRoot.body, { ...keyShape(nistp256, "laptop", "Administrator"), id })
  expect(answerOf(await service.request("GET", `/users/ROOT/keys/${id}`))).toEqual([400, { error: "id is invalid" }])
  expect((await service.request("DELETE", `/users/1/keys/${id}`)).status).toBe(204)
})

it("are deleted with their user, and may be added by others at once", async () => {
  const leaver = await createUser(service, "leaver")
  const samples = [ed25519, nistp256, nistp384]
  const ids = (await Promise.all(samples.map((sample) => addFor(leaver, sample)))).map(idOf)
  expect((await service.request("DELETE", `/users/${leaver}`)).status).toBe(204)
  for (const [index, sample] of samples.entries()) {
    expect(answerOf(await service.request("GET", `/keys/${ids[index]}`))).toEqual([404, notFound])
    expect(answerOf(await find(sample.fingerprint))).toEqual([404, keyNotFound])
  }
  expect(answerOf(await service.request("GET", `/users/${leaver}/keys`))).toEqual([404, unknownUser])
  const again = await Promise.all(samples.map((sample) => addFor(ada, sample)))
  expect(again.map(({ status }) => status)).toEqual([201, 201, 201])
  await Promise.all(again.map((answer) => service.request("DELETE", `/users/${ada}/keys/${idOf(answer)}`)))
})

it("are not left behind by a request that found its user just before they were deleted", async () => {
  const leaver = await createUser(service, "hasty")
  expect((await service.request("DELETE", `/users/${leaver}`)).status).toBe(204)
  const input = { userId: leaver, title, text: ed25519.text, expiresAt: null, usageType: "auth" } as const
  const added = await service.run(Effect.result(addUserKey(input)))
  expect(Result.isFailure(added) && added.failure._tag).toBe("OwnerMissing")
  await settled()
  expect(answerOf(await find(ed25519.fingerprint))).toEqual([404, keyNotFound])
  expect((await addFor(1, ed25519)).status).toBe(201)
})
