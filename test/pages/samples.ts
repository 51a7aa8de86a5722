import type { Deployment } from "#src/pages/events.ts"

export const deployment: Deployment = { site: "s1", pathPrefix: "", rootDirectory: null, files: 2, size: 30 }
