/** What the choice of commits needs of one. */
export interface ChangelogCommit {
  /** The id has 40 hexadecimal digits in lower case. */
  readonly id: string
  /** The whole message, the title included. */
  readonly message: string
  /** The trailers are in the order of the message; the last one of a key counts. */
  readonly trailers: ReadonlyArray<readonly [key: string, value: string]>
}

/** A commit that the changelog names, under the value of its trailer. */
export interface Counted<Commit> {
  readonly commit: Commit
  readonly category: string
}

const revertLine = /(?<=^|\n)this reverts commit ([0-9a-f]{40})/gi

/** The full ids that lines of the body, which is the message without its first line, say are reverted. */
const revertedIds = (message: string): ReadonlyArray<string> => {
  const titleEnd = message.indexOf("\n")
  if (titleEnd === -1) return []
  return Array.from(message.slice(titleEnd + 1).matchAll(revertLine), ([, id = ""]) => id.toLowerCase())
}

/**
 * The commits with the trailer, newest first as they come, without those that a newer one reverts. A revert that is itself
 * reverted reverts nothing. Commits that come page by page share `reverted`.
 */
export const countedCommits = <Commit extends ChangelogCommit>(
  newestFirst: Iterable<Commit>,
  trailer: string,
  reverted = new Set<string>()
): ReadonlyArray<Counted<Commit>> => {
  const counted: Array<Counted<Commit>> = []
  for (const commit of newestFirst) {
    if (reverted.has(commit.id)) continue
    for (const id of revertedIds(commit.message)) reverted.add(id)
    const category = commit.trailers.findLast(([key]) => key === trailer)?.[1]
    if (category !== undefined) counted.push({ commit, category })
  }
  return counted
}
