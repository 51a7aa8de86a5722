import { Data } from "effect"

/** There is a token in this stream, or was one. */
export class TokenExists extends Data.TaggedError("TokenExists") {}

/** There never was such a token. */
export class TokenMissing extends Data.TaggedError("TokenMissing") {}

/** The token is revoked, so it cannot be rotated. */
export class AlreadyRevoked extends Data.TaggedError("AlreadyRevoked") {}

export type Refusal = TokenExists | TokenMissing | AlreadyRevoked
