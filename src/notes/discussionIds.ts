import { hash } from "node:crypto"

/** The id that is shown of a discussion, of 40 hexadecimal digits, from the id of the note with which it began. */
export const discussionIdOf = (rootId: number): string => hash("sha1", `discussion ${rootId}`)

/** That of the discussion of a note that the service writes, which stands alone. */
export const systemDiscussionIdOf = (noteId: number): string => hash("sha1", `system note ${noteId}`)
