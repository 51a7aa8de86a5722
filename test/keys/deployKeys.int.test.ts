import { beforeAll, describe, expect, it } from "vitest"
import { expectExactly } from "#test/support/exactly.ts"
import { type Fields, requestForms } from "#test/support/requests/requestForms.ts"
import { answerOf } from "#test/support/service.ts"
import { dsa, ed25519, type KeySample, nistp256, nistp384, nistp521, rsa, securityEd25519 } from "./keySamples.ts"
import { deployKeyShape, fingerprintTaken, idOf, useKeys } from "./useKeys.ts"

const { service, addFor, createPrivate, enable, find, removeDeployKey } = useKeys()

const list = (query: Readonly<Record<string, string>> = {}) => service.request("GET", "/deploy_keys", { query })

beforeAll(async () => {
  expect((await addFor(1, rsa)).status).toBe(201)
})

const title = "deploy"
const created: ReadonlyArray<readonly [given: string, fields: Fields, sample: KeySample, shown: object]> = [
  ["only what is required", { title, key: ed25519.text }, ed25519, {}],
  [
    "an end",
    { title, key: nistp256.text, expires_at: "2100-01-02T03:04:05.678Z" },
    nistp256,
    { expires_at: "2100-01-02T03:04:05.678Z" }
  ],
  ["a title of characters beyond 16 bits", { title: "𝔨𝔢𝔶 👩🏽‍🚀", key: nistp384.text }, nistp384, { title: "𝔨𝔢𝔶 👩🏽‍🚀" }],
  ["unknown parameters", { title, key: ed25519.text, can_push: true, usage_type: "signing", public: false }, ed25519, {}],
  [
    "a comment of several words, of which the first stays",
    { title, key: `${securityEd25519.text} and more` },
    securityEd25519,
    {}
  ]
]

const forbiddenType = "type is forbidden. Must be RSA, ECDSA, ED25519, ECDSA_SK, or ED25519_SK"
const refused: ReadonlyArray<readonly [given: string, fields: Fields, body: unknown]> = [
  ["nothing", {}, { error: "key is missing, title is missing" }],
  ["no key", { title }, { error: "key is missing" }],
  ["no title", { key: ed25519.text }, { error: "title is missing" }],
  ["an expires_at that is no time", { title, key: ed25519.text, expires_at: "x" }, { error: "expires_at is invalid" }],
  ["a blank title", { title: "", key: ed25519.text }, { message: { title: ["can't be blank"] } }],
  [
    "nonsense",
    { title, key: "nonsense" },
    { message: { key: [forbiddenType, "is invalid"], fingerprint_sha256: ["cannot be generated"] } }
  ],
  ["DSA", { title, key: dsa.text }, { message: { key: [forbiddenType] } }],
  ["an expired key", { title, key: ed25519.text, expires_at: "2020-01-01" }, { message: { key: ["has expired"] } }],
  ["the key of a user", { title, key: rsa.text }, fingerprintTaken]
]

describe.each(requestForms)("POST /deploy_keys as %s", (_, sent) => {
  it.each(created)("takes %s", async (_, fields, sample, shown) => {
    const answer = await service.request("POST", "/deploy_keys", sent(fields))
    expect(answer.status).toBe(201)
    expectExactly(answer.body, { ...deployKeyShape(sample, title), ...shown })
    expect(answerOf(await service.request("POST", "/deploy_keys", sent(fields)))).toEqual([400, fingerprintTaken])
    await removeDeployKey(idOf(answer), sample)
  })

  it.each(refused)("refuses %s", async (_, fields, body) => {
    expect(answerOf(await service.request("POST", "/deploy_keys", sent(fields)))).toEqual([400, body])
    expect(answerOf(await list())).toEqual([200, []])
  })
})

it("twenty at once with one key: exactly one is created", async () => {
  const json = { title, key: ed25519.text }
  const answers = await Promise.all(Array.from({ length: 20 }, () => service.request("POST", "/deploy_keys", { json })))
  const [first, ...others] = answers.filter(({ status }) => status === 201)
  expect(others).toEqual([])
  expect(answers.filter(({ status }) => status !== 201).map(answerOf)).toEqual(
    Array.from({ length: 19 }, () => [400, fingerprintTaken])
  )
  if (first !== undefined) await removeDeployKey(idOf(first), ed25519)
})

describe("GET /deploy_keys", () => {
  const projects = { projects_with_write_access: [], projects_with_readonly_access: [] }
  const shape = (sample: KeySample, id: number, changes: object = {}) => ({
    ...deployKeyShape(sample, title),
    id,
    ...changes,
    ...projects
  })

  it("lists public and private ones by id, page by page", async () => {
    const post = async (sample: KeySample) =>
      idOf(await service.request("POST", "/deploy_keys", { json: { title, key: sample.text } }))
    const ids = [await post(nistp521), await createPrivate(nistp384), await post(nistp256)] as const
    const [first, hidden, last] = [
      shape(nistp521, ids[0]),
      shape(nistp384, ids[1], { title: "private" }),
      shape(nistp256, ids[2])
    ]
    expectExactly((await list()).body, [first, hidden, last])
    expectExactly((await list({ public: "false" })).body, [first, hidden, last])
    expectExactly((await list({ public: "true" })).body, [first, last])
    const page = await list({ public: "true", per_page: "1", page: "2" })
    expectExactly(page.body, [last])
    const headers = ["x-per-page", "x-page", "x-next-page", "x-prev-page", "x-total", "x-total-pages"]
    expect(headers.map((name) => page.headers.get(name))).toEqual(["1", "2", "", "1", "2", "2"])
  })

  it("shows no project, as long as there are none", async () => {
    const { body } = await find(nistp521.fingerprint)
    await enable(idOf({ body, status: 200, headers: new Headers() }), [{ linkId: 900, projectId: 4, canPush: true }])
    expect((await list()).body).toMatchObject([projects, projects, projects])
    expect(await find(nistp521.fingerprint)).toMatchObject({ body: { deploy_keys_projects: [{ id: 900, project_id: 4 }] } })
  })
})
