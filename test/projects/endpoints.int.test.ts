import { describe, expect, it, onTestFinished } from "vitest"
import { expectExactly, field } from "#test/support/exactly.ts"
import { type Fields, requestForms } from "#test/support/requests/requestForms.ts"
import { answerOf, type Received, type Sent } from "#test/support/service.ts"
import { fullShape } from "./shape.ts"
import { externalUrl, idOf, useProjects } from "./useProjects.ts"

const { service, newGroup, newProject, newUser, put, read, remove, eventTypes, ...projects } = useProjects()

/** Creates a project that is gone after the test, so that each has the names to itself. */
const create = async (sent: Sent): Promise<Received> => {
  const made = await projects.create(sent)
  if (made.status === 201) onTestFinished(async () => void (await remove(idOf(made))))
  return made
}

type Row = readonly [given: string, fields: Fields, shown: object]
const named = (name: string, path: string) => ({
  name,
  name_with_namespace: `Administrator / ${name}`,
  path,
  path_with_namespace: `root/${path}`,
  ssh_url_to_repo: `git@${new URL(externalUrl).hostname}:root/${path}.git`,
  http_url_to_repo: `${externalUrl}/root/${path}.git`,
  web_url: `${externalUrl}/root/${path}`
})
const description = { description: "*a* <b> & c", description_html: '<p dir="auto"><em>a</em> &lt;b&gt; &amp; c</p>' }

const created: ReadonlyArray<Row> = [
  ["a name", { name: "tool" }, {}],
  ["a path", { path: "tool" }, {}],
  ["a name and a path", { name: "The Tool", path: "tool" }, named("The Tool", "tool")],
  ["a name that is no path", { name: "Größe + 1" }, named("Größe + 1", "gro-e-1")],
  ["an empty namespace", { name: "tool", namespace_id: "" }, {}],
  ["unknown parameters", { name: "tool", id: 77, archived: true, empty_repo: false }, {}],
  ["a visibility", { name: "tool", visibility: "public" }, { visibility: "public" }],
  ["a description", { name: "tool", description: description.description }, description],
  ["topics with commas", { name: "tool", topics: "b, a, B" }, { topics: ["b", "a"], tag_list: ["b", "a"] }],
  ["a default branch", { name: "tool", default_branch: "trunk" }, { default_branch: "trunk" }],
  [
    "older names of features",
    { name: "tool", wiki_enabled: "false", jobs_enabled: "no", emails_disabled: "1", public_builds: "off" },
    {
      wiki_enabled: false,
      wiki_access_level: "disabled",
      jobs_enabled: false,
      builds_access_level: "disabled",
      emails_disabled: true,
      emails_enabled: false,
      public_jobs: false
    }
  ],
  [
    "features with both names, of which the newer wins",
    { name: "tool", snippets_enabled: "false", snippets_access_level: "private" },
    { snippets_access_level: "private" }
  ],
  [
    "settings of merge requests",
    { name: "tool", merge_method: "ff", squash_option: "always", only_allow_merge_if_pipeline_succeeds: "true" },
    { merge_method: "ff", squash_option: "always", only_allow_merge_if_pipeline_succeeds: true }
  ]
]

describe.each(requestForms)("POST /projects as %s", (_, sent) => {
  it.each(created)("takes %s", async (_, fields, shown) => {
    const made = await create(sent(fields))
    expect(made.status).toBe(201)
    const expected = { ...fullShape({ id: idOf(made), name: "tool", path: "tool" }), ...shown }
    expectExactly(made.body, expected)
    const { body } = await read(idOf(made))
    expectExactly(body, {
      ...expected,
      permissions: { project_access: { access_level: 50, notification_level: 3 }, group_access: null }
    })
  })
})

