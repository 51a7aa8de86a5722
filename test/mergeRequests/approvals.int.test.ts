import { describe, expect, it } from "vitest"
import { anyId, anyTime, expectExactly, field, picked } from "#test/support/exactly.ts"
import { iidOf, type Person, useMergeRequests } from "./useMergeRequests.ts"

const { get, member, newProject, open, pathOf, person, put, service } = useMergeRequests()
const { request } = service

const approvals = (id: number, { token }: Partial<Person> = {}) => request("GET", pathOf(id, 1, "/approvals"), { token })
const post = (id: number, deed: string, { token }: Partial<Person> = {}, json: object = {}) =>
  request("POST", pathOf(id, 1, `/${deed}`), { json, token })
const merge = (id: number) => request("PUT", pathOf(id, 1, "/merge"), { json: {} })
const rule = (id: number, json: object) => post(id, "approval_rules", {}, json)
const approversIn = (body: unknown) =>
  [field(body, "approved_by")].flat().map((approval) => field(field(approval, "user"), "username"))
const told = (body: unknown) => picked(body, "approved", "approvals_required", "approvals_left")

const root = {
  id: 1,
  username: "root",
  name: "Administrator",
  state: "active",
  locked: false,
  avatar_url: null,
  web_url: expect.stringMatching(/\/root$/)
}
const forbidden = { status: 403, body: { message: "403 Forbidden" } }
const unauthorized = { status: 401, body: { message: "401 Unauthorized" } }

describe("approvals", () => {
  it("are told whole, with nobody who approved, and after somebody did", async () => {
    const id = await newProject("approved-whole")
    await open(id)
    const nobodys = {
      id: anyId,
      iid: 1,
      project_id: id,
      title: "Add a topic",
      description: null,
      state: "opened",
      created_at: anyTime,
      updated_at: anyTime,
      merge_status: "can_be_merged",
      approved: false,
      approvals_required: 0,
      approvals_left: 0,
      require_password_to_approve: false,
      approved_by: [],
      suggested_approvers: [],
      approvers: [],
      approver_groups: [],
      user_has_approved: false,
      user_can_approve: true,
      approval_rules_left: [],
      has_approval_rules: false,
      merge_request_approvers_available: true,
      multiple_approval_rules_available: true
    }
    expectExactly((await approvals(id)).body, nobodys)
    const before = (await get(id, 1)).body
    const { body, status } = await post(id, "approve")
    expect(status).toBe(201)
    const roots = { approved: true, approved_by: [{ user: root }], user_has_approved: true, user_can_approve: false }
    expectExactly(body, { ...nobodys, ...roots })
    expect((await approvals(id)).body).toEqual(body)
    expect((await get(id, 1)).body).toEqual(before)
    const taken = await post(id, "unapprove")
    expect(taken.status).toBe(201)
    expectExactly(taken.body, nobodys)
  })

  it("are given once by each, of the commit that they saw, and not after the merge", async () => {
    const id = await newProject("approved-once")
    await open(id)
    const head = field((await get(id, 1)).body, "sha")
    expect(await post(id, "unapprove")).toMatchObject({ status: 404, body: { message: "404 Not Found" } })
    expect(await post(id, "approve", {}, { sha: "0".repeat(40) })).toMatchObject({
      status: 409,
      body: { message: `SHA does not match HEAD of source branch: ${head}` }
    })
    expect((await post(id, "approve", {}, { sha: head })).status).toBe(201)
    expect(await post(id, "approve")).toMatchObject(unauthorized)
    expect((await merge(id)).status).toBe(200)
    const developer = await member(id, "developer", "late-approver")
    expect(await post(id, "approve", developer)).toMatchObject(unauthorized)
    expect(await post(id, "unapprove")).toMatchObject({ status: 404, body: { message: "404 Not Found" } })
    expect(await request("PUT", pathOf(id, 1, "/reset_approvals"))).toMatchObject(unauthorized)
    expect(approversIn((await approvals(id)).body)).toEqual(["root"])
  })

  it("are of what was pushed last, as soon as the push was answered", async () => {
    const id = await newProject("approved-pushed")
    await open(id)
    const push = async (file: string): Promise<string> => {
      const json = { branch: "topic", commit_message: "More", actions: [{ action: "create", file_path: file, content: "a" }] }
      return String(field((await request("POST", `/projects/${id}/repository/commits`, { json })).body, "id"))
    }
    let before = String(field((await get(id, 1)).body, "sha"))
    for (const round of [1, 2, 3]) {
      const head = await push(`pushed-${round}`)
      const stale = await post(id, "approve", {}, { sha: before })
      expect([stale.status, stale.body]).toEqual([409, { message: `SHA does not match HEAD of source branch: ${head}` }])
      const next = await push(`again-${round}`)
      expect((await post(id, "approve", {}, { sha: next })).status).toBe(201)
      expect((await post(id, "unapprove")).status).toBe(201)
      before = next
    }
  })

  it("are for Developers, and for members who opened it or work on it", async () => {
    const id = await newProject("approvers", { visibility: "public" })
    const [guest, assignee] = [await member(id, "guest", "approving-guest"), await member(id, "guest", "approving-assignee")]
    const [reporter, developer] = [
      await member(id, "reporter", "approving-reporter"),
      await member(id, "developer", "approving-developer")
    ]
    const outsider = await person("approving-outsider")
    await open(id, { assignee_ids: [assignee.id, outsider.id] })
    for (const one of [guest, reporter, outsider]) expect(await post(id, "approve", one)).toMatchObject(forbidden)
    expect((await request("POST", pathOf(id, 1, "/approve"), { token: null })).status).toBe(401)
    expect((await post(id, "approve", assignee)).status).toBe(201)
    const { body } = await post(id, "approve", developer)
    expect(approversIn(body)).toEqual(["approving-assignee", "approving-developer"])
    expect(field((await approvals(id, guest)).body, "user_can_approve")).toBe(false)
    expect(field((await request("GET", pathOf(id, 1, "/approvals"), { token: null })).body, "user_can_approve")).toBe(false)
    for (const one of [guest, developer])
      expect(await request("PUT", pathOf(id, 1, "/reset_approvals"), { token: one.token })).toMatchObject(unauthorized)
    const reset = await request("PUT", pathOf(id, 1, "/reset_approvals"))
    expect([reset.status, reset.body]).toEqual([202, { message: "202 Accepted" }])
    expect(approversIn((await approvals(id)).body)).toEqual([])
  })

  it("stay with a new title, and are gone where it is to come into another branch", async () => {
    const id = await newProject("approved-elsewhere")
    await open(id)
    await post(id, "approve")
    await request("POST", `/projects/${id}/repository/branches`, { query: { branch: "stable", ref: "main" } })
    await put(id, 1, { title: "Add it" })
    expect(approversIn((await approvals(id)).body)).toEqual(["root"])
    await put(id, 1, { target_branch: "stable" })
    expect(approversIn((await approvals(id)).body)).toEqual([])
  })
})

