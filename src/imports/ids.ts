import { idIn } from "../kernel/streamIds.ts"

const prefix = "import-"

/** The stream of what is imported into a project. */
export const importStream = (projectId: number): string => `${prefix}${projectId}`

/** The project into which this stream imports; undefined for a stream of anything else. */
export const importIdOf = (stream: string): number | undefined => idIn(prefix, stream)
