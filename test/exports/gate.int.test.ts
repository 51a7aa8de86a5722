import { beforeAll, describe, expect, it } from "vitest"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { forbidden, scopeTooSmall, unauthorized } from "#test/support/people/callers.ts"
import { levels } from "#test/support/people/everybody.ts"
import { answerOf, rootToken, type Sent } from "#test/support/service.ts"
import { useExports } from "./useExports.ts"

const { at, newProject, member, person, service } = useExports()
const { request } = service

const missing = [404, { message: "404 Project Not Found" }]
const accepted = [202, { message: "202 Accepted" }]
/** The gate lets these pass before parameters are looked at, of which one is missing. */
const unnamed = [400, { error: "relation is missing, relation is not portable" }]

/** The answers to a request for an export, for its status, and for a file that is not named. */
const answersTo = async (id: unknown, token: string | null) => {
  const ask = async (method: string, more: string, sent: Sent = {}) =>
    answerOf(await request(method, at(id, more), { token, ...sent }))
  return [await ask("GET", "/status"), await ask("GET", "/download"), await ask("POST", "", { json: { batched: "x" } })]
}
const everywhere = (answer: unknown) => [answer, answer, answer]
const passed = [[200, []], unnamed, [400, { error: "batched is invalid" }]]

const projects = { private: 0, internal: 0, public: 0 }
const tokens: Record<string, string | null> = { anonymous: null, administrator: rootToken, unknown: "glpat-nobody-has-this-00" }
let readOnly = ""

beforeAll(async () => {
  for (const visibility of ["private", "internal", "public"] as const)
    projects[visibility] = await newProject(visibility, { visibility })
  tokens.outsider = (await person("outsider")).token
  const roles = ["guest", "reporter", "developer", "maintainer", "owner"] as const
  for (const role of roles) {
    const { id, token } = await member(projects.private, role, role)
    tokens[role] = token
    for (const other of [projects.internal, projects.public]) {
      await request("POST", `/projects/${other}/members`, { json: { user_id: id, access_level: levels[role] } })
    }
    if (role === "maintainer") readOnly = (await issueTokenFor(service, id, { scopes: ["read_api"] })).text
  }
})

describe("who may not export a project hears so before anything is said of parameters", () => {
  it.each([
    ["private", "unknown", unauthorized],
    ["private", "anonymous", missing],
    ["private", "outsider", missing],
    ["private", "guest", forbidden],
    ["private", "reporter", forbidden],
    ["private", "developer", forbidden],
    ["internal", "anonymous", missing],
    ["internal", "outsider", forbidden],
    ["internal", "developer", forbidden],
    ["public", "unknown", unauthorized],
    ["public", "anonymous", forbidden],
    ["public", "outsider", forbidden],
    ["public", "guest", forbidden],
    ["public", "reporter", forbidden],
    ["public", "developer", forbidden]
  ] as const)("a %s project, %s", async (visibility, who, answer) => {
    expect(await answersTo(projects[visibility], tokens[who] ?? null)).toEqual(everywhere(answer))
  })

  it.each([
    ["private", "maintainer"],
    ["private", "owner"],
    ["private", "administrator"],
    ["internal", "maintainer"],
    ["public", "maintainer"],
    ["public", "owner"],
    ["public", "administrator"]
  ] as const)("a %s project, but not %s", async (visibility, who) => {
    expect(await answersTo(projects[visibility], tokens[who] ?? null)).toEqual(passed)
  })

  it("a project that is not there", async () => {
    for (const token of [rootToken, null]) {
      expect(await answersTo(999_999, token)).toEqual(everywhere(missing))
      expect(await answersTo("root%2Fnone", token)).toEqual(everywhere(missing))
    }
  })
})

describe("the scopes of a token", () => {
  const tooSmall = scopeTooSmall("api read_api")

  it("with read_api a Maintainer reads, and asks for nothing", async () => {
    const [status, download, post] = await answersTo(projects.private, readOnly)
    expect([status, download, post]).toEqual([[200, []], unnamed, tooSmall])
  })

  it("with read_user not even that", async () => {
    const id = await createUser(service, "scoped", { admin: true })
    const { text } = await issueTokenFor(service, id, { scopes: ["read_user"] })
    expect(await answersTo(projects.private, text)).toEqual(everywhere(tooSmall))
  })
})

describe("the path of a project", () => {
  it("names it as its number does", async () => {
    const id = await newProject("by-path")
    expect(answerOf(await request("POST", at("root%2Fby-path")))).toEqual(accepted)
    const byPath = answerOf(await request("GET", at("root%2Fby-path", "/status"), { query: { relation: "self" } }))
    expect(byPath).toEqual(answerOf(await request("GET", at(id, "/status"), { query: { relation: "self" } })))
  })

  it("that it had leads to its number, but for what is written", async () => {
    const id = await newProject("before")
    await request("PUT", `/projects/${id}`, { json: { path: "after" } })
    const led = async (more: string) => {
      const { body, headers, status } = await request("GET", at("root%2Fbefore", more))
      return [status, headers.get("location"), body]
    }
    for (const more of ["/status", "/status?relation=labels", "/download?relation=labels"]) {
      const location = `${service.url}/api/v4${at(id, more)}`
      expect(await led(more)).toEqual([301, location, `This resource has been moved permanently to ${location}`])
    }
    const refused = [405, { message: "Non GET methods are not allowed for moved projects" }]
    expect(answerOf(await request("POST", at("root%2Fbefore")))).toEqual(refused)
    expect(answerOf(await request("GET", at("root%2Fbefore", "/status"), { token: null }))).toEqual(missing)
  })
})
