import { isOnPath } from "../../platform/processes/isOnPath.ts"

/**
 * The command with which `git archive` compresses. `gzip` works beside it, on another processor; where it is not in `path`, as `PATH`
 * is, git compresses itself, which takes half as long again.
 */
export const gzipCommand = (path: string): string => (isOnPath("gzip", path) ? "gzip -cn" : "git archive gzip")
