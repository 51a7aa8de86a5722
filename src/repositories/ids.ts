/** A commit of a project by its full id. */
export interface CommitAddress {
  readonly projectId: number
  readonly sha: string
}

const form = /^commitComments-(\d+)-([0-9a-f]{40}|[0-9a-f]{64})$/

/** The stream of what is said about a commit. */
export const commentStream = ({ projectId, sha }: CommitAddress): string => `commitComments-${projectId}-${sha}`

/** The commit that this stream is about; undefined for a stream of anything else. */
export const commentedCommit = (stream: string): CommitAddress | undefined => {
  const [, projectId, sha] = form.exec(stream) ?? []
  return sha === undefined ? undefined : { projectId: Number(projectId), sha }
}
