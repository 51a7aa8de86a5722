import { anyId, anyTime, field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { levels, type Somebody } from "#test/support/people/everybody.ts"
import { type Received, type Sent, useService } from "#test/support/service.ts"

export const noMilestone = [404, { message: "404 Not found" }]

/** How the failure of a write is told. */
export const failed = (verb: "create" | "update", faults: string) => [400, { message: `Failed to ${verb} milestone {${faults}}` }]
export const titleTaken = ':title=>["has already been taken"]'

/** The id of what was made. */
export const idOf = ({ body, status }: Received): number => {
  if (status !== 201) throw new Error(JSON.stringify(body))
  return Number(field(body, "id"))
}

/** A milestone that was made with nothing but a title, in the order of the reference. */
export const shapeOf = (place: string, iid: number, webUrl: string) => {
  const [kind, id] = place.split("/")
  return {
    id: anyId,
    iid,
    [kind === "projects" ? "project_id" : "group_id"]: Number(id),
    title: "1.0",
    description: null,
    state: "active",
    created_at: anyTime,
    updated_at: anyTime,
    due_date: null,
    start_date: null,
    expired: false,
    web_url: `${webUrl}/-/milestones/${iid}`
  }
}

let made = 0

/** A running service, and short ways to milestones. A place is `projects/7` or `groups/7`. */
export const useMilestones = () => {
  const service = useService()
  const { request } = service
  const create = async (path: string, json: object) => idOf(await request("POST", path, { json }))
  const pathOf = (place: string, id?: unknown) => `/${place}/milestones${id === undefined ? "" : `/${id}`}`
  return {
    service,
    newGroup: async (more: object = {}) => {
      const path = `group-${made++}`
      return create("/groups", { name: path, path, ...more })
    },
    newProject: (more: object = {}) => create("/projects", { name: `project-${made++}`, ...more }),
    /** The token of a new user who is a member of the place. */
    newMember: async (place: string, role: Somebody) => {
      const user_id = await createUser(service, `${role}-${made++}`)
      await create(`/${place}/members`, { user_id, access_level: levels[role] })
      return (await issueTokenFor(service, user_id)).text
    },
    add: (place: string, json: object = {}, sent: Sent = {}): Promise<Received> =>
      request("POST", pathOf(place), { json: { title: "1.0", ...json }, ...sent }),
    get: (place: string, id?: unknown, sent: Sent = {}): Promise<Received> => request("GET", pathOf(place, id), sent),
    put: (place: string, id: unknown, json: object, sent: Sent = {}): Promise<Received> =>
      request("PUT", pathOf(place, id), { json, ...sent }),
    remove: (place: string, id: unknown, sent: Sent = {}): Promise<Received> => request("DELETE", pathOf(place, id), sent),
    /** The titles in a list. */
    titlesIn: async (place: string, query: Readonly<Record<string, string>> = {}) => {
      const { body } = await request("GET", pathOf(place), { query })
      return Array.isArray(body) ? body.map((milestone) => field(milestone, "title")) : body
    }
  }
}