describe("approvals that are required", () => {
  it("before a merge keep it from being merged", async () => {
    const id = await newProject("required-before")
    const developer = await member(id, "developer", "required-developer")
    const opened = await open(id, { approvals_before_merge: 2 })
    expect(picked(opened.body, "approvals_before_merge", "detailed_merge_status")).toEqual({
      approvals_before_merge: 2,
      detailed_merge_status: "not_approved"
    })
    await post(id, "approve")
    expect(await merge(id)).toMatchObject({ status: 405, body: { message: "405 Method Not Allowed" } })
    expect(told((await approvals(id)).body)).toEqual({ approved: false, approvals_required: 2, approvals_left: 1 })
    const { body } = await post(id, "approve", developer)
    expect(told(body)).toEqual({ approved: true, approvals_required: 2, approvals_left: 0 })
    expect(field((await get(id, 1)).body, "detailed_merge_status")).toBe("mergeable")
    expect(field((await merge(id)).body, "state")).toBe("merged")
  })

  it("are a hundred at the most, and not less than none", async () => {
    const id = await newProject("required-limits")
    const refused = (text: string) => ({ status: 400, body: { message: { approvals_before_merge: [text] } } })
    expect(await open(id, { approvals_before_merge: 101 })).toMatchObject(refused("must be less than or equal to 100"))
    expect(await open(id, { approvals_before_merge: -1 })).toMatchObject(refused("must be greater than or equal to 0"))
    expect(iidOf(await open(id, { approvals_before_merge: 100 }))).toBe(1)
  })

  it("by a rule are those of its users", async () => {
    const id = await newProject("required-rule")
    const developer = await member(id, "developer", "ruled-developer")
    const outsider = await person("ruled-outsider")
    await open(id)
    const users = [{ ...root, id: developer.id, username: "ruled-developer", name: anyName, web_url: anyName }]
    const shown = {
      id: anyId,
      name: "Security",
      rule_type: "regular",
      eligible_approvers: users,
      approvals_required: 1,
      source_rule: null,
      users,
      groups: [],
      contains_hidden_groups: false,
      overridden: false
    }
    const json = { name: "Security", approvals_required: 1, user_ids: [developer.id, outsider.id, developer.id] }
    const added = await rule(id, json)
    expect(added.status).toBe(201)
    expectExactly(added.body, shown)
    expect((await request("GET", pathOf(id, 1, "/approval_rules"))).body).toEqual([added.body])
    expect(await rule(id, json)).toMatchObject({ status: 400, body: { message: { name: ["has already been taken"] } } })
    const { body: short } = await post(id, "approve")
    expect({ ...told(short), ...picked(short, "approval_rules_left", "has_approval_rules") }).toEqual({
      approved: false,
      approvals_required: 1,
      approvals_left: 1,
      approval_rules_left: [{ id: field(added.body, "id"), name: "Security", rule_type: "regular" }],
      has_approval_rules: true
    })
    const state = async () => (await request("GET", pathOf(id, 1, "/approval_state"))).body
    const stateOf = (more: object) => ({ approval_rules_overwritten: true, rules: [{ ...shown, ...more }] })
    expectExactly(await state(), stateOf({ approved_by: [], approved: false }))
    await post(id, "approve", developer)
    expectExactly(await state(), stateOf({ approved_by: users, approved: true }))
    const removal = () => request("DELETE", pathOf(id, 1, `/approval_rules/${field(added.body, "id")}`))
    expect([(await removal()).status, (await removal()).status]).toEqual([204, 404])
    expect(await state()).toEqual({ approval_rules_overwritten: false, rules: [] })
  })

  it("by a rule that names nobody are never there", async () => {
    const id = await newProject("required-nobody")
    const reporter = await member(id, "reporter", "ruling-reporter")
    await open(id)
    expect(await post(id, "approval_rules", reporter, { name: "a", approvals_required: 1 })).toMatchObject(forbidden)
    expect(await post(id, "approval_rules", {}, { name: "a" })).toMatchObject({
      status: 400,
      body: { error: "approvals_required is missing" }
    })
    await rule(id, { name: "a", approvals_required: 1 })
    await post(id, "approve")
    expect((await merge(id)).status).toBe(405)
  })
})

