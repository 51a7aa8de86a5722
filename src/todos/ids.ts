/** What waits, by its project and its number there. */
export interface Target {
  readonly type: "Issue" | "MergeRequest"
  readonly projectId: number
  readonly iid: number
}

/** What waits for a user. */
export interface Waiting {
  readonly userId: number
  readonly target: Target
}

/** The stream of the to-dos of a user for one thing, of which one at a time is pending. */
export const todoStream = ({ target: { iid, projectId, type }, userId }: Waiting): string =>
  `todo-${userId}-${type}-${projectId}-${iid}`

/** The user and the thing whose stream this is; undefined for a stream of anything else. */
export const waitingOf = (stream: string): Waiting | undefined => {
  const [, userId, type, projectId, iid] = /^todo-(\d+)-(Issue|MergeRequest)-(\d+)-(\d+)$/.exec(stream) ?? []
  if (type !== "Issue" && type !== "MergeRequest") return undefined
  return { userId: Number(userId), target: { type, projectId: Number(projectId), iid: Number(iid) } }
}
