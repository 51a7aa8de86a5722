import { expect } from "vitest"
import { field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { levels, type Somebody } from "#test/support/people/everybody.ts"
import { type Received, type Sent, useService } from "#test/support/service.ts"

/** What a schedule needs; the time comes once in four years. */
export const complete = { description: "Nightly build", ref: "main", cron: "0 0 29 2 *" }

export const noSchedule = [404, { message: "404 Pipeline Schedule Not Found" }]

/** A person with a token and an id. */
export interface Person {
  readonly id: number
  readonly token: string
}

/** A running service, with projects that have commits on `main`. Without other settings there is no limit of schedules. */
export const useSchedules = (env: Readonly<Record<string, string>> = { SCHEDULES_PER_PROJECT: "0" }) => {
  const service = useService(env)
  const { request } = service
  const pathOf = (projectId: unknown, id?: unknown) =>
    `/projects/${projectId}/pipeline_schedules${id === undefined ? "" : `/${id}`}`
  const person = async (username: string): Promise<Person> => {
    const id = await createUser(service, username)
    return { id, token: (await issueTokenFor(service, id)).text }
  }
  return {
    service,
    pathOf,
    person,
    /** A project whose `main` has a commit with these files: its id. */
    newProject: async (name: string, settings: object = {}, files: Readonly<Record<string, string>> = { a: "a\n" }) => {
      const { body } = await request("POST", "/projects", { json: { name, ...settings } })
      const id = Number(field(body, "id") ?? expect.unreachable(JSON.stringify(body)))
      const actions = Object.entries(files).map(([file_path, content]) => ({ action: "create", file_path, content }))
      const json = { branch: "main", commit_message: "First", actions }
      await request("POST", `/projects/${id}/repository/commits`, { json })
      return id
    },
    /** A new user who is a member of the project. */
    member: async (projectId: number, role: Somebody, username: string): Promise<Person> => {
      const made = await person(username)
      const json = { user_id: made.id, access_level: levels[role] }
      await request("POST", `/projects/${projectId}/members`, { json })
      return made
    },
    add: (projectId: unknown, json: object = {}, sent: Sent = {}): Promise<Received> =>
      request("POST", pathOf(projectId), { json: { ...complete, ...json }, ...sent }),
    get: (projectId: unknown, id?: unknown, sent: Sent = {}): Promise<Received> => request("GET", pathOf(projectId, id), sent),
    put: (projectId: unknown, id: unknown, json: object, sent: Sent = {}): Promise<Received> =>
      request("PUT", pathOf(projectId, id), { json, ...sent }),
    remove: (projectId: unknown, id: unknown, sent: Sent = {}): Promise<Received> =>
      request("DELETE", pathOf(projectId, id), sent)
  }
}

export const idOf = ({ body }: Received): number => Number(field(body, "id"))
