import fc from "fast-check"
import { expect } from "vitest"
import { awardCodec } from "#src/awardEmoji/events.ts"
import { awardsStream } from "#src/awardEmoji/ids.ts"
import { LabelEvent, labelCodec } from "#src/labels/events.ts"
import { labelStream } from "#src/labels/ids.ts"
import { MilestoneEvent, milestoneCodec } from "#src/milestones/events.ts"
import { milestoneStream } from "#src/milestones/ids.ts"
import { field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { levels, type Somebody } from "#test/support/people/everybody.ts"
import { rootToken, type TestService } from "#test/support/service.ts"
import { append, tell } from "./append.ts"
import { awardsOf, beginningOf, drawOf, endOf, type Label, type Milestone, type SampledRequest } from "./sample.ts"

/** Who asks for lists. Members are those of the group `org`; the external user sees public projects alone. */
export const callers = ["administrator", "developer", "reporter", "guest", "outsider", "external", "anonymous"] as const
export type Caller = (typeof callers)[number]

const signedIn: ReadonlyArray<Caller> = ["administrator", "developer", "reporter", "guest", "outsider"]
const team: ReadonlyArray<Caller> = ["administrator", "developer", "reporter"]

interface Place {
  readonly path: string
  readonly group: "org" | "sub" | "other" | undefined
  readonly settings: object
  readonly isArchived?: true
  /** Who sees the merge requests. */
  readonly shownTo: ReadonlyArray<Caller>
}

/** The kinds of projects, as far as lists tell them apart. */
const places: ReadonlyArray<Place> = [
  { path: "open", group: "org", settings: { visibility: "public" }, shownTo: callers },
  { path: "internal", group: "org", settings: { visibility: "internal" }, shownTo: signedIn },
  { path: "private", group: "org", settings: {}, shownTo: team },
  { path: "deep", group: "sub", settings: {}, shownTo: team },
  { path: "team", group: "org", settings: { visibility: "public", merge_requests_access_level: "private" }, shownTo: team },
  {
    path: "code",
    group: "org",
    settings: { visibility: "public", repository_access_level: "private", merge_requests_access_level: "private" },
    shownTo: team
  },
  {
    path: "off",
    group: "org",
    settings: { visibility: "public", merge_requests_access_level: "disabled" },
    shownTo: ["administrator"]
  },
  { path: "past", group: "org", settings: { visibility: "public" }, isArchived: true, shownTo: callers },
  { path: "other", group: "other", settings: { visibility: "public" }, shownTo: callers },
  { path: "own", group: undefined, settings: {}, shownTo: ["administrator"] }
]

export interface ListedProject extends Place {
  readonly id: number
  readonly labels: ReadonlyArray<Label>
  readonly milestones: ReadonlyArray<Milestone>
}

/** The labels of each project: some share a priority, within a project and between projects. */
const labels: ReadonlyArray<Omit<Label, "id">> = [
  { title: "urgent", priority: 1 },
  { title: "bug", priority: 3 },
  { title: "Bug", priority: 3 },
  { title: "idle", priority: null },
  { title: "gone", priority: 0, isGone: true }
]

const milestones: ReadonlyArray<Omit<Milestone, "id">> = [
  { title: "first", dueDate: "2026-02-01" },
  { title: "second", dueDate: "2026-10-30" },
  { title: "undated", dueDate: null },
  { title: "gone", dueDate: "2020-01-01", isGone: true }
]

/** Adds labels and milestones to a project, of which every other one has other priorities and dates. */
const makeLabeling = async ({ request }: TestService, id: number) => {
  const made = { labels: [] as Label[], milestones: [] as Milestone[] }
  for (const each of labels) {
    const label = { ...each, priority: each.priority === null ? null : each.priority + (id % 2) }
    const json = { name: label.title, color: "#123456", priority: label.priority }
    made.labels.push({ ...label, id: idOf(await request("POST", `/projects/${id}/labels`, { json })) })
  }
  for (const each of milestones) {
    const milestone = { ...each, dueDate: each.title === "second" && id % 2 === 1 ? "2026-12-31" : each.dueDate }
    const json = { title: milestone.title, due_date: milestone.dueDate }
    made.milestones.push({ ...milestone, id: idOf(await request("POST", `/projects/${id}/milestones`, { json })) })
  }
  return made
}

export interface Person {
  readonly id: number
  readonly username: string
}

/** All that lists can show, told beside the read model. */
export interface World {
  readonly requests: ReadonlyArray<SampledRequest>
  readonly projects: ReadonlyArray<ListedProject>
  readonly people: ReadonlyArray<Person>
  readonly groups: Readonly<Record<"org" | "sub" | "other", number>>
  readonly tokenOf: (caller: Caller) => string | null
  readonly userIdOf: (caller: Caller) => number | undefined
}

/** More than lists look at in their order before they sort all that fit, and not a multiple of the step of the ids. */
const requestCount = 620

const idOf = ({ body, status }: { readonly body: unknown; readonly status: number }): number =>
  status === 201 ? Number(field(body, "id")) : expect.unreachable(JSON.stringify(body))

const makePeople = async (service: TestService) => {
  const made = new Map<Caller, { readonly id: number; readonly token: string }>()
  for (const username of ["developer", "reporter", "guest", "outsider", "external"] as const) {
    const id = await createUser(service, username, { external: username === "external" })
    made.set(username, { id, token: (await issueTokenFor(service, id)).text })
  }
  return made
}

const makeGroups = async ({ request }: TestService) => {
  const group = async (path: string, more: object) =>
    idOf(await request("POST", "/groups", { json: { name: path, path, ...more } }))
  const org = await group("org", { visibility: "public" })
  return { org, sub: await group("sub", { parent_id: org }), other: await group("other", { visibility: "public" }) }
}

const labelDeleted = LabelEvent.cases.LabelDeleted.make({})
const milestoneDeleted = MilestoneEvent.cases.MilestoneDeleted.make({})

/** Makes users, groups and projects, and random merge requests in them, of which the log is told. */
export const makeWorld = async (service: TestService): Promise<World> => {
  const { request } = service
  const users = await makePeople(service)
  const groups = await makeGroups(service)
  const member = async (role: Somebody, caller: Caller) =>
    request("POST", `/groups/${groups.org}/members`, { json: { user_id: users.get(caller)?.id, access_level: levels[role] } })
  await member("developer", "developer")
  await member("reporter", "reporter")
  await member("guest", "guest")
  const projects: Array<ListedProject> = []
  for (const place of places) {
    const { group, isArchived, path, settings } = place
    const json = { name: path, path, ...settings, ...(group && { namespace_id: groups[group] }) }
    const id = idOf(await request("POST", "/projects", { json }))
    const labeling = await makeLabeling(service, id)
    if (isArchived) await request("POST", `/projects/${id}/archive`)
    projects.push({ ...place, id, ...labeling })
  }
  const people: ReadonlyArray<Person> = [
    { id: 1, username: "root" },
    ...Array.from(users, ([username, { id }]) => ({ id, username }))
  ]
  const requests = await makeRequests(service, projects, people)
  for (const { labels, milestones } of projects) {
    for (const { id, isGone } of labels) if (isGone) await tell(service, labelStream(id), labelCodec, [labelDeleted])
    for (const { id, isGone } of milestones)
      if (isGone) await tell(service, milestoneStream(id), milestoneCodec, [milestoneDeleted])
  }
  return {
    requests,
    projects,
    people,
    groups,
    tokenOf: (caller) => (caller === "administrator" ? rootToken : (users.get(caller)?.token ?? null)),
    userIdOf: (caller) => (caller === "administrator" ? 1 : users.get(caller)?.id)
  }
}

const makeRequests = async (
  service: TestService,
  projects: ReadonlyArray<ListedProject>,
  people: ReadonlyArray<Person>
): Promise<ReadonlyArray<SampledRequest>> => {
  const seed = Number(process.env.PROPERTY_SEED ?? 1)
  const counts = { projects: projects.length, people: people.length, labels: labels.length, milestones: milestones.length }
  const draws = fc.sample(drawOf(counts), { numRuns: requestCount, seed })
  const idAt = (list: ReadonlyArray<{ readonly id: number }>, place: number) => list[place]?.id ?? Number.NaN
  const iids = new Map<number, number>()
  const told: Array<SampledRequest> = []
  for (const [index, draw] of draws.entries()) {
    const { approvers, assignees, author, merger, project, reviewers, source, ...rest } = draw
    const place = projects[project] ?? expect.unreachable()
    const iid = (iids.get(place.id) ?? 0) + 1
    iids.set(place.id, iid)
    const made = {
      ...rest,
      // Ids are not in the order of time.
      id: ((index * 97) % requestCount) + 1000,
      iid,
      projectId: place.id,
      labels: place.labels.filter((_, index) => draw.labels.includes(index)),
      milestone: draw.milestone === null ? null : (place.milestones[draw.milestone] ?? null),
      sourceProjectId: idAt(projects, source),
      authorId: idAt(people, author),
      assigneeIds: assignees.map((place) => idAt(people, place)),
      reviewerIds: reviewers.map((place) => idAt(people, place)),
      approvedByIds: approvers.map((place) => idAt(people, place)),
      mergedById: draw.fate === "merged" ? idAt(people, merger) : null
    }
    const { first } = await append(service, made, beginningOf(made))
    await tell(service, awardsStream({ type: "MergeRequest", id: made.id }), awardCodec, awardsOf(made))
    told.push({ ...made, createdAt: first, updatedAt: first, mergedAt: null })
  }
  const ended: Array<SampledRequest> = []
  for (const each of told.toSorted((one, other) => one.id - other.id)) {
    const { last } = await append(service, each, endOf(each))
    ended.push({
      ...each,
      labels: each.labels.filter(({ isGone }) => !isGone),
      milestone: each.milestone?.isGone ? null : each.milestone,
      updatedAt: each.fate === "opened" ? each.createdAt : last,
      mergedAt: each.fate === "merged" ? last : null
    })
  }
  return ended
}
