import type { MergeRequestKey } from "../ids.ts"

/** The stream of the commits that are shown beside those of a merge request. */
export const contextStream = ({ iid, projectId }: MergeRequestKey): string => `mergeRequestContext-${projectId}-${iid}`
