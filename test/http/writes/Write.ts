import { field } from "#test/support/exactly.ts"
import { createUser } from "#test/support/people/accounts.ts"
import type { Received, Sent, TestService } from "#test/support/service.ts"

/** A request that writes, and what its repeat must come to. */
export interface Write {
  readonly path: string
  readonly sent?: Sent
  /** Default: what the first run answered. */
  readonly repeated?: (first: Received) => readonly [status: number, body: unknown]
  /** Whether what the first run made still works after the repeat. */
  readonly works?: (first: Received) => Promise<unknown>
}

/** Writes by the names of their endpoints; each prepares what it needs. */
export type Writes = Readonly<Record<string, () => Promise<Write>>>

export const idOf = ({ body }: Received): number => Number(field(body, "id"))

let users = 0

/** What writes need: users, groups, projects, keys. */
export const makers = (service: TestService) => {
  const made = async (path: string, json: object) => idOf(await service.request("POST", path, { json }))
  return {
    newUser: () => createUser(service, `user-${users++}`),
    newGroup: (path: string, more: object = {}) => made("/groups", { name: path, path, ...more }),
    newProject: (path: string) => made("/projects", { name: path, path }),
    newKey: (path: string, { text }: { readonly text: string }) => made(path, { title: "laptop", key: text }),
    isShown: (path: string) => async (first: Received) => (await service.request("GET", `${path}/${idOf(first)}`)).status === 200
  }
}
