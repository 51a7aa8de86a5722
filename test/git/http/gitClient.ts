import { randomBytes } from "node:crypto"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type GitRun, type StartedGit, startGit } from "#test/support/git/gitClient.ts"

/** Starts the unmodified `git`, in a group of its own. */
export const startClient = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): StartedGit =>
  startGit("/", ["-c", "init.defaultBranch=main", "-c", "advice.detachedHead=false", ...args], env)

export const client = (...args: ReadonlyArray<string>): Promise<GitRun> => startClient(args).end

/** Runs it to a good end; what it printed, without the last line's end. */
export const succeed = async (...args: ReadonlyArray<string>): Promise<string> => {
  const { status, stderr, stdout } = await client(...args)
  if (status !== 0) throw new Error(`git ${args.join(" ")} ended with ${status}: ${stderr}`)
  return stdout.replace(/\n$/, "")
}

/** Lines of the standard error that say what became of a ref: ` ! [rejected] a -> b (why)`. */
export const refLines = ({ stderr }: GitRun): Array<string> =>
  stderr
    .split("\n")
    .filter((line) => line.includes(" -> "))
    .map((line) => line.trim().replace(/\s+/g, " "))

/** A working copy with a first commit on `main`. */
export class WorkingCopy {
  readonly path: string
  #count = 0

  constructor(path: string) {
    this.path = path
  }

  static async make(path: string, remote: string): Promise<WorkingCopy> {
    await succeed("init", "--quiet", path)
    // Large files are noise: nothing is gained by trying to compress them, or to find them in one another.
    await succeed("-C", path, "config", "core.compression", "0")
    await succeed("-C", path, "config", "core.bigFileThreshold", "1m")
    const copy = new WorkingCopy(path)
    await copy.git("remote", "add", "origin", remote)
    await copy.commit()
    return copy
  }

  readonly git = (...args: ReadonlyArray<string>): Promise<string> => succeed("-C", this.path, ...args)
  /** Runs it to whatever end. */
  readonly attempt = (...args: ReadonlyArray<string>): Promise<GitRun> => client("-C", this.path, ...args)

  /** Makes a commit with a file of its own; `bytes` that cannot be compressed. Answers its id. */
  async commit(bytes = 16): Promise<string> {
    const name = `file-${++this.#count}-${randomBytes(4).toString("hex")}`
    await mkdir(this.path, { recursive: true })
    await writeFile(join(this.path, name), randomBytes(bytes))
    await this.git("add", name)
    await this.git("commit", "--quiet", "-m", name)
    return this.git("rev-parse", "HEAD")
  }
}
