import { hash, randomBytes } from "node:crypto"

/** Makes a token: `glpat-` and 20 random characters that are safe in URLs. */
export const newTokenText = (): string => `glpat-${randomBytes(15).toString("base64url")}`

/** The SHA-256 by which a token is known; its text is kept nowhere. */
export const tokenDigest = (text: string): Buffer => hash("sha256", text, "buffer")
