import { Data } from "effect"
import { unavailable } from "../platform/unavailable.ts"

/** A bare repository on this machine. */
export interface Repository {
  /** Absolute path of its folder. */
  readonly path: string
}

const reasons = {
  output: "the answer is larger than the service may make it",
  time: "the answer takes longer than the service may take",
  space: "there is no space left for the answer"
} as const

/** `git` ended with a status other than 0, was cut short, or could not be run at all. Its text is for the log, not for clients. */
export class GitFailed extends Data.TaggedError("GitFailed")<{
  /** The subcommand with its arguments. */
  readonly command: string
  /** null when it was ended by a signal, or never ran. */
  readonly status: number | null
  readonly stderr: string
  /** It printed more, took longer, or left less space on the disk, than it was allowed. */
  readonly exceeded?: keyof typeof reasons
}> {
  get [unavailable](): string | undefined {
    return this.exceeded && reasons[this.exceeded]
  }
  override get message() {
    const end = this.exceeded === undefined ? `ended with ${this.status}` : `exceeded its limit of ${this.exceeded}`
    return `git ${this.command} ${end}: ${this.stderr.trim()}`
  }
}

/** What must be there is not: the repository is damaged. */
export const missingObject = (type: "commit" | "tree", id: string): GitFailed =>
  new GitFailed({ command: `cat-file ${type} ${id}`, status: null, stderr: "missing" })
