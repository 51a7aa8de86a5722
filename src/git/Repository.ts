import { Data } from "effect"

/** A bare repository on this machine. */
export interface Repository {
  /** Absolute path of its folder. */
  readonly path: string
}

/** `git` ended with a status other than 0, was cut short, or could not be run at all. Its text is for the log, not for clients. */
export class GitFailed extends Data.TaggedError("GitFailed")<{
  /** The subcommand with its arguments. */
  readonly command: string
  /** null when it was ended by a signal, or never ran. */
  readonly status: number | null
  readonly stderr: string
  /** It printed more, or took longer, than it was allowed. */
  readonly exceeded?: "output" | "time"
}> {
  override get message() {
    const end = this.exceeded === undefined ? `ended with ${this.status}` : `exceeded its limit of ${this.exceeded}`
    return `git ${this.command} ${end}: ${this.stderr.trim()}`
  }
}
