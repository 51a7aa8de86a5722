import { idIn } from "../kernel/streamIds.ts"

/** An export of a project. */
export interface ExportKey {
  readonly projectId: number
  /** Among those of its project, from 1. */
  readonly number: number
}

const prefix = "relationExport-"

/** The stream of what is exported of a project. */
export const exportStream = (projectId: number): string => `${prefix}${projectId}`

/** The project whose exports have this stream; undefined for a stream of anything else. */
export const projectIdOfExports = (stream: string): number | undefined => idIn(prefix, stream)
