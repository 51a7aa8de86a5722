import type { Commit } from "../../git/objects/commit.ts"

/** The first line of a message in full. Gap: "No commit message" when that is blank, as the reference shows it. */
export const titleOf = (message: string): string =>
  message.trim() === "" ? "No commit message" : (message.split(/[\r\n]/, 1)[0] ?? "")

type Original = Pick<Commit, "id" | "message">

/** The message of a commit that was picked, where the caller gives none. */
export const cherryPickMessage = ({ id, message }: Original): string =>
  `${message.trimEnd()}\n\n(cherry picked from commit ${id})`

/** The message of a commit that reverts another, where the caller gives none. */
export const revertMessage = ({ id, message }: Original): string =>
  `Revert "${titleOf(message).trim()}"\n\nThis reverts commit ${id}`
