import type { MergeRequestKey } from "#src/mergeRequests/ids.ts"
import { subscriptionCodec } from "#src/mergeRequests/participation/events.ts"
import { subscriptionKeyOf } from "#src/mergeRequests/participation/ids.ts"
import { type Change, on, patch, put, remove, removeWhere } from "../ReadModel.ts"

const [people, subscriptions] = ["people", "subscriptions"]

export const peopleTables = {
  [people]: ["project_id", "iid", "role", "user_id"],
  [subscriptions]: ["project_id", "iid", "user_id"]
}

type Ids = ReadonlyArray<number>

/** A role that people get at a time. */
interface Role {
  readonly role: "assignee" | "reviewer"
  readonly at: number
}

const keyOf = ({ iid, projectId }: MergeRequestKey) => ({ project_id: projectId, iid })

/** The first people of a role. */
export const peopleOf = (key: MergeRequestKey, { at, role }: Role, userIds: Ids): ReadonlyArray<Change> =>
  userIds.map((userId, place) => put(people, { ...keyOf(key), role, user_id: userId, place, created_at: at }))

/** The people of a role in place of those before; who was one of them stays so from then on. Older events do not tell who that is. */
export const newPeople = (key: MergeRequestKey, { at, role }: Role, userIds: Ids | undefined, before: Ids | undefined) => {
  if (userIds === undefined) return []
  if (before === undefined) return [removeWhere(people, { ...keyOf(key), role }), ...peopleOf(key, { at, role }, userIds)]
  const [were, are] = [new Set(before), new Set(userIds)]
  const left = before.filter((userId) => !are.has(userId))
  return [
    ...left.map((userId) => remove(people, { ...keyOf(key), role, user_id: userId })),
    ...userIds.map((userId, place) => {
      const row = { ...keyOf(key), role, user_id: userId }
      return were.has(userId) ? patch(people, row, { place }) : put(people, { ...row, place, created_at: at })
    })
  ]
}

/** What goes with a merge request. */
export const peopleRemoved = (key: MergeRequestKey): ReadonlyArray<Change> =>
  Object.keys(peopleTables).map((table) => removeWhere(table, keyOf(key)))

/** Who is deleted is nobody's assignee or reviewer any more. */
export const personRemoved = (userId: number): ReadonlyArray<Change> => [removeWhere(people, { user_id: userId })]

export const subscriptionProjection = on(subscriptionCodec, ({ _tag }, { stream }) => {
  const key = subscriptionKeyOf(stream)
  if (key === undefined) return []
  return [put(subscriptions, { ...keyOf(key), user_id: key.userId, is_subscribed: _tag === "MergeRequestSubscribed" })]
})
