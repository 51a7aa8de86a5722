import { Clock, Effect } from "effect"
import { beforeAll } from "vitest"
import { groupAggregate } from "#src/groups/aggregate.ts"
import { handle } from "#src/platform/Commands.ts"
import { Projections } from "#src/platform/Projections.ts"
import { field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { everybody, levels, type Somebody } from "#test/support/people/everybody.ts"
import { type Received, type Sent, useService } from "#test/support/service.ts"

export const idOf = ({ body, status }: Received): number => {
  if (status !== 201) throw new Error(JSON.stringify(body))
  return Number(field(body, "id"))
}

/** A running service with users, and short ways to its groups. */
export const useGroups = () => {
  const service = useService()
  const ids = new Map<Somebody, number>()
  const tokens = new Map<Somebody, string | null>([["anonymous", null]])
  let made = 0

  const makePerson = async (person: Somebody, attributes: object = {}) => {
    const id = await createUser(service, person, { ...attributes })
    ids.set(person, id)
    tokens.set(person, (await issueTokenFor(service, id)).text)
  }
  beforeAll(async () => {
    for (const person of everybody) {
      if (person === "external") await makePerson(person, { external: true })
      else if (person === "administrator") await makePerson(person, { admin: true })
      else if (person !== "anonymous") await makePerson(person)
    }
  })

  const userId = (person: Somebody): number => ids.get(person) ?? 0
  const as = (person: Somebody, sent: Sent = {}): Sent => ({ ...sent, token: tokens.get(person) ?? null })
  const create = async (path: string, more: object = {}): Promise<number> =>
    idOf(await service.request("POST", "/groups", { json: { name: path, path, ...more } }))
  const join = async (group: number, user: number, access_level: number): Promise<void> => {
    idOf(await service.request("POST", `/groups/${group}/members`, { json: { user_id: user, access_level } }))
  }
  return {
    service,
    userId,
    /** The request of a person. */
    as,
    /** A path that no group has yet. */
    newPath: (): string => `group-${made++}`,
    /** Creates a group as root. */
    create,
    /** Creates a group in which everybody who has a role has it. */
    createWithMembers: async (path: string, more: object = {}): Promise<number> => {
      const id = await create(path, more)
      for (const person of everybody) {
        const level = levels[person]
        if (level !== undefined) await join(id, userId(person), level)
      }
      return id
    },
    join,
    /** Adds a member beside the interface, which refuses dates in the past. */
    joinUntil: (group: number, user: number, accessLevel: number, expiresAt: string): Promise<void> =>
      service.run(
        Effect.gen(function* () {
          const today = new Date(yield* Clock.currentTimeMillis).toISOString().slice(0, 10)
          const command = { _tag: "AddMember", userId: user, accessLevel, expiresAt, addedBy: 1, today, actingLevel: 50 } as const
          const { position } = yield* handle(groupAggregate, group, command)
          yield* Projections.use((projections) => projections.awaitPosition(position))
        })
      )
  }
}
