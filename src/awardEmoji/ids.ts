/** What may be awarded, by its kind and its id among all of that kind. */
export interface Awardable {
  readonly type: "Issue" | "MergeRequest" | "Note"
  readonly id: number
}

/** The stream of what something was awarded. */
export const awardsStream = ({ id, type }: Awardable): string => `awardEmoji-${type}-${id}`

/** What was awarded in this stream; undefined for a stream of anything else. */
export const awardableOf = (stream: string): Awardable | undefined => {
  const [, type, id] = /^awardEmoji-(Issue|MergeRequest|Note)-(\d+)$/.exec(stream) ?? []
  return type === "Issue" || type === "MergeRequest" || type === "Note" ? { type, id: Number(id) } : undefined
}
