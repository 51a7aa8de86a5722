import { beforeAll, describe, expect, it } from "vitest"
import { anyId, anyTime, expectExactly, field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { requestForms } from "#test/support/requests/requestForms.ts"
import { emailTaken, notAdministrator, type Row, rowChecker, unauthorized, usernameTaken } from "#test/support/rows.ts"
import { type Sent, useService } from "#test/support/service.ts"
import { account, type Differences, userBody } from "./bodies.ts"

const service = useService()
const check = rowChecker(service)

let [ada, bob, adaToken] = [0, 0, ""]
beforeAll(async () => {
  ada = await createUser(service, "ada")
  bob = await createUser(service, "bob", { provider: "saml", extern_uid: "b0b" })
  adaToken = (await issueTokenFor(service, ada)).text
})
const asAda = (sent: Sent = {}): Sent => ({ token: adaToken, ...sent })

describe("POST /users creates", () => {
  const everything = {
    skype: "s",
    linkedin: "l",
    twitter: "t",
    discord: "123456789012345678",
    website_url: "https://full.example.com",
    organization: "Org & Co",
    projects_limit: 0,
    bio: "Counts.",
    location: "Turin",
    pronouns: "she",
    can_create_group: false,
    theme_id: 11,
    color_scheme_id: 6,
    private_profile: true,
    note: "first"
  }
  const given = { ...everything, admin: true, skip_confirmation: true, provider: "ldap", extern_uid: "7" }
  const shown = {
    ...everything,
    work_information: "Org & Co",
    can_create_project: false,
    is_admin: true,
    confirmed_at: anyTime,
    identities: [{ provider: "ldap", extern_uid: "7" }]
  }

  it.each(requestForms)("a user with every attribute: %s", async (form, sent) => {
    const username = `full_${form.toLowerCase()}`
    const owned = { public_email: `${username}@example.com`, commit_email: `${username}@example.com` }
    const { body, status } = await service.request(
      "POST",
      "/users",
      sent({ ...account(username, given), ...owned, extern_uid: form })
    )
    const differences = { ...shown, ...owned, identities: [{ provider: "ldap", extern_uid: form }] }
    expect(status).toBe(201)
    expectExactly(body, userBody("administered", { id: anyId, username }, service.url, differences))
  })

  const rows: ReadonlyArray<readonly [given: string, attributes: object, differences: Differences]> = [
    ["with nothing but what is required", account("least"), {}],
    ["with a password", { ...account("word"), force_random_password: undefined, password: "kT8vq2Lx" }, {}],
    ["with a password of 128 characters", account("long", { force_random_password: false, password: "kT8vq2Lx".repeat(16) }), {}],
    ["with a password to be chosen later", account("later", { force_random_password: false, reset_password: true }), {}],
    ["with a random password, whatever else is given", account("either", { password: "short" }), {}],
    [
      "who is external, and may create nothing",
      account("guest", { external: true, projects_limit: 5 }),
      {
        external: true,
        projects_limit: 0,
        can_create_group: false,
        can_create_project: false
      }
    ],
    ["whose address is folded", account("folded", { email: "FOLDED@Example.com" }), {}],
    [
      "who commits from a private address",
      account("hidden", { commit_email: "_private" }),
      {
        commit_email: expect.stringMatching(/^\d+-hidden@users\.noreply\.127\.0\.0\.1$/)
      }
    ],
    [
      "from values of other types",
      account("coerced", { bio: 12, admin: "yes", theme_id: "010", external: "" }),
      {
        bio: "12",
        is_admin: true,
        theme_id: 10
      }
    ],
    [
      "from blank numbers and switches, which count as absent",
      account("blank", { theme_id: "", admin: "", projects_limit: "" }),
      {}
    ],
    ["from nulls", account("nulls", { bio: null, skype: null, note: null, theme_id: null, private_profile: null }), {}],
    ["with half an identity that is blank", account("half", { provider: "ldap", extern_uid: "" }), {}]
  ]
  it.each(rows)("a user %s", async (_, attributes, differences) => {
    const { body, status } = await service.request("POST", "/users", { json: attributes })
    expect(status).toBe(201)
    const username = String(field(attributes, "username"))
    expectExactly(body, userBody("administered", { id: anyId, username }, service.url, differences))
  })

  it("somebody whom other administrators made", async () => {
    const id = await createUser(service, "deputy", { admin: true, name: "Deputy" })
    const { text } = await issueTokenFor(service, id)
    const { body } = await service.request("POST", "/users", { token: text, json: account("second") })
    const { body: deputy } = await service.request("GET", "/users", { token: null, query: { username: "deputy" } })
    expectExactly([field(body, "created_by")], deputy)
  })
})

describe("POST /users refuses", () => {
  const missing =
    "email is missing, password, reset_password, force_random_password are missing, at least one parameter must be provided, " +
    "name is missing, username is missing"
  const half = { error: "extern_uid, provider provide all or none of parameters" }
  const post =
    (json: object): Row["request"] =>
    () => ["POST", "/users", { json }]
  const asked = (username: string, more: object = {}) => post(account(username, more))
  const invalid = (errors: Readonly<Record<string, string>>) => ({
    message: Object.fromEntries(Object.entries(errors).map(([name, text]) => [name, [text]]))
  })
  const format = "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'."
  const ownPassword = { force_random_password: undefined }
  const rows: ReadonlyArray<Row> = [
    { given: "nothing", request: post({}), status: 400, body: { error: missing } },
    {
      given: "nothing from others, before it asks who they are",
      request: () => ["POST", "/users", asAda()],
      status: 400,
      body: { error: missing }
    },
    { given: "half an identity", request: asked("x", { provider: "saml" }), status: 400, body: half },
    {
      given: "wrong types",
      request: asked("x", { admin: "maybe", theme_id: "one", bio: ["b"], note: {} }),
      status: 400,
      body: { error: "bio is invalid, admin is invalid, theme_id is invalid, note is invalid" }
    },
    { given: "nobody", request: () => ["POST", "/users", { token: null, json: account("x") }], status: 401, body: unauthorized },
    { given: "others", request: () => ["POST", "/users", asAda({ json: account("x") })], status: 403, body: notAdministrator },
    { given: "a taken address", request: asked("x", { email: "ADA@Example.com" }), status: 409, body: emailTaken },
    { given: "a taken name", request: asked("ADA", { email: "x@example.com" }), status: 409, body: usernameTaken },
    { given: "both, the address first", request: asked("ada"), status: 409, body: emailTaken },
    {
      given: "a taken name before other faults",
      request: asked("Ada", { email: "x@example.com", name: "", theme_id: 0 }),
      status: 409,
      body: usernameTaken
    },
    {
      given: "a taken address before other faults",
      request: asked("x", { ...ownPassword, email: "ada@example.com", password: "a" }),
      status: 409,
      body: emailTaken
    },
    {
      given: "a taken identity",
      request: asked("x", { provider: "saml", extern_uid: "b0b" }),
      status: 400,
      body: invalid({ "identities.extern_uid": "has already been taken" })
    },
    {
      given: "blank required attributes",
      request: post({ email: "", name: " ", username: "", password: "" }),
      status: 400,
      body: invalid({ email: "can't be blank", password: "can't be blank", name: "can't be blank", username: "can't be blank" })
    },
    {
      given: "null required attributes",
      request: post({ email: null, name: null, username: null, password: null }),
      status: 400,
      body: invalid({ email: "can't be blank", password: "can't be blank", name: "can't be blank", username: "can't be blank" })
    },
    {
      given: "a switch that is off in place of a password",
      request: asked("x", { force_random_password: false }),
      status: 400,
      body: invalid({ password: "can't be blank" })
    },
    {
      given: "a short password",
      request: asked("x", { ...ownPassword, password: "1234567" }),
      status: 400,
      body: invalid({ password: "is too short (minimum is 8 characters)" })
    },
    {
      given: "a password that everybody guesses",
      request: asked("x", { ...ownPassword, password: "12345678" }),
      status: 400,
      body: invalid({ password: "must not contain commonly used combinations of words and letters" })
    },
    {
      given: "a long password",
      request: asked("x", { ...ownPassword, password: "x".repeat(129) }),
      status: 400,
      body: invalid({ password: "is too long (maximum is 128 characters)" })
    },
    {
      given: "an address without a host",
      request: asked("x", { email: "x@" }),
      status: 400,
      body: invalid({ email: "is invalid" })
    },
    {
      given: "a public address of somebody else",
      request: asked("x", { public_email: "ada@example.com" }),
      status: 400,
      body: invalid({ public_email: "is not an email you own" })
    },
    {
      given: "a theme that does not exist",
      request: asked("x", { theme_id: 12, color_scheme_id: 7 }),
      status: 400,
      body: invalid({ theme_id: "12 is not a valid theme", color_scheme_id: "7 is not a valid color scheme" })
    },
    {
      given: "a negative limit",
      request: asked("x", { projects_limit: -1 }),
      status: 400,
      body: invalid({ projects_limit: "must be greater than or equal to 0" })
    },
    {
      given: "a name of 256 characters",
      request: asked("x", { name: "x".repeat(256) }),
      status: 400,
      body: invalid({ name: "is too long (maximum is 255 characters)" })
    },
    {
      given: "a biography of 256 characters",
      request: asked("x", { bio: "x".repeat(256) }),
      status: 400,
      body: invalid({ bio: "is too long (maximum is 255 characters)" })
    },
    {
      given: "a name with a space",
      request: asked("a b", { email: "x@example.com" }),
      status: 400,
      body: invalid({ username: format })
    },
    {
      given: "a name that ends in .git",
      request: asked("x.git", { email: "x@example.com" }),
      status: 400,
      body: invalid({ username: format })
    },
    {
      given: "a name that leads elsewhere",
      request: asked("API", { email: "x@example.com" }),
      status: 400,
      body: invalid({ username: "is a reserved name" })
    },
    {
      given: "a name like a file",
      request: asked("x.png", { email: "x@example.com" }),
      status: 400,
      body: invalid({ username: "ending with a reserved file extension is not allowed." })
    }
  ]
  it.each(rows)("$given", check)

  it("leaves the names of a refused user free", async () => {
    expect(await createUser(service, "x")).toBeGreaterThan(bob)
  })
})
