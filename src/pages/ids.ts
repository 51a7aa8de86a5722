import { idIn } from "../kernel/streamIds.ts"

const prefix = "pages-"

/** The stream of the pages of a project. */
export const pagesStream = (projectId: number): string => `${prefix}${projectId}`

/** The project whose pages have this stream; undefined for a stream of anything else. */
export const projectIdOfPages = (stream: string): number | undefined => idIn(prefix, stream)
