import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"

/**
 * The command with which `git archive` compresses. `gzip` works beside it, on another processor; where it is not in `path`, as `PATH`
 * is, git compresses itself, which takes half as long again.
 */
export const gzipCommand = (path: string): string =>
  path.split(delimiter).some((folder) => existsSync(join(folder, "gzip"))) ? "gzip -cn" : "git archive gzip"
