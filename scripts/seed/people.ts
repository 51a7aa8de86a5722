import { type Client, idOf, makeClient } from "./client.ts"

/** A user of the world, who does things with their own token. */
export interface Person extends Client {
  readonly id: number
  readonly username: string
  readonly role: Role["role"]
}

const levels = { developer: 30, maintainer: 40 } as const

/** Who works in the world, with what they may do in its group. */
export const cast = [
  { username: "ada", name: "Ada Byron", role: "maintainer" },
  { username: "grace", name: "Grace Hopper", role: "maintainer" },
  { username: "alan", name: "Alan Turing", role: "developer" },
  { username: "barbara", name: "Barbara Liskov", role: "developer" },
  { username: "edsger", name: "Edsger Dijkstra", role: "developer" },
  { username: "margaret", name: "Margaret Hamilton", role: "developer" }
] as const

export type Role = (typeof cast)[number]

/** Makes a user who is a member of the group, and a token for them. */
export const makePerson = async (url: string, root: Client, groupId: number, { name, role, username }: Role): Promise<Person> => {
  const account = { username, name, email: `${username}@example.com`, force_random_password: true, skip_confirmation: true }
  const id = idOf(await root.send("POST", "/users", account))
  const { token } = await root.send("POST", `/users/${id}/personal_access_tokens`, { name: "seed", scopes: ["api"] })
  await root.send("POST", `/groups/${groupId}/members`, { user_id: id, access_level: levels[role] })
  return { id, username, role, ...makeClient(url, String(token)) }
}
