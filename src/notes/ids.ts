/** What has notes: a thing of a project, by its number there. */
export interface Noteable {
  readonly type: "issue" | "mergeRequest"
  readonly projectId: number
  readonly iid: number
}

/** A discussion by what it is about, and the note with which it began. */
export interface DiscussionKey extends Noteable {
  readonly rootId: number
}

/** The stream of a discussion. */
export const discussionStream = ({ iid, projectId, rootId, type }: DiscussionKey): string =>
  `discussion-${type}-${projectId}-${iid}-${rootId}`

const form = /^discussion-(issue|mergeRequest)-(\d+)-(\d+)-(\d+)$/

/** The discussion whose stream this is; undefined for a stream of anything else. */
export const discussionKeyOf = (stream: string): DiscussionKey | undefined => {
  const [, type, projectId, iid, rootId] = form.exec(stream) ?? []
  if (type !== "issue" && type !== "mergeRequest") return undefined
  return { type, projectId: Number(projectId), iid: Number(iid), rootId: Number(rootId) }
}

/** The stream of what services elsewhere wrote about a thing. */
export const systemNotesStream = ({ iid, projectId, type }: Noteable): string => `systemNotes-${type}-${projectId}-${iid}`

const systemForm = /^systemNotes-(issue|mergeRequest)-(\d+)-(\d+)$/

/** What this stream has notes about; undefined for a stream of anything else. */
export const systemNoteableOf = (stream: string): Noteable | undefined => {
  const [, type, projectId, iid] = systemForm.exec(stream) ?? []
  if (type !== "issue" && type !== "mergeRequest") return undefined
  return { type, projectId: Number(projectId), iid: Number(iid) }
}
