import { idIn } from "../kernel/streamIds.ts"

/** An environment by its project, in which its name is unique, and a digest of the name, which may be long. */
export interface EnvironmentKey {
  readonly projectId: number
  /** The digest has 40 hexadecimal digits. */
  readonly nameDigest: string
}

/** The stream of an environment. */
export const environmentStream = ({ nameDigest, projectId }: EnvironmentKey): string => `environment-${projectId}-${nameDigest}`

/** The project of an environment whose stream this is; undefined for a stream of anything else. */
export const projectIdOfEnvironment = (stream: string): number | undefined => {
  const [, projectId] = /^environment-(\d+)-[0-9a-f]{40}$/.exec(stream) ?? []
  return projectId === undefined ? undefined : Number(projectId)
}

const prefix = "deployment-"

/** The stream of a deployment. */
export const deploymentStream = (id: number): string => `${prefix}${id}`

/** The deployment whose stream this is; undefined for a stream of anything else. */
export const deploymentIdOf = (stream: string): number | undefined => idIn(prefix, stream)