const anyName: unknown = expect.any(String)

describe("lists of merge requests", () => {
  const found = async (id: number, query: Readonly<Record<string, string>>) => {
    const { body } = await request("GET", pathOf(id), { query: { ...query, sort: "asc" } })
    return Array.isArray(body) ? body.map((each) => field(each, "iid")) : body
  }

  it("are chosen by who approved and who has to", async () => {
    const id = await newProject("approval-lists")
    const developer = await member(id, "developer", "listed-developer")
    for (const branch of ["b", "c"])
      await request("POST", `/projects/${id}/repository/branches`, { query: { branch, ref: "topic" } })
    for (const source_branch of ["topic", "b", "c"]) await open(id, { source_branch })
    await post(id, "approve")
    await post(id, "approve", developer)
    await request("POST", pathOf(id, 2, "/approve"))
    await rule(id, { name: "a", approvals_required: 0, user_ids: [1, developer.id] })
    const rows: ReadonlyArray<readonly [query: Readonly<Record<string, string>>, iids: ReadonlyArray<number>]> = [
      [{ approved_by_ids: "Any" }, [1, 2]],
      [{ approved_by_ids: "none" }, [3]],
      [{ "approved_by_ids[]": "1" }, [1, 2]],
      [{ approved_by_ids: `1,${developer.id}` }, [1]],
      [{ approved_by_ids: "999999" }, []],
      [{ approved_by_ids: "" }, [1, 2, 3]],
      [{ approved_by_usernames: "ROOT,listed-developer" }, [1]],
      [{ approved_by_usernames: "nobody-of-this-name" }, []],
      [{ approver_ids: `${developer.id}` }, [1]],
      [{ approver_ids: "None" }, [2, 3]],
      [{ approver_ids: "Any", approved_by_ids: "Any" }, [1]],
      [{ approved: "no" }, [1, 2, 3]]
    ]
    for (const [query, iids] of rows) expect([query, await found(id, query)]).toEqual([query, iids])
  })

  it("refuse wrong users, and more than five", async () => {
    const id = await newProject("approval-list-refusals")
    const rows: ReadonlyArray<readonly [query: Readonly<Record<string, string>>, error: string]> = [
      [{ approved_by_ids: "x" }, "approved_by_ids should be an array, 'None' or 'Any'"],
      [{ approver_ids: "None,1" }, "approver_ids should be an array, 'None' or 'Any'"],
      [{ approved_by_ids: "1,2,3,4,5,6" }, "approved_by_ids is too long (maximum is 5)"],
      [{ approver_ids: "1,2,3,4,5,6" }, "approver_ids is too long (maximum is 5)"],
      [{ approved_by_usernames: "a,b,c,d,e,f" }, "approved_by_usernames is too long (maximum is 5)"],
      [{ approved_by_ids: "1", approved_by_usernames: "root" }, "approved_by_ids, approved_by_usernames are mutually exclusive"],
      [{ approved: "maybe" }, "approved does not have a valid value"]
    ]
    for (const [query, error] of rows) {
      const { body, status } = await request("GET", pathOf(id), { query })
      expect([status, body]).toEqual([400, { error }])
    }
  })
})