const taken = ["has already been taken"]
const refused: ReadonlyArray<readonly [given: string, fields: Fields, status: number, body: unknown]> = [
  ["nothing", {}, 400, { error: "name, path are missing, at least one parameter must be provided" }],
  ["a bad visibility", { name: "a", visibility: "secret" }, 400, { error: "visibility does not have a valid value" }],
  [
    "a bad level",
    { name: "a", issues_access_level: "public" },
    400,
    { error: "issues_access_level does not have a valid value" }
  ],
  ["a bad switch", { name: "a", wiki_enabled: "maybe" }, 400, { error: "wiki_enabled is invalid" }],
  [
    "an unknown namespace",
    { name: "a", namespace_id: 4711 },
    400,
    { message: { namespace: ["is not valid"], limit_reached: [] } }
  ],
  ["a blank name", { name: " ", path: "a" }, 400, { message: { name: ["can't be blank"] } }],
  ["a blank path", { name: "a", path: "" }, 400, { message: { path: ["can't be blank"] } }],
  ["a path of blanks", { name: "a", path: " " }, 400, { message: { path: ["can't be blank"] } }],
  ["a blank path alone", { path: "" }, 400, { message: { name: ["can't be blank"], path: ["can't be blank"] } }],
  ["a reserved path", { path: "blob" }, 400, { message: { path: ["is a reserved name"] } }],
  [
    "a long description",
    { name: "a", description: "x".repeat(2001) },
    400,
    { message: { description: ["is too long (maximum is 2000 characters)"] } }
  ],
  ["a bad branch", { name: "a", default_branch: "a b" }, 400, { message: { default_branch: ["is invalid"] } }]
]

describe.each(requestForms)("POST /projects as %s", (_, sent) => {
  it.each(refused)("refuses %s", async (_, fields, status, body) => {
    expect(answerOf(await create(sent(fields)))).toEqual([status, body])
  })
})

it("POST /projects refuses null as a path", async () => {
  const blank = ["can't be blank"]
  expect(answerOf(await create({ json: { name: "a", path: null } }))).toEqual([400, { message: { path: blank } }])
  expect(answerOf(await create({ json: { path: null } }))).toEqual([400, { message: { name: blank, path: blank } }])
})

describe("names", () => {
  it("are unique in a namespace: the path without regard to case", async () => {
    await create({ json: { name: "One", path: "one" } })
    const clash = (json: object) => create({ json }).then(answerOf)
    expect(await clash({ name: "One", path: "ONE" })).toEqual([
      400,
      { message: { "project_namespace.name": taken, name: taken, path: taken } }
    ])
    expect(await clash({ name: "Two", path: "oNe" })).toEqual([400, { message: { path: taken } }])
    expect(await clash({ name: "One", path: "two" })).toEqual([
      400,
      { message: { "project_namespace.name": taken, name: taken } }
    ])
    expect((await create({ json: { name: "one", path: "two" } })).status).toBe(201)
  })

  it("are free again after a change and a deletion", async () => {
    const id = await newProject("short")
    expect((await put(id, { json: { name: "longer", path: "longer" } })).status).toBe(200)
    const second = await newProject("short")
    expect(answerOf(await put(id, { json: { path: "short" } }))).toEqual([400, { message: { path: taken } }])
    await remove(id)
    expect((await create({ json: { name: "longer", path: "longer" } })).status).toBe(201)
    await remove(second)
  })

  it("are not those of subgroups beside them", async () => {
    const group = await newGroup("names")
    await newGroup("inner", { parent_id: group })
    expect(answerOf(await create({ json: { path: "Inner", namespace_id: group } }))).toEqual([400, { message: { path: taken } }])
    await newProject("project", { namespace_id: group })
    const { status } = await service.request("POST", "/groups", { json: { name: "x", path: "project", parent_id: group } })
    expect(status).toBe(400)
  })

  it("of twenty requests at once exactly one gets them", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ json: { path: "racing" } })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 400)])
  })
})

describe("POST /projects", () => {
  it("stops at the limit of personal projects, which those of groups do not count for", async () => {
    const { id, token } = await newUser("limited", { projects_limit: 1 })
    const first = await newProject("first", {}, token)
    const group = await newGroup("limitless")
    await service.request("POST", `/groups/${group}/members`, { json: { user_id: id, access_level: 50 } })
    expect((await create({ json: { path: "second", namespace_id: group }, token })).status).toBe(201)
    const limit = { error: ["Your project limit is 1 projects! Please contact your administrator to increase it"] }
    expect(answerOf(await create({ json: { path: "third" }, token }))).toEqual([403, limit])
    await remove(first, { token })
    expect((await create({ json: { path: "third" }, token })).status).toBe(201)
  })

  it("takes no more visibility than the group has", async () => {
    const group = await newGroup("hidden", { visibility: "private" })
    expect(answerOf(await create({ json: { path: "a", namespace_id: group, visibility: "public" } }))).toEqual([
      400,
      { message: { visibility_level: ["public is not allowed in a private group."] } }
    ])
  })

  it.each([
    [30, "developer", 201],
    [30, "maintainer", 400],
    [40, "maintainer", 201],
    [40, "noone", 400],
    [20, "developer", 400]
  ])("lets level %i create in a group whose level is %s: %i", async (level, setting, status) => {
    const group = await newGroup(`creation-${level}-${setting}`, { project_creation_level: setting })
    const { id, token } = await newUser(`creator-${level}-${setting}`)
    await service.request("POST", `/groups/${group}/members`, { json: { user_id: id, access_level: level } })
    expect((await create({ json: { path: "made", namespace_id: group }, token })).status).toBe(status)
  })
})

