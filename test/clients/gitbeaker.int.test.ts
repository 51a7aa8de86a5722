import { type AllUsersOptions, GitbeakerRequestError, Gitlab } from "@gitbeaker/rest"
import { beforeAll, describe, expect, it } from "vitest"
import { nistp256, rsa } from "#test/keys/keySamples.ts"
import { field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { rootToken, useService } from "#test/support/service.ts"

const service = useService()
const clientOf = (token: string) => new Gitlab({ host: service.url, token })
const root = () => clientOf(rootToken)

/** What the client reports of a request that was refused. */
const refusal = async (request: Promise<unknown>) => {
  const error = await request.then(
    (answer) => expect.unreachable(JSON.stringify(answer)),
    (reason: unknown) => reason
  )
  if (!(error instanceof GitbeakerRequestError)) throw error
  return [error.cause?.response.status, error.message]
}
const createWith = (username: string) => ({
  username,
  name: `The ${username}`,
  email: `${username}@example.com`,
  forceRandomPassword: true,
  skipConfirmation: true
})

describe("Metadata", () => {
  it("tells the version", async () => {
    expect(await root().Metadata.show()).toMatchObject({ version: "17.4.0", enterprise: false, kas: { enabled: false } })
  })
})

describe("Users", () => {
  it("shows the current user", async () => {
    expect(await root().Users.showCurrentUser()).toMatchObject({ id: 1, username: "root", is_admin: true })
    expect(await root().Users.showCurrentUser({ showExpanded: true })).toMatchObject({ status: 200, data: { username: "root" } })
  })

  it("creates, shows, edits, blocks, unblocks and removes", async () => {
    const { Users } = root()
    const created = await Users.create({ ...createWith("ada"), bio: "Counts & weaves.", admin: true, projectsLimit: 3 })
    expect(created).toMatchObject({ username: "ada", bio: "Counts & weaves.", is_admin: true, projects_limit: 3 })
    const { id } = created
    expect(await Users.show(id)).toMatchObject({ id, username: "ada", created_by: { id: 1 } })
    // The client sends edits as multipart.
    expect(await Users.edit(id, { bio: "Ünï", admin: false })).toMatchObject({ id, bio: "Ünï", is_admin: false, name: "The ada" })
    expect(await Users.block(id)).toBe(true)
    expect(await Users.show(id)).toMatchObject({ state: "blocked" })
    expect(await Users.unblock(id)).toBe(true)
    expect(await Users.show(id)).toMatchObject({ state: "active" })
    await Users.remove(id)
    expect(await refusal(Users.show(id))).toEqual([404, "404 User Not Found"])
  })

  it("finds by name, by text and by rights", async () => {
    await createUser(service, "findable", { admin: true, name: "Grace Findable" })
    const found = async (options: AllUsersOptions) => (await root().Users.all(options)).map(({ username }) => username)
    expect(await found({ username: "FINDABLE" })).toEqual(["findable"])
    expect(await found({ search: "grace find" })).toEqual(["findable"])
    expect(await found({ search: "findable", active: true, admins: true })).toEqual(["findable"])
    expect(await found({ search: "findable", createdAfter: "2999-01-01T00:00:00Z" })).toEqual([])
  })

  it("acts as somebody else", async () => {
    const id = await createUser(service, "assumed")
    expect(await root().Users.showCurrentUser({ sudo: "assumed" })).toMatchObject({ id })
    expect(await root().Users.showCurrentUser({ sudo: id })).toMatchObject({ id })
  })
})

describe("lists", () => {
  const usernames = Array.from({ length: 23 }, (_, index) => `paged${String(index).padStart(2, "0")}`)
  beforeAll(async () => {
    for (const username of usernames) await createUser(service, username)
  })

  it("are followed page by page to their end", async () => {
    const paged = async (options: object) =>
      (await root().Users.all({ search: "paged", orderBy: "username", sort: "asc", ...options })).map(({ username }) => username)
    const before = service.log.length
    expect(await paged({ perPage: 5 })).toEqual(usernames)
    expect(service.log.slice(before)).toHaveLength(5)
    expect(await paged({})).toEqual(usernames)
    expect(await paged({ perPage: 100 })).toEqual(usernames)
    expect(await paged({ perPage: 5, maxPages: 2 })).toEqual(usernames.slice(0, 10))
    expect(await paged({ perPage: 5, page: 5 })).toEqual(usernames.slice(20))
  })

  it("tell where a page stands", async () => {
    const options = { search: "paged", orderBy: "username", sort: "asc", perPage: 10, showExpanded: true } as const
    const at = async (page: number) => (await root().Users.all({ ...options, page })).paginationInfo
    const common = { total: 23, perPage: 10, totalPages: 3 }
    expect(await at(1)).toEqual({ ...common, current: 1, previous: null, next: 2 })
    expect(await at(2)).toEqual({ ...common, current: 2, previous: 1, next: 3 })
    expect(await at(3)).toEqual({ ...common, current: 3, previous: 2, next: null })
  })
})

describe("PersonalAccessTokens", () => {
  it("creates, lists, shows, rotates and revokes", async () => {
    const { PersonalAccessTokens } = root()
    const user = await createUser(service, "holder")
    const created = await PersonalAccessTokens.create(user, "ci", ["api", "read_user"])
    expect(created).toMatchObject({ name: "ci", scopes: ["api", "read_user"], user_id: user, active: true })
    expect(await PersonalAccessTokens.all({ userId: user })).toMatchObject([{ id: created.id, name: "ci" }])
    expect(await PersonalAccessTokens.show({ tokenId: created.id })).toMatchObject({ id: created.id, revoked: false })

    const own = clientOf(String(field(created, "token")))
    expect(await own.PersonalAccessTokens.show()).toMatchObject({ id: created.id, user_id: user })
    const rotated = await own.PersonalAccessTokens.rotate("self")
    expect(rotated).toMatchObject({ name: "ci", scopes: ["api", "read_user"], user_id: user })
    expect(await refusal(own.Users.showCurrentUser())).toEqual([401, "invalid_token"])

    const next = clientOf(String(field(rotated, "token")))
    expect(await next.Users.showCurrentUser()).toMatchObject({ id: user })
    expect(await PersonalAccessTokens.all({ userId: user, state: "active" })).toMatchObject([{ id: rotated.id }])
    await next.PersonalAccessTokens.remove()
    expect(await refusal(next.PersonalAccessTokens.show())).toEqual([401, "invalid_token"])
    expect(await PersonalAccessTokens.show({ tokenId: rotated.id })).toMatchObject({ revoked: true, active: false })
  })

  it("rotates and revokes by id, and finds", async () => {
    const { PersonalAccessTokens } = root()
    const user = await createUser(service, "second")
    const { id } = await issueTokenFor(service, user)
    const { id: successor } = await PersonalAccessTokens.rotate(id)
    expect(await PersonalAccessTokens.all({ userId: user, revoked: true })).toMatchObject([{ id }])
    expect(await PersonalAccessTokens.all({ userId: user, search: "of a test", revoked: false })).toMatchObject([
      { id: successor }
    ])
    await PersonalAccessTokens.remove({ tokenId: successor })
    expect(await PersonalAccessTokens.all({ userId: user, revoked: false })).toEqual([])
  })
})

describe("UserSSHKeys and Keys", () => {
  it("adds, lists, shows, finds and removes", async () => {
    const user = await createUser(service, "keyed")
    const { text } = await issueTokenFor(service, user)
    const { UserSSHKeys } = clientOf(text)
    const added = await UserSSHKeys.create("laptop", rsa.text, { usageType: "auth" })
    expect(added).toMatchObject({ title: "laptop", usage_type: "auth", expires_at: null })
    expect(await UserSSHKeys.all()).toEqual([added])
    expect(await root().UserSSHKeys.all({ userId: user })).toEqual([added])
    expect(await UserSSHKeys.show(added.id)).toEqual(added)

    const { Keys } = root()
    const withUser = { ...added, user: expect.objectContaining({ id: user, username: "keyed" }) }
    expect(await Keys.show({ keyId: added.id })).toEqual(withUser)
    // Version 43.8.0 loses the query of `show({ fingerprint })`, so the same request goes through its transport.
    const find = async (fingerprint: string) => (await Keys.requester.get("keys", { searchParams: { fingerprint } })).body
    expect(await find(`SHA256:${rsa.fingerprintSha256}`)).toEqual(withUser)
    expect(await find(rsa.fingerprint)).toEqual(withUser)
    expect(await refusal(find("SHA256:short"))).toEqual([400, "Failed to return the key"])

    await UserSSHKeys.remove(added.id)
    expect(await UserSSHKeys.all()).toEqual([])
    expect(await refusal(Keys.show({ keyId: added.id }))).toEqual([404, "404 Not found"])
  })

  it("adds one for somebody else", async () => {
    const userId = await createUser(service, "given")
    expect(await root().UserSSHKeys.create("gift", nistp256.text, { userId })).toMatchObject({ title: "gift" })
  })
})

describe("the client reports refusals", () => {
  let token = ""
  beforeAll(async () => {
    token = (await issueTokenFor(service, await createUser(service, "member"))).text
  })
  const missing =
    "email is missing, password, reset_password, force_random_password are missing, at least one parameter must be provided, name is missing, username is missing"
  const rows: ReadonlyArray<readonly [given: string, request: () => Promise<unknown>, status: number, message: string]> = [
    ["an unknown token", () => clientOf("unknown").Users.showCurrentUser(), 401, "401 Unauthorized"],
    ["missing parameters", () => root().Users.create(), 400, missing],
    [
      "a taken name",
      () => root().Users.create({ ...createWith("member"), email: "free@example.com" }),
      409,
      "Username has already been taken"
    ],
    ["a taken address", () => root().Users.create(createWith("member")), 409, "Email has already been taken"],
    [
      "faults of a record",
      () => root().Users.create({ ...createWith("fault"), projectsLimit: -1 }),
      400,
      '{"projects_limit":["must be greater than or equal to 0"]}'
    ],
    ["a missing right", () => clientOf(token).Users.create(createWith("other")), 403, "403 Forbidden"],
    ["a user that does not exist", () => root().Users.show(999_999), 404, "404 User Not Found"],
    [
      "a scope that does not exist",
      () => root().PersonalAccessTokens.create(1, "ci", ["root"]),
      400,
      "scopes does not have a valid value"
    ],
    ["somebody else's tokens", () => clientOf(token).PersonalAccessTokens.all({ userId: 1 }), 401, "401 Unauthorized"],
    [
      "acting without the right",
      () => clientOf(token).Users.showCurrentUser({ sudo: "root" }),
      403,
      "403 Forbidden - Must be admin to use sudo"
    ]
  ]
  it.each(rows)("%s", async (_, request, status, message) => {
    expect(await refusal(request())).toEqual([status, message])
  })
})
