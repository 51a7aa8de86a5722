import { Schema } from "effect"

/** How a text of an event keeps a secret: as what was sealed, as what only tells whether a text is the secret, or as it is. */
export type SecretKind = "sealed" | "digest" | "secret"

/** The annotation of the texts of events that keep secrets. */
export const secretAnnotation = "secret"

const text = (kind: SecretKind) => Schema.String.annotate({ [secretAnnotation]: kind })

/** A text that was sealed. Every field of an event that has one is of this schema. */
export const SealedText = text("sealed")

/** A digest of a token or password. Every field of an event that has one is of this schema. */
export const SecretDigest = text("digest")

/** A secret that lies in the log as it is, because who knows the log knows what it leads to. */
export const SecretText = text("secret")
