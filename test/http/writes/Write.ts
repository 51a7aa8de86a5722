import { generateKeyPairSync } from "node:crypto"
import { field } from "#test/support/exactly.ts"
import { createUser } from "#test/support/people/accounts.ts"
import type { Received, Sent, TestService } from "#test/support/service.ts"

/** A request that writes, and what its repeat must come to. */
export interface Write {
  readonly path: string
  readonly sent?: Sent
  /** Default: what the first run answered. */
  readonly repeated?: (first: Received) => readonly [status: number, body: unknown]
  /** What a repeat may come to as well, after a run that was killed in the middle. */
  readonly interrupted?: (first: Received) => Pick<Received, "status" | "body">
  /** Whether what the first run made still works after the repeat. */
  readonly works?: (first: Received) => Promise<unknown>
}

/** Writes by the names of their endpoints; each prepares what it needs. */
export type Writes = Readonly<Record<string, () => Promise<Write>>>

export const idOf = ({ body }: Received): number => Number(field(body, "id"))

let users = 0

/** The text of a public key that nobody has. */
export const newKeyText = (): string => {
  const { publicKey } = generateKeyPairSync("ed25519")
  const { x = "" } = publicKey.export({ format: "jwk" })
  const fields = [Buffer.from("ssh-ed25519"), Buffer.from(x, "base64url")].flatMap((bytes) => [
    Buffer.of(0, 0, 0, bytes.length),
    bytes
  ])
  return `ssh-ed25519 ${Buffer.concat(fields).toString("base64")}`
}

/** What writes need: users, groups, projects, keys. Of one `run` all names are its own. */
export const makers = (service: TestService, run: number) => {
  const made = async (path: string, json: object) => idOf(await service.request("POST", path, { json }))
  const named = (text: string): string => `${text}-${run}`
  return {
    named,
    newUser: () => createUser(service, `user-${users++}`),
    newGroup: (text: string, more: object = {}) => made("/groups", { name: named(text), path: named(text), ...more }),
    newProject: (text: string) => made("/projects", { name: named(text), path: named(text) }),
    newKey: (path: string) => made(path, { title: "laptop", key: newKeyText() }),
    isShown: (path: string) => async (first: Received) => (await service.request("GET", `${path}/${idOf(first)}`)).status === 200
  }
}
