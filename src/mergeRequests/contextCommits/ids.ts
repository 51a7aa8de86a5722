import type { MergeRequestKey } from "../ids.ts"

/** The stream of the commits that are shown beside those of a merge request. */
export const contextCommitsStream = ({ iid, projectId }: MergeRequestKey): string =>
  `mergeRequestContextCommits-${projectId}-${iid}`
