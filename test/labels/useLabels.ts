import { anyId, field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { levels, type Somebody } from "#test/support/people/everybody.ts"
import { type Received, type Sent, useService } from "#test/support/service.ts"

/** What a label needs. */
export const complete = { name: "bug", color: "#D9534F" }

export const noLabel = [404, { message: "404 Label Not Found" }]
export const titleTaken = [409, { message: "Label already exists" }]

const details = {
  id: anyId,
  name: "bug",
  description: null,
  description_html: null,
  text_color: "#FFFFFF",
  color: "#D9534F"
}

/** A label of a group that was made with nothing but what is required, in the order of the reference. */
export const ofGroup = { ...details, subscribed: false }
/** The same of a project. */
export const ofProject = { ...ofGroup, priority: null, is_project_label: true }

/** The id of what was made. */
export const idOf = ({ body, status }: Received): number => {
  if (status !== 201) throw new Error(JSON.stringify(body))
  return Number(field(body, "id"))
}

let made = 0

/** A running service, and short ways to labels. A place is `projects/7` or `groups/7`. */
export const useLabels = () => {
  const service = useService()
  const { request } = service
  const create = async (path: string, json: object) => idOf(await request("POST", path, { json }))
  const pathOf = (place: string, name?: unknown) =>
    `/${place}/labels${name === undefined ? "" : `/${encodeURIComponent(String(name))}`}`
  return {
    service,
    newGroup: async (more: object = {}) => {
      const path = `group-${made++}`
      return create("/groups", { name: path, path, ...more })
    },
    newProject: (more: object = {}) => create("/projects", { name: `project-${made++}`, ...more }),
    /** The token of a new user who is a member of the place, if they have a role. */
    newPerson: async (place: string, role: Somebody) => {
      const user_id = await createUser(service, `${role}-${made++}`)
      if (levels[role] !== undefined) await create(`/${place}/members`, { user_id, access_level: levels[role] })
      return (await issueTokenFor(service, user_id)).text
    },
    add: (place: string, json: object = {}, sent: Sent = {}): Promise<Received> =>
      request("POST", pathOf(place), { json: { ...complete, ...json }, ...sent }),
    get: (place: string, name?: unknown, sent: Sent = {}): Promise<Received> => request("GET", pathOf(place, name), sent),
    put: (place: string, name: unknown, json: object, sent: Sent = {}): Promise<Received> =>
      request("PUT", pathOf(place, name), { json, ...sent }),
    remove: (place: string, name: unknown, sent: Sent = {}): Promise<Received> => request("DELETE", pathOf(place, name), sent),
    /** The names in a list. */
    namesIn: async (place: string, query: Readonly<Record<string, string>> = {}) => {
      const { body } = await request("GET", pathOf(place), { query })
      return Array.isArray(body) ? body.map((label) => field(label, "name")) : body
    }
  }
}
