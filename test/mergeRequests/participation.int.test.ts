import { describe, expect, it } from "vitest"
import { anyTime, field, picked } from "#test/support/exactly.ts"
import type { Received, Sent } from "#test/support/service.ts"
import { useMergeRequests } from "./useMergeRequests.ts"

const { get, member, newProject, open, pathOf, person, put, remove, service } = useMergeRequests()
const { request } = service

const part = (project: number, what: string, sent: Sent = {}) => request("GET", pathOf(project, 1, `/${what}`), sent)
const sets = (project: number, verb: "subscribe" | "unsubscribe", token?: string): Promise<Received> =>
  request("POST", pathOf(project, 1, `/${verb}`), { token })
const names = ({ body }: Received) => [body].flat().map((user) => field(user, "username"))

describe("who takes part", () => {
  it("is its author, who works on it and who reviews it, each once", async () => {
    const project = await newProject("participants")
    const [first, second] = [await member(project, "developer", "part-one"), await member(project, "reporter", "part-two")]
    await open(project, { assignee_ids: [second.id, 1], reviewer_ids: [first.id, second.id] })
    expect(names(await part(project, "participants"))).toEqual(["root", "part-two", "part-one"])
    const paged = await part(project, "participants", { query: { per_page: "1", page: "3" } })
    expect([names(paged), paged.headers.get("x-total")]).toEqual([["part-one"], "3"])
    const { body } = await part(project, "participants")
    expect([body].flat()[0]).toEqual(field((await get(project, 1)).body, "author"))
    expect((await request("GET", pathOf(project, 9, "/participants"))).status).toBe(404)
  })

  it("is also who comments on it", async () => {
    const project = await newProject("commented", { visibility: "public" })
    const [talker, silent] = [await person("part-talker"), await person("part-silent")]
    await open(project)
    await request("POST", pathOf(project, 1, "/notes"), { json: { body: "Why?" }, token: talker.token })
    expect(names(await part(project, "participants"))).toEqual(["root", "part-talker"])
    const isSubscribed = async ({ token }: typeof talker) => field((await get(project, 1, { token })).body, "subscribed")
    expect([await isSubscribed(talker), await isSubscribed(silent)]).toEqual([true, false])
  })

  it("has approved it, or not yet", async () => {
    const project = await newProject("review-states")
    const reviewer = await member(project, "developer", "review-approver")
    await open(project, { reviewer_ids: [reviewer.id] })
    const states = async () => [(await part(project, "reviewers")).body].flat().map((one) => field(one, "state"))
    expect(await states()).toEqual(["unreviewed"])
    await request("POST", pathOf(project, 1, "/approve"), { token: reviewer.token })
    expect(await states()).toEqual(["approved"])
  })

  it("reviews it since they were asked to, also when others come and go", async () => {
    const project = await newProject("reviewers")
    const [first, second] = [await member(project, "developer", "review-one"), await member(project, "developer", "review-two")]
    await open(project, { reviewer_ids: [first.id] })
    const [before] = [(await part(project, "reviewers")).body].flat()
    expect(before).toEqual({
      user: [field((await get(project, 1)).body, "reviewers")].flat()[0],
      state: "unreviewed",
      created_at: anyTime
    })
    await put(project, 1, { reviewer_ids: [second.id, first.id] })
    const [newer, older] = [(await part(project, "reviewers")).body].flat()
    expect([field(field(newer, "user"), "id"), older]).toEqual([second.id, before])
    await put(project, 1, { reviewer_ids: [second.id] })
    expect((await part(project, "reviewers")).body).toEqual([newer])
    await put(project, 1, { reviewer_ids: [first.id] })
    const [again] = [(await part(project, "reviewers")).body].flat()
    expect(String(field(again, "created_at")) > String(field(before, "created_at"))).toBe(true)
    await put(project, 1, { reviewer_ids: 0 })
    expect((await part(project, "reviewers")).body).toEqual([])
  })
})

describe("subscriptions", () => {
  it("follow from taking part, until somebody says otherwise", async () => {
    const project = await newProject("subscribed")
    const other = await member(project, "developer", "subscriber")
    await open(project)
    const isSubscribed = async (token?: string) => field((await get(project, 1, { token })).body, "subscribed")
    expect([await isSubscribed(), await isSubscribed(other.token)]).toEqual([true, false])
    expect(await sets(project, "subscribe")).toMatchObject({ status: 304, body: undefined })
    const left = await sets(project, "unsubscribe")
    expect([left.status, field(left.body, "subscribed")]).toEqual([201, false])
    expect((await sets(project, "unsubscribe")).status).toBe(304)
    expect(await isSubscribed()).toBe(false)
    expect((await sets(project, "unsubscribe", other.token)).status).toBe(304)
    const came = await sets(project, "subscribe", other.token)
    expect([came.status, { ...Object(came.body), first_contribution: true }]).toEqual([
      201,
      (await get(project, 1, { token: other.token })).body
    ])
    expect([(await sets(project, "subscribe", other.token)).status, await isSubscribed(other.token)]).toEqual([304, true])
    const updated = picked((await get(project, 1)).body, "updated_at", "created_at")
    expect(field(updated, "updated_at")).toBe(field(updated, "created_at"))
    await put(project, 1, { assignee_id: other.id })
    await sets(project, "unsubscribe", other.token)
    expect(await isSubscribed(other.token)).toBe(false)
  })

  it("are for those who may change it", async () => {
    const project = await newProject("subscribers", { visibility: "public" })
    const [outsider, reporter] = [await person("outside-subscriber"), await member(project, "reporter", "reporting-subscriber")]
    await open(project)
    expect((await sets(project, "subscribe", outsider.token)).status).toBe(403)
    expect((await sets(project, "subscribe", reporter.token)).status).toBe(403)
    await put(project, 1, { assignee_id: reporter.id })
    expect((await sets(project, "subscribe", reporter.token)).status).toBe(304)
  })

  it("of sixteen requests at once begin once", async () => {
    const project = await newProject("raced-subscriptions")
    const other = await member(project, "developer", "raced-subscriber")
    await open(project)
    const answers = await Promise.all(Array.from({ length: 16 }, () => sets(project, "subscribe", other.token)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  })

  it("go with the merge request", async () => {
    const project = await newProject("forgotten-subscriptions")
    await open(project)
    await sets(project, "unsubscribe")
    await remove(project, 1)
    expect((await sets(project, "subscribe")).status).toBe(404)
  })
})

it("two hundred people are looked up at once", async () => {
  const project = await newProject("crowded")
  const ids = [1, ...Array.from({ length: 198 }, (_, index) => 10_000 + index)]
  const before = service.statements.length
  const { body } = await open(project, { assignee_ids: ids, reviewer_ids: ids })
  expect(service.statements.slice(before).filter((text) => text.includes("rm_users.users")).length).toBeLessThan(20)
  expect([field(body, "assignees"), field(body, "reviewers")].map((users) => [users].flat().length)).toEqual([1, 1])
})
