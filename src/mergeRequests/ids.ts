/** A merge request by its target project and its number there. */
export interface MergeRequestKey {
  readonly projectId: number
  readonly iid: number
}

/** The stream of a merge request. */
export const mergeRequestStream = ({ iid, projectId }: MergeRequestKey): string => `mergeRequest-${projectId}-${iid}`

/** The merge request whose stream this is; undefined for a stream of anything else. */
export const mergeRequestKeyOf = (stream: string): MergeRequestKey | undefined => {
  const [, projectId, iid] = /^mergeRequest-(\d+)-(\d+)$/.exec(stream) ?? []
  return projectId === undefined || iid === undefined ? undefined : { projectId: Number(projectId), iid: Number(iid) }
}

/** The name of the reactor that makes the pipelines of versions. */
export const versionReactor = "merge-request-pipelines"
