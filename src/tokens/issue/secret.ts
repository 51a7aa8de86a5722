import { hash, randomBytes } from "node:crypto"

const prefix = "glpat-"

/** Makes a token: `glpat-` and 20 random characters that are safe in URLs. */
export const newTokenText = (): string => `${prefix}${randomBytes(15).toString("base64url")}`

/** Whether a text looks like a token, of this service or of another one of the kind. */
export const isTokenText = (text: string): boolean => text.startsWith(prefix)

/** The SHA-256 by which a token is known; its text is kept nowhere. */
export const tokenDigest = (text: string): Buffer => hash("sha256", text, "buffer")
