export const area = "repositories"

/** The commit of a path. */
export const sha = { kind: "string", required: true, description: "Branch, tag or commit.", example: "main" } as const

export const mayNot = { 403: "The caller may not do this." }
