import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** A `git` that comes first in a search path. */
export interface GitWrapper {
  /** The search path for the service. */
  readonly path: string
  /** How it was started so far: the arguments, one line a process. */
  readonly started: () => ReadonlyArray<string>
  /** From now on the first process with this word among its arguments kills whoever started it, before or after its work. */
  readonly killAt: (when: "before" | "after", word: string) => void
}

/** Makes a folder with a `git` that notes how it is started. */
export const gitWrapper = (folder: string): GitWrapper => {
  mkdirSync(folder)
  const [log, plan, git] = [join(folder, "started"), join(folder, "plan"), join(folder, "git")]
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim()
  const script = `#!/bin/sh
printf '%s\\n' "$*" >> '${log}'
if [ -f '${plan}' ]; then
  read -r when word < '${plan}'
  case " $* " in
    *" $word "*)
      rm '${plan}'
      if [ "$when" = after ]; then '${real}' "$@"; fi
      # The service, that is.
      kill -9 "\${CHRONOFORGE_PARENT%%:*}"
      exit 1
  esac
fi
exec '${real}' "$@"
`
  writeFileSync(log, "")
  writeFileSync(git, script)
  chmodSync(git, 0o755)
  return {
    path: `${folder}:${process.env.PATH ?? ""}`,
    started: () => readFileSync(log, "utf8").split("\n").filter(Boolean),
    killAt: (when, word) => writeFileSync(plan, `${when} ${word}\n`)
  }
}
