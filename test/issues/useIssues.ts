import { anyId, anyTime, field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { levels, type Somebody } from "#test/support/people/everybody.ts"
import { type Received, type Sent, useService } from "#test/support/service.ts"

export const noIssue = [404, { message: "404 Not found" }]

/** A person with a token and an id. */
export interface Person {
  readonly id: number
  readonly token: string
}

export const iidOf = ({ body, status }: Received): number => {
  if (status !== 201) throw new Error(JSON.stringify(body))
  return Number(field(body, "iid"))
}

const root = (url: string) => ({
  id: 1,
  username: "root",
  name: "Administrator",
  state: "active",
  locked: false,
  avatar_url: null,
  web_url: `${url}/root`
})

/** What others show of an issue that was opened by root with nothing but a title, in the order of the reference. */
export const basicShape = (url: string, projectId: number, { iid, path }: { readonly iid: number; readonly path: string }) => ({
  id: anyId,
  iid,
  project_id: projectId,
  title: "Uploads fail",
  description: null,
  state: "opened",
  created_at: anyTime,
  updated_at: anyTime,
  closed_at: null,
  closed_by: null,
  labels: [],
  milestone: null,
  assignees: [],
  author: root(url),
  type: "ISSUE",
  assignee: null,
  user_notes_count: 0,
  merge_requests_count: 0,
  upvotes: 0,
  downvotes: 0,
  due_date: null,
  confidential: false,
  discussion_locked: null,
  issue_type: "issue",
  web_url: `${url}/${path}/-/issues/${iid}`,
  time_stats: { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null },
  task_completion_status: { count: 0, completed_count: 0 },
  blocking_issues_count: 0
})

/** The same in a list. */
export const listedShape = (url: string, projectId: number, at: { readonly iid: number; readonly path: string }) => {
  const self = `${url}/api/v4/projects/${projectId}/issues/${at.iid}`
  return {
    ...basicShape(url, projectId, at),
    has_tasks: false,
    _links: {
      self,
      notes: `${self}/notes`,
      award_emoji: `${self}/award_emoji`,
      project: `${url}/api/v4/projects/${projectId}`,
      closed_as_duplicate_of: null
    },
    references: { short: `#${at.iid}`, relative: `#${at.iid}`, full: `${at.path}#${at.iid}` },
    severity: "UNKNOWN",
    moved_to_id: null,
    imported: false,
    imported_from: "none",
    service_desk_reply_to: null
  }
}

let made = 0

/** A running service, and short ways to issues. */
export const useIssues = () => {
  const service = useService()
  const { request } = service
  const create = async (path: string, json: object): Promise<number> => {
    const { body, status } = await request("POST", path, { json })
    if (status !== 201) throw new Error(JSON.stringify(body))
    return Number(field(body, "id"))
  }
  const pathOf = (projectId: unknown, iid?: unknown) => `/projects/${projectId}/issues${iid === undefined ? "" : `/${iid}`}`
  const person = async (name = "person"): Promise<Person> => {
    const id = await createUser(service, `${name}-${made++}`)
    return { id, token: (await issueTokenFor(service, id)).text }
  }
  return {
    service,
    create,
    pathOf,
    person,
    newGroup: async (more: object = {}) => {
      const path = `group-${made++}`
      return create("/groups", { name: path, path, ...more })
    },
    newProject: (more: object = {}) => create("/projects", { name: `project-${made++}`, ...more }),
    /** A new user who is a member of the place, such as `projects/7`. */
    member: async (place: string, role: Somebody): Promise<Person> => {
      const somebody = await person(role)
      await create(`/${place}/members`, { user_id: somebody.id, access_level: levels[role] })
      return somebody
    },
    add: (projectId: unknown, json: object = {}, sent: Sent = {}): Promise<Received> =>
      request("POST", pathOf(projectId), { json: { title: "Uploads fail", ...json }, ...sent }),
    get: (projectId: unknown, iid?: unknown, sent: Sent = {}): Promise<Received> => request("GET", pathOf(projectId, iid), sent),
    put: (projectId: unknown, iid: unknown, json: object, sent: Sent = {}): Promise<Received> =>
      request("PUT", pathOf(projectId, iid), { json, ...sent }),
    remove: (projectId: unknown, iid: unknown, sent: Sent = {}): Promise<Received> =>
      request("DELETE", pathOf(projectId, iid), sent),
    /** The titles in a list. */
    titlesIn: async (path: string, sent: Sent = {}) => {
      const { body } = await request("GET", path, sent)
      return Array.isArray(body) ? body.map((issue) => field(issue, "title")) : body
    }
  }
}
