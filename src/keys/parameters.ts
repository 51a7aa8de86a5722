// What the endpoints of users' keys and of deploy keys have in common.

export const title = { kind: "string", required: true, description: "Title of the key.", example: "Example key" } as const
/** The text of a key; `example` differs from endpoint to endpoint, because a key may be added once. */
export const publicKey = <E extends string>(example: E) =>
  ({ kind: "string", required: true, description: "Public key as OpenSSH writes it.", example }) as const
export const expiresAt = { kind: "dateTime", description: "When the key expires. Default: never." } as const
export const keyId = { kind: "integer", required: true, description: "ID of the key.", example: 1 } as const

export const administratorsOnly = "Administrators only."
export const changedSince = "The key was changed after `If-Unmodified-Since`."
