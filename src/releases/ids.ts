/** A release by the tag of its project, which names one release at most. */
export interface ReleaseKey {
  readonly projectId: number
  readonly tag: string
}

/** The stream of the releases of a tag, one after the other. */
export const releaseStream = ({ projectId, tag }: ReleaseKey): string => `release-${projectId}-${tag}`

/** The tag whose releases have this stream; undefined for a stream of anything else. */
export const releaseKeyOf = (stream: string): ReleaseKey | undefined => {
  const [, projectId, tag] = /^release-(\d+)-(.+)$/s.exec(stream) ?? []
  return tag === undefined ? undefined : { projectId: Number(projectId), tag }
}
