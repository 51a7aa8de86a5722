import type { MergeRequestKey } from "../ids.ts"

/** The subscription of a user to a merge request. */
export interface SubscriptionKey extends MergeRequestKey {
  readonly userId: number
}

/** The stream of a subscription. */
export const subscriptionStream = ({ iid, projectId, userId }: SubscriptionKey): string =>
  `mergeRequestSubscription-${projectId}-${iid}-${userId}`

/** The subscription whose stream this is; undefined for a stream of anything else. */
export const subscriptionKeyOf = (stream: string): SubscriptionKey | undefined => {
  const [, projectId, iid, userId] = /^mergeRequestSubscription-(\d+)-(\d+)-(\d+)$/.exec(stream) ?? []
  return projectId === undefined ? undefined : { projectId: Number(projectId), iid: Number(iid), userId: Number(userId) }
}
