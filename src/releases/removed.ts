import { Effect } from "effect"
import { Users } from "../users/Users.ts"
import type { ReleaseKey } from "./ids.ts"
import type { ReleaseRow } from "./Queries.ts"
import { before } from "./writes.ts"

/** A release that was deleted, as it was shown before; undefined where none was. */
export const deletedRelease = Effect.fnUntraced(function* (key: ReleaseKey) {
  const remains = yield* before(key, "ReleaseDeleted")
  if (remains === undefined) return undefined
  const { by, createdAt, evidences, sha, state } = remains
  const row: ReleaseRow = {
    id: state.id,
    project_id: key.projectId,
    tag: key.tag,
    name: state.name,
    description: state.description,
    sha,
    created_at: createdAt,
    released_at: state.releasedAt ?? createdAt,
    author: (yield* Users.use((users) => users.find(by))) ?? null,
    links: state.links.toSorted((one, other) => other.id - one.id),
    milestone_ids: state.milestoneIds,
    evidences
  }
  return row
})
