import manifest from "../package.json" with { type: "json" }

/** Version of this code. */
export const version: string = manifest.version
