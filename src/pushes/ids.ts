const prefix = "repository-"

/** The stream of what moved in the repository of a project. */
export const repositoryStream = (projectId: number): string => `${prefix}${projectId}`

/** The project whose repository's stream this is; undefined for a stream of anything else. */
export const repositoryIdOf = (stream: string): number | undefined => {
  const digits = stream.startsWith(prefix) ? stream.slice(prefix.length) : ""
  return /^\d+$/.test(digits) ? Number(digits) : undefined
}
