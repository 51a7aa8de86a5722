import { defaultAttributes } from "#src/groups/attributes.ts"
import { GroupEvent, groupCodec } from "#src/groups/events.ts"
import { pathName } from "#src/groups/Groups.ts"
import { groupStream } from "#src/groups/ids.ts"
import type { Visibility } from "#src/kernel/visibility.ts"
import type { Random } from "../random.ts"
import { numbers, type Story, story } from "./Story.ts"
import { users } from "./users.ts"

/** The ids of groups come after the namespaces of the users. */
export const groups = { first: users.first + users.count, count: 500 }

export interface Group {
  readonly id: number
  readonly parentId: number | null
  readonly path: string
  readonly visibility: Visibility
  readonly ownerId: number
}

export const anyUser = (random: Random): number => users.first + random.below(users.count)

/** What is not more visible than that around it. */
export const visibilityIn = (around: Visibility, random: Random): Visibility => {
  if (around === "private") return around
  const requested = random.oneOf("private", "internal", "public", "public")
  return around === "internal" && requested === "public" ? around : requested
}

/** Two in five groups are at the top, as many below those, the others one level deeper. */
export const makeGroups = (random: Random): ReadonlyArray<Group> => {
  const [top, middle] = [groups.count * 0.4, groups.count * 0.8]
  const made: Array<Group> = []
  for (let index = 0; index < groups.count; index++) {
    const parent = index < top ? undefined : made[index < middle ? random.below(top) : top + random.below(middle - top)]
    made.push({
      id: groups.first + index,
      parentId: parent?.id ?? null,
      path: `${random.oneOf("platform", "research", "tools", "mobile", "data", "infra")}-${index}`,
      visibility: visibilityIn(parent?.visibility ?? random.oneOf("public", "internal", "private"), random),
      ownerId: anyUser(random)
    })
  }
  return made
}

const levels = [10, 20, 30, 30, 30, 40] as const

/** Makes this many members beside the owner; some memberships have an end, and some have ended. */
export const membersOf = (ownerId: number, count: number, random: Random) =>
  random
    .different(count, users.first, users.first + users.count)
    .filter((userId) => userId !== ownerId)
    .map((userId) => {
      const expiresAt = random.isAmong(0.1) ? random.oneOf("2099-12-31", "2020-01-01") : null
      return { _tag: "MemberAdded" as const, userId, accessLevel: random.oneOf(...levels), expiresAt, addedBy: ownerId }
    })

export const shared = (id: number, groupId: number) => ({
  _tag: "SharedWithGroup" as const,
  id,
  groupId,
  accessLevel: 30,
  expiresAt: null
})

export const groupStories = (made: ReadonlyArray<Group>, random: Random): ReadonlyArray<Story> => {
  const sharedWith = new Map(numbers(0, 20).map((index) => [groups.first + index * 7, index + 1]))
  return made.map(({ id, ownerId, parentId, path, visibility }) => {
    const name = path.replace("-", " ")
    const description = random.isAmong(0.6) ? `Everything about ${name}, and what belongs to it.` : ""
    const shareId = sharedWith.get(id)
    const events: ReadonlyArray<GroupEvent> = [
      GroupEvent.cases.GroupCreated.make({
        path,
        parentId,
        attributes: { ...defaultAttributes(name), description, visibility },
        createdBy: ownerId
      }),
      GroupEvent.cases.MemberAdded.make({ userId: ownerId, accessLevel: 50, expiresAt: null, addedBy: ownerId }),
      ...membersOf(ownerId, 5 + random.below(30), random),
      ...(shareId === undefined
        ? []
        : [shared(shareId, groups.first + random.below(groups.count * 0.4))].filter(({ groupId }) => groupId !== id))
    ]
    return story(groupCodec, groupStream(id), events, [pathName(parentId, path)])
  })
}
