import { Data } from "effect"

/** Why the program cannot start, as one line for the person who started it: it names the setting and the remedy, and no secret. */
export class StartError extends Data.TaggedError("StartError")<{ readonly message: string }> {}
