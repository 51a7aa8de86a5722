// What the endpoints of users' keys and of deploy keys have in common.

export const title = { kind: "string", required: true, description: "Title of the key." } as const
export const publicKey = { kind: "string", required: true, description: "Public key as OpenSSH writes it." } as const
export const expiresAt = { kind: "dateTime", description: "When the key expires." } as const
export const keyId = { kind: "integer", required: true, description: "ID of the key." } as const

export const administratorsOnly = "Administrators only."
export const changedSince = "The key was changed after `If-Unmodified-Since`."
