import { Effect } from "effect"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import type { Fields } from "#test/support/requests/requestForms.ts"
import { type Interceptors, type Received, type Sent, useService } from "#test/support/service.ts"

export const externalUrl = "https://forge.example.com"

export const idOf = ({ body, status }: Received): number => {
  if (status > 299) throw new Error(JSON.stringify(body))
  return Number(field(body, "id"))
}

/** A running service, and short ways to its projects. */
export const useProjects = (env: Readonly<Record<string, string>> = {}, interceptors?: Interceptors) => {
  const service = useService({ EXTERNAL_URL: externalUrl, ...env }, interceptors)
  const create = (sent: Sent): Promise<Received> => service.request("POST", "/projects", sent)
  const newGroup = async (path: string, more: Readonly<Record<string, unknown>> = {}): Promise<number> =>
    idOf(await service.request("POST", "/groups", { json: { name: path, path, ...more } }))
  return {
    service,
    create,
    /** A new project of root, or of whoever has the token; answers its id. */
    newProject: async (path: string, fields: Fields = {}, token?: string): Promise<number> =>
      idOf(await create({ json: { name: path, path, ...fields }, token })),
    newGroup,
    newUser: async (username: string, attributes: Readonly<Record<string, unknown>> = {}) => {
      const id = await createUser(service, username, attributes)
      return { id, token: (await issueTokenFor(service, id)).text }
    },
    addMember: (thing: string, userId: number, level: number) =>
      service.request("POST", `${thing}/members`, { json: { user_id: userId, access_level: level } }),
    read: (id: number | string, sent?: Sent) => service.request("GET", `/projects/${id}`, sent),
    put: (id: number | string, sent: Sent) => service.request("PUT", `/projects/${id}`, sent),
    remove: (id: number | string, sent?: Sent) => service.request("DELETE", `/projects/${id}`, sent),
    eventTypes: (id: number) =>
      service.run(
        Effect.map(
          EventStore.use((store) => store.read(`project-${id}`)),
          (events) => events.map(({ type }) => type)
        )
      )
  }
}
