import { type Person, useMergeRequests } from "#test/mergeRequests/useMergeRequests.ts"
import { field } from "#test/support/exactly.ts"
import type { Received, Sent } from "#test/support/service.ts"

/** A running service, with merge requests that are discussed. */
export const useNotes = () => {
  const requests = useMergeRequests()
  const { request } = requests.service
  const as = (person: Person | undefined): Sent => (person === undefined ? {} : { token: person.token })
  /** The path of notes or discussions of the first merge request of a project. */
  const at = (projectId: number, more: string): string => requests.pathOf(projectId, 1, more)
  return {
    ...requests,
    at,
    as,
    /** A public project with a merge request by the administrator: its id. */
    newRequest: async (name: string, settings: object = { visibility: "public" }): Promise<number> => {
      const id = await requests.newProject(name, settings)
      await requests.open(id)
      return id
    },
    note: (projectId: number, json: object, by?: Person): Promise<Received> =>
      request("POST", at(projectId, "/notes"), { json, ...as(by) }),
    discuss: (projectId: number, json: object, by?: Person): Promise<Received> =>
      request("POST", at(projectId, "/discussions"), { json, ...as(by) }),
    ask: (method: "DELETE" | "GET" | "POST" | "PUT", projectId: number, more: string, sent: Sent = {}): Promise<Received> =>
      request(method, at(projectId, more), sent)
  }
}

export const idOf = ({ body }: Pick<Received, "body">): string => String(field(body, "id"))
export const bodiesOf = ({ body }: Pick<Received, "body">): ReadonlyArray<unknown> =>
  (Array.isArray(body) ? body : []).map((note) => field(note, "body"))
