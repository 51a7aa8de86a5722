import { describe, expect, it } from "vitest"
import { ed25519, nistp256, nistp384, nistp521, otherEd25519, rsa, securityEd25519 } from "#test/keys/keySamples.ts"
import { deployKeyShape } from "#test/keys/useKeys.ts"
import { expectExactly, field } from "#test/support/exactly.ts"
import { requestForms } from "#test/support/requests/requestForms.ts"
import { answerOf } from "#test/support/service.ts"
import { idOf, useProjects } from "../useProjects.ts"

const { service, addMember, newProject, newUser, remove } = useProjects()
const keysOf = (project: number) => `/projects/${project}/deploy_keys`
const missing = [404, { message: "404 Deploy Key Not Found" }]

describe.each(requestForms)("deploy keys of a project as %s", (form, sent) => {
  it("are added, shown, changed and taken away", async () => {
    const path = keysOf(await newProject(`keys-${form}`))
    const added = await service.request("POST", path, sent({ title: "ci", key: ed25519.text, can_push: true }))
    expect(added.status).toBe(201)
    const shape = { ...deployKeyShape(ed25519, "ci"), can_push: true }
    expectExactly(added.body, shape)
    const again = await service.request("POST", path, sent({ title: "other", key: ed25519.text }))
    expect(answerOf(again)).toEqual(answerOf(added))
    expect((await service.request("GET", path)).body).toEqual([added.body])
    const one = `${path}/${idOf(added)}`
    expect((await service.request("GET", one)).body).toEqual(added.body)
    const changed = await service.request("PUT", one, sent({ title: "new", can_push: false }))
    expect(answerOf(changed)).toEqual([200, { ...(added.body as object), title: "new", can_push: false }])
    expect(answerOf(await service.request("PUT", one, sent({})))).toEqual([
      400,
      { error: "title, can_push are missing, at least one parameter must be provided" }
    ])
    expect(answerOf(await service.request("PUT", one, sent({ title: "" })))).toEqual([
      400,
      { message: { "deploy_key.title": ["can't be blank"] } }
    ])
    const headers = { "if-unmodified-since": "Tue, 15 Nov 1994 08:12:31 GMT" }
    expect(answerOf(await service.request("DELETE", one, { headers }))).toEqual([412, { message: "412 Precondition Failed" }])
    expect((await service.request("DELETE", one)).status).toBe(204)
    expect(answerOf(await service.request("DELETE", one))).toEqual(missing)
    expect(answerOf(await service.request("GET", one))).toEqual([404, { message: "404 Not found" }])
    expect(answerOf(await service.request("PUT", one, sent({ title: "x" })))).toEqual([404, { message: "404 Not found" }])
  })

  it("are refused", async () => {
    const path = keysOf(await newProject(`bad-keys-${form}`))
    expect(answerOf(await service.request("POST", path, sent({})))).toEqual([400, { error: "key is missing, title is missing" }])
    const wrong = await service.request("POST", path, sent({ title: "", key: "nonsense" }))
    expectExactly(answerOf(wrong), [
      400,
      {
        message: {
          "deploy_key.title": ["can't be blank"],
          "deploy_key.key": ["type is forbidden. Must be RSA, ECDSA, ED25519, ECDSA_SK, or ED25519_SK", "is invalid"],
          "deploy_key.fingerprint_sha256": ["cannot be generated"]
        }
      }
    ])
  })
})

it("a key that the caller may use elsewhere is linked, that of others is not", async () => {
  const [mine, other, foreign] = [await newProject("mine"), await newProject("other"), await newProject("foreign")]
  const [owner, stranger] = [await newUser("owner"), await newUser("stranger")]
  for (const project of [mine, other]) await addMember(`/projects/${project}`, owner.id, 40)
  await addMember(`/projects/${foreign}`, stranger.id, 40)
  const add = (project: number, token: string, text: string) =>
    service.request("POST", keysOf(project), { token, json: { title: "t", key: text } })
  const first = await add(mine, owner.token, rsa.text)
  const second = await add(other, owner.token, rsa.text)
  expect([idOf(second), second.status]).toEqual([idOf(first), 201])
  expect(answerOf(await add(foreign, stranger.token, rsa.text))).toEqual([
    400,
    { message: { "deploy_key.fingerprint_sha256": ["has already been taken"] } }
  ])
  const enable = (project: number, token: string, key: number) =>
    service.request("POST", `${keysOf(project)}/${key}/enable`, { token }).then(answerOf)
  expect(await enable(foreign, stranger.token, idOf(first))).toEqual(missing)
  const open = idOf(await service.request("POST", "/deploy_keys", { json: { title: "open", key: nistp256.text } }))
  expect(await enable(foreign, stranger.token, open)).toEqual([
    201,
    expect.objectContaining({ id: open, can_push: false, title: "open" })
  ])
  const listed = (await service.request("GET", "/deploy_keys")).body as ReadonlyArray<Record<string, unknown>>
  expect(listed.find(({ id }) => id === idOf(first))).toMatchObject({
    projects_with_write_access: [],
    projects_with_readonly_access: [
      { id: mine, path_with_namespace: "root/mine", name_with_namespace: "Administrator / mine" },
      { id: other }
    ]
  })
})

it("a key is renamed by those who manage it in all its projects, a public one by administrators", async () => {
  const [first, second] = [await newProject("renames"), await newProject("renames-too")]
  const [both, one] = [await newUser("of-both"), await newUser("of-one")]
  for (const project of [first, second]) await addMember(`/projects/${project}`, both.id, 40)
  await addMember(`/projects/${second}`, one.id, 40)
  const add = { token: both.token, json: { title: "old", key: nistp521.text } }
  const key = idOf(await service.request("POST", keysOf(first), add))
  await service.request("POST", keysOf(second), add)
  const open = idOf(await service.request("POST", "/deploy_keys", { json: { title: "open", key: securityEd25519.text } }))
  await service.request("POST", `${keysOf(second)}/${open}/enable`)
  const change = async (id: number, token: string | undefined, json: object) => {
    const sent = token === undefined ? { json } : { json, token }
    const { body, status } = await service.request("PUT", `${keysOf(second)}/${id}`, sent)
    return [status, field(body, "title"), field(body, "can_push")]
  }
  expect(await change(key, one.token, { title: "new" })).toEqual([200, "old", false])
  expect(await change(key, one.token, { title: "", can_push: true })).toEqual([200, "old", true])
  expect(await change(key, both.token, { title: "new" })).toEqual([200, "new", true])
  expect(await change(open, one.token, { title: "new", can_push: true })).toEqual([200, "open", true])
  expect(await change(open, undefined, { title: "new" })).toEqual([200, "new", true])
})

it("a key is free when the last project that used it is gone", async () => {
  const project = await newProject("last")
  const { token } = await newUser("next")
  const own = await newProject("own", {}, token)
  const add = (target: number, text: string, as?: string) =>
    service.request("POST", keysOf(target), { json: { title: "t", key: text }, token: as })
  const disabled = idOf(await add(project, nistp384.text))
  expect((await service.request("DELETE", `${keysOf(project)}/${disabled}`)).status).toBe(204)
  expect((await add(own, nistp384.text, token)).status).toBe(201)
  expect((await add(project, otherEd25519.text)).status).toBe(201)
  await remove(project)
  expect((await add(own, otherEd25519.text, token)).status).toBe(201)
})
