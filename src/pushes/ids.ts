import { idIn } from "../kernel/streamIds.ts"

const prefix = "repository-"

/** The stream of what moved in the repository of a project. */
export const repositoryStream = (projectId: number): string => `${prefix}${projectId}`

/** The project whose repository's stream this is; undefined for a stream of anything else. */
export const repositoryIdOf = (stream: string): number | undefined => idIn(prefix, stream)
