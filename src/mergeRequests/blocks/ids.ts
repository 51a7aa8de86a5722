import type { MergeRequestKey } from "../ids.ts"

/** The stream of what has to be merged before a merge request. */
export const blocksStream = ({ iid, projectId }: MergeRequestKey): string => `mergeRequestBlocks-${projectId}-${iid}`

/** The merge request whose blocks the stream has; undefined for a stream of anything else. */
export const blockedKeyOf = (stream: string): MergeRequestKey | undefined => {
  const [, projectId, iid] = /^mergeRequestBlocks-(\d+)-(\d+)$/.exec(stream) ?? []
  return projectId === undefined || iid === undefined ? undefined : { projectId: Number(projectId), iid: Number(iid) }
}
