import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import * as shapes from "#src/http/answer/shapes.ts"
import { userReference } from "#test/support/people/userReference.ts"
import { userBody } from "./bodies.ts"
import { userRow } from "./rows.ts"

const url = "https://forge.example.com"

const ada = { id: 7, username: "ada", name: "Ada" }
const times = { created_at: "2024-06-30T12:00:00.000Z", confirmed_at: "2024-06-30T12:00:00.000Z" }
const reference = userBody("reference", ada, url)
const profile = userBody("profile", ada, url, { created_at: times.created_at })
const full = userBody("full", ada, url, times)
const administered = userBody("administered", ada, url, {
  ...times,
  namespace_id: 3,
  created_by: userReference(url, 1, "root", "Root")
})
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