it("POST /projects/user/:user_id creates a project of somebody else", async () => {
  const { id, token } = await newUser("somebody")
  const made = await service.request("POST", `/projects/user/${id}`, { json: { name: "gift" } })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({ path_with_namespace: "somebody/gift", creator_id: id, owner: { id } })
  expect((await read(idOf(made), { token })).body).toMatchObject({ permissions: { project_access: { access_level: 50 } } })
  const ask = (path: string, sent: Sent) => service.request("POST", `/projects/user/${path}`, sent).then(answerOf)
  expect(await ask("4711", { json: { name: "a" } })).toEqual([404, { message: "404 User Not Found" }])
  expect(await ask(String(id), { json: {} })).toEqual([400, { error: "name is missing" }])
  expect(await ask(String(id), { json: {}, token })).toEqual([403, { message: "403 Forbidden" }])
})

const changed: ReadonlyArray<Row> = [
  ["a name", { name: "The Tool" }, { name: "The Tool", name_with_namespace: "Administrator / The Tool" }],
  ["the same visibility", { visibility: "private" }, {}],
  ["a description and a visibility", { ...description, visibility: "internal" }, { ...description, visibility: "internal" }],
  ["a path", { path: "other" }, { ...named("tool", "other"), name: "tool" }],
  [
    "pipelines",
    { ci_default_git_depth: 0, build_timeout: 7200, ci_config_path: "ci.yml" },
    { ci_default_git_depth: 0, build_timeout: 7200, ci_config_path: "ci.yml" }
  ],
  ["topics", { tag_list: "x,y" }, { topics: ["x", "y"], tag_list: ["x", "y"] }],
  ["no switch, which is not given", { name: "tool", packages_enabled: "" }, {}],
  ["LFS, which is not served whatever is set", { lfs_enabled: true }, { lfs_enabled: false }]
]

describe.each(requestForms)("PUT /projects/:id as %s", (_, sent) => {
  it.each(changed)("changes %s", async (_, fields, shown) => {
    const id = idOf(await create({ json: { name: "tool" } }))
    const answer = await put(id, sent(fields))
    expect(answer.status).toBe(200)
    const expected = { ...fullShape({ id, name: "tool", path: "tool" }), ...shown }
    expectExactly(answer.body, expected)
  })
})

describe("PUT /projects/:id", () => {
  it("needs an attribute", async () => {
    const id = idOf(await create({ json: { name: "tool" } }))
    const { body, status } = await put(id, { json: {} })
    expect([status, field(body, "error")]).toEqual([
      400,
      expect.stringMatching(/^name, path, default_branch, .* are missing, at least one parameter must be provided$/)
    ])
  })

  it.each(["", " ", null])("refuses the path %j", async (path) => {
    const id = idOf(await create({ json: { name: "tool" } }))
    const refusal = [400, { message: { path: ["can't be blank"] } }]
    expect(answerOf(await put(id, { json: { path, description: "x" } }))).toEqual(refusal)
    expect((await read(id)).body).toMatchObject({ path: "tool", description: null })
  })

  it("that changes nothing adds no event", async () => {
    const id = idOf(await create({ json: { name: "tool", topics: ["a"] } }))
    expect((await put(id, { json: { name: "tool", path: "tool", topics: ["a"], visibility: "private" } })).status).toBe(200)
    expect(await eventTypes(id)).toEqual(["ProjectCreated", "MemberAdded"])
  })

  it("clears texts with null", async () => {
    const id = idOf(await create({ json: { name: "tool", description: "x", ci_config_path: "y" } }))
    expect((await put(id, { json: { description: null, ci_config_path: null, packages_enabled: null } })).body).toMatchObject({
      description: null,
      ci_config_path: null,
      packages_enabled: true
    })
  })

  it("refuses a default branch that is not there", async () => {
    const id = idOf(await create({ json: { name: "tool" } }))
    expect(answerOf(await put(id, { json: { default_branch: "nope", path: "elsewhere" } }))).toEqual([
      400,
      { message: { base: ["Could not change HEAD: branch 'nope' does not exist"] } }
    ])
    expect((await create({ json: { path: "elsewhere" } })).status).toBe(201)
  })
})

