import { describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { answerOf } from "#test/support/service.ts"
import { idOf, type Person, useSchedules } from "./useSchedules.ts"

const { add, get, member, newProject, pathOf, put, remove, service } = useSchedules()

const ambiguous = [400, { message: { ref: ["is ambiguous"] } }]
const forbidden = [403, { message: "403 Forbidden" }]
const notAuthorized = (verb: string) => [
  400,
  { message: { base: [`The current user is not authorized to ${verb} the pipeline schedule`] } }
]

const newBranch = (project: number, branch: string) =>
  service.request("POST", `/projects/${project}/repository/branches`, { json: { branch, ref: "main" } })
const newTag = (project: number, tag_name: string) =>
  service.request("POST", `/projects/${project}/repository/tags`, { json: { tag_name, ref: "main" } })

describe("a ref", () => {
  it("is taken as it is where it is a full one, and becomes one where it is short", async () => {
    const project = await newProject("named-refs")
    await newBranch(project, "topic")
    await newBranch(project, "1/nested/branch-name")
    await newBranch(project, "both")
    await newTag(project, "v1")
    await newTag(project, "both")
    const rows: ReadonlyArray<readonly [sent: string, ref: string | undefined]> = [
      ["topic", "refs/heads/topic"],
      ["1/nested/branch-name", "refs/heads/1/nested/branch-name"],
      ["v1", "refs/tags/v1"],
      ["refs/heads/topic", "refs/heads/topic"],
      ["refs/heads/nowhere", "refs/heads/nowhere"],
      ["refs/tags/nowhere", "refs/tags/nowhere"],
      ["refs/heads/both", "refs/heads/both"],
      ["refs/heads/a b\nc", "refs/heads/a b\nc"],
      ["both", undefined],
      ["nowhere", undefined],
      ["heads/topic", undefined],
      ["refs/merge-requests/1/head", undefined],
      ["refs/heads/", undefined],
      ["refs/heads/ topic", undefined],
      [" topic", undefined],
      ["TOPIC", undefined],
      ["HEAD", undefined],
      ["topic~1", undefined]
    ]
    const id = idOf(await add(project))
    for (const [sent, ref] of rows) {
      const [created, changed] = [await add(project, { ref: sent }), await put(project, id, { ref: sent })]
      if (ref === undefined) expect([sent, answerOf(created), answerOf(changed)]).toEqual([sent, ambiguous, ambiguous])
      else expect([sent, field(created.body, "ref"), field(changed.body, "ref")]).toEqual([sent, ref, ref])
    }
    for (const ref of ["", null]) expect(answerOf(await put(project, id, { ref }))).toEqual(ambiguous)
    expect(field((await get(project, id)).body, "ref")).toBe("refs/heads/a b\nc")
  })

  it("is needed by inactive ones too", async () => {
    const project = await newProject("inactive-refs")
    expect(answerOf(await add(project, { active: false, ref: "nowhere" }))).toEqual(ambiguous)
  })

  it("of an empty repository has to be a full one", async () => {
    const { body } = await service.request("POST", "/projects", { json: { name: "empty-refs" } })
    const project = field(body, "id")
    expect(answerOf(await add(project))).toEqual(ambiguous)
    expect((await add(project, { ref: "refs/heads/main" })).status).toBe(201)
  })
})

describe("a protected ref", () => {
  const protectBranch = (project: number, name: string, push: number, merge: number) =>
    service.request("POST", `/projects/${project}/protected_branches`, {
      json: { name, push_access_level: push, merge_access_level: merge }
    })
  const protectTag = (project: number, name: string, create: number) =>
    service.request("POST", `/projects/${project}/protected_tags`, { json: { name, create_access_level: create } })

  /** A project with what is protected in each way, and its people. */
  const guarded = async (name: string) => {
    const project = await newProject(name)
    const levels = [0, 30, 40]
    for (const push of levels) {
      for (const merge of levels) await protectBranch(project, `push${push}-merge${merge}`, push, merge)
      await protectTag(project, `create${push}`, push)
    }
    return {
      project,
      developer: await member(project, "developer", `${name}-developer`),
      maintainer: await member(project, "maintainer", `${name}-maintainer`)
    }
  }

  it("is for those who may push or merge to the branch, or create the tag: by short and full name", async () => {
    const { developer, maintainer, project } = await guarded("protected")
    const may = (role: number, ...levels: ReadonlyArray<number>) => levels.some((level) => level > 0 && role >= level)
    const refused = [notAuthorized("create"), notAuthorized("update")]
    const people: ReadonlyArray<readonly [number, Person]> = [
      [30, developer],
      [40, maintainer]
    ]
    for (const [role, { token }] of people) {
      const id = idOf(await add(project, { ref: "refs/heads/topic" }, { token }))
      const told = async (ref: string) => {
        const answers = [await add(project, { ref }, { token }), await put(project, id, { ref }, { token })]
        // Nobody could change it afterwards.
        if (answers[1]?.status === 200) await put(project, id, { ref: "refs/heads/topic" }, { token })
        return answers.map((answer) => (answer.status < 300 ? answer.status : answerOf(answer)))
      }
      for (const push of [0, 30, 40]) {
        for (const merge of [0, 30, 40]) {
          const name = `push${push}-merge${merge}`
          const isAllowed = may(role, push, merge)
          expect([role, name, await told(`refs/heads/${name}`)]).toEqual([role, name, isAllowed ? [201, 200] : refused])
          // There is no such branch, which comes after the right to it.
          expect([role, name, await told(name)]).toEqual([role, name, isAllowed ? [ambiguous, ambiguous] : refused])
        }
        const tag = `refs/tags/create${push}`
        expect([role, tag, await told(tag)]).toEqual([role, tag, may(role, push) ? [201, 200] : refused])
      }
    }
    const byRoot = await add(project, { ref: "refs/heads/push0-merge0" })
    expect(answerOf(byRoot)).toEqual(notAuthorized("create"))
  })

  it("of a tag counts for a short name where there is such a tag, else that of a branch", async () => {
    const project = await newProject("short")
    const { token } = await member(project, "developer", "short-developer")
    await newTag(project, "release")
    await protectTag(project, "release", 40)
    await protectBranch(project, "release", 30, 30)
    expect(answerOf(await add(project, { ref: "release" }, { token }))).toEqual(notAuthorized("create"))
    await newTag(project, "open")
    await protectBranch(project, "open", 40, 40)
    const { body } = await add(project, { ref: "open" }, { token })
    expect(field(body, "ref")).toBe("refs/tags/open")
  })

  it("of a schedule that is there keeps from changing and playing it, not from taking over and deleting", async () => {
    const project = await newProject("kept-out")
    const [owner, maintainer] = [
      await member(project, "developer", "kept-out-developer"),
      await member(project, "maintainer", "kept-out-maintainer")
    ]
    const sent = { token: owner.token }
    const id = idOf(await add(project, { ref: "refs/heads/topic" }, sent))
    const send = (method: string, end: string, token: string, json?: object) =>
      service.request(method, `${pathOf(project, id)}${end}`, { token, ...(json && { json }) })
    await send("POST", "/variables", owner.token, { key: "KEY", value: "v" })
    await protectBranch(project, "topic", 40, 40)
    const refused = [
      await put(project, id, { ref: "refs/heads/other" }, sent),
      await put(project, id, {}, sent),
      await send("POST", "/play", owner.token),
      await send("POST", "/variables", owner.token, { key: "OTHER", value: "v" }),
      await send("PUT", "/variables/KEY", owner.token, { value: "w" })
    ]
    expect(refused.map(answerOf)).toEqual(refused.map(() => forbidden))
    const allowed = [
      await get(project, id, sent),
      await send("GET", "/variables/KEY", owner.token),
      await send("POST", "/take_ownership", owner.token),
      await send("DELETE", "/variables/KEY", owner.token),
      await send("POST", "/play", maintainer.token),
      await remove(project, id, sent)
    ]
    expect(allowed.map(({ status }) => status)).toEqual([200, 200, 200, 202, 201, 200])
  })
})
