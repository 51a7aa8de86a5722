import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import * as shapes from "#src/http/shapes.ts"
import { userRow } from "./rows.ts"

const url = "https://forge.example.com"

const reference = {
  id: 7,
  username: "ada",
  name: "Ada",
  state: "active",
  locked: false,
  avatar_url: null,
  web_url: "https://forge.example.com/ada"
}
const profile = {
  ...reference,
  created_at: "2024-06-30T12:00:00.000Z",
  bio: "",
  location: null,
  public_email: null,
  skype: "",
  linkedin: "",
  twitter: "",
  discord: "",
  website_url: "",
  organization: null,
  job_title: "",
  pronouns: null,
  bot: false,
  work_information: null,
  followers: 0,
  following: 0,
  is_followed: false,
  local_time: null
}
const full = {
  ...profile,
  last_sign_in_at: null,
  confirmed_at: "2024-06-30T12:00:00.000Z",
  last_activity_on: null,
  email: "ada@example.com",
  theme_id: 3,
  color_scheme_id: 1,
  projects_limit: 100000,
  current_sign_in_at: null,
  identities: [],
  can_create_group: true,
  can_create_project: true,
  two_factor_enabled: false,
  external: false,
  private_profile: false,
  commit_email: "ada@example.com"
}
const administered = {
  ...full,
  is_admin: false,
  note: null,
  namespace_id: 3,
  created_by: { ...reference, id: 1, username: "root", name: "Root", web_url: "https://forge.example.com/root" },
  email_reset_offered_at: null
}
const creator = { id: 1, username: "root", name: "Root", state: "active" } as const

describe("the shapes of a user have exactly these keys in this order", () => {
  it.each([
    ["reference", shapes.userReference(userRow, url), reference],
    ["profile", shapes.userProfile(userRow, url), profile],
    ["full record", shapes.fullUser(userRow, url), full],
    ["view of administrators", shapes.administeredUser(userRow, creator, url), administered]
  ])("%s", (_, shown, expected) => {
    expect(JSON.stringify(shown)).toBe(JSON.stringify(expected))
  })

  it("are those that are documented", () => {
    expect(Schema.decodeUnknownSync(shapes.AdministeredUser)(administered)).toEqual(administered)
    expect(Object.keys(shapes.AdministeredUser.fields)).toEqual(Object.keys(administered))
    expect(Object.keys(shapes.UserReference.fields)).toEqual(Object.keys(reference))
  })
})

it.each([
  ["", null, null],
  ["Countess", null, "Countess"],
  ["", "Analytics", "Analytics"],
  ["Countess", "Analytics", "Countess at Analytics"]
])("a job %j at %j is shown as %j", (job_title, organization, expected) => {
  expect(shapes.userProfile({ ...userRow, job_title, organization }, url).work_information).toBe(expected)
})

it.each([
  [null, "ada@example.com"],
  ["ada@example.com", "ada@example.com"],
  ["_private", "7-ada@users.noreply.forge.example.com"]
])("commits with %j show %s", (commit_email, expected) => {
  expect(shapes.fullUser({ ...userRow, commit_email }, url).commit_email).toBe(expected)
})

it("without projects left nobody can create one", () => {
  expect(shapes.fullUser({ ...userRow, projects_limit: 0 }, url).can_create_project).toBe(false)
})