describe("a project that has another path", () => {
  it("leads reads to the new one and refuses writes, also below a renamed group", async () => {
    const group = await newGroup("before")
    const id = await newProject("old", { namespace_id: group })
    await put(id, { json: { path: "newer" } })
    const location = `${externalUrl}/api/v4/projects/${id}/users`
    const moved = async (path: string) => {
      const { body, headers, status } = await service.request("GET", `/projects/${path}/users`)
      return [status, headers.get("location"), headers.get("content-type"), body]
    }
    const permanently = [301, location, "text/plain", `This resource has been moved permanently to ${location}`]
    expect(await moved("before%2Fold")).toEqual(permanently)
    await service.request("PUT", `/groups/${group}`, { json: { path: "after" } })
    expect(await moved("before%2Fnewer")).toEqual(permanently)
    expect(await moved("before%2FOLD")).toEqual(permanently)
    expect((await service.request("GET", "/projects/AFTER%2fNewer/users")).status).toBe(200)
    const refusal = { message: "Non GET methods are not allowed for moved projects" }
    expect(answerOf(await put("before%2Fnewer", { json: { name: "x" } }))).toEqual([405, refusal])
    const { token } = await newUser("stranger")
    expect(answerOf(await read("before%2Fnewer", { token }))).toEqual([404, { message: "404 Project Not Found" }])
    await newProject("old", { name: "another", namespace_id: group })
    expect((await read("after%2Fold")).status).toBe(200)
  })

  it.each(["tool", "0", "-1", "999999999999999999", "root%2F", "%2Ftool", "a%2Fb%2Fc", "root%2Ftool%2F"])(
    "%s is no project",
    async (text) => {
      expect(answerOf(await read(text))).toEqual([404, { message: "404 Project Not Found" }])
    }
  )
})

describe("archived projects", () => {
  it("are marked, and may be taken back", async () => {
    const id = idOf(await create({ json: { name: "tool" } }))
    const send = (action: string) => service.request("POST", `/projects/${id}/${action}`)
    for (const [action, archived] of [
      ["archive", true],
      ["archive", true],
      ["unarchive", false]
    ] as const) {
      const answer = await send(action)
      expect([answer.status, field(answer.body, "archived")]).toEqual([201, archived])
    }
    expect((await eventTypes(id)).slice(2)).toEqual(["ProjectArchived", "ProjectUnarchived"])
  })
})

describe("DELETE /projects/:id", () => {
  it("deletes, unless the project changed meanwhile", async () => {
    const id = await newProject("gone")
    const since = (header: string) => remove(id, { headers: { "if-unmodified-since": header } }).then(answerOf)
    expect(await since("Tue, 15 Nov 1994 08:12:31 GMT")).toEqual([412, { message: "412 Precondition Failed" }])
    expect(await since("Fri, 15 Nov 2999 08:12:31 GMT")).toEqual([202, { message: "202 Accepted" }])
    expect(answerOf(await remove(id))).toEqual([404, { message: "404 Project Not Found" }])
  })

  it("of a group deletes its projects", async () => {
    const group = await newGroup("doomed")
    const id = await newProject("inside", { namespace_id: group })
    expect((await service.request("DELETE", `/groups/${group}`)).status).toBe(202)
    expect((await read(id)).status).toBe(404)
    expect(await eventTypes(id)).toEqual(["ProjectCreated", "ProjectDeleted"])
  })
})

it("a repeated request finds the project that its first run renamed or deleted", async () => {
  const id = await newProject("repeated")
  const twice = async (method: string, sent: Sent) => {
    const send = () => service.request(method, "/projects/root%2Frepeated", { ...sent, headers: { "idempotency-key": method } })
    return [await send(), await send()].map(answerOf)
  }
  const [first, second] = await twice("PUT", { json: { path: "repeated2" } })
  expect(second).toEqual(first)
  await put(id, { json: { path: "repeated" } })
  const [gone, again] = await twice("DELETE", {})
  expect([gone, again]).toEqual([
    [202, { message: "202 Accepted" }],
    [202, { message: "202 Accepted" }]
  ])
})
