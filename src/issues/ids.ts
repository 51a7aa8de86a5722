/** An issue by its project and its number there. */
export interface IssueKey {
  readonly projectId: number
  readonly iid: number
}

/** The stream of an issue. */
export const issueStream = ({ iid, projectId }: IssueKey): string => `issue-${projectId}-${iid}`

/** The issue whose stream this is; undefined for a stream of anything else. */
export const issueKeyOf = (stream: string): IssueKey | undefined => {
  const [, projectId, iid] = /^issue-(\d+)-(\d+)$/.exec(stream) ?? []
  return projectId === undefined || iid === undefined ? undefined : { projectId: Number(projectId), iid: Number(iid) }
}
