import { Data } from "effect"

/** There is a deploy key in this stream, or was one. */
export class DeployKeyExists extends Data.TaggedError("DeployKeyExists") {}

/** The deploy key was never there, or is removed. */
export class DeployKeyMissing extends Data.TaggedError("DeployKeyMissing") {}

/** The project does not use the deploy key. */
export class NotEnabled extends Data.TaggedError("NotEnabled")<{ readonly projectId: number }> {}

export type Refusal = DeployKeyExists | DeployKeyMissing | NotEnabled
