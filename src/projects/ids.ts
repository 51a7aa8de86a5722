import { idIn } from "../kernel/streamIds.ts"

const prefix = "project-"

/** The stream of a project. */
export const projectStream = (id: number): string => `${prefix}${id}`

/** The project whose stream this is; undefined for a stream of anything else. */
export const projectIdOf = (stream: string): number | undefined => idIn(prefix, stream)
