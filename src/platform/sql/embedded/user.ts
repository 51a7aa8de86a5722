import { execFileSync } from "node:child_process"
import { readFileSync, realpathSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { Effect } from "effect"
import { StartError } from "../../../kernel/StartError.ts"

/** A system user, by its ids. */
interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** How a program of Postgres is started, so that it does not run as root, which it refuses. */
export interface Launch {
  /** Whom its files must belong to; undefined: whoever runs this process. */
  readonly owner: Account | undefined
  /** Comes before program and arguments. */
  readonly prefix: ReadonlyArray<string>
  readonly ids: { readonly uid?: number; readonly gid?: number }
}

const accountOf = (name: string): Account | undefined => {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(":") ?? []
  return uid === undefined || gid === undefined ? undefined : { name, uid: Number(uid), gid: Number(gid) }
}

/** A cluster keeps its owner, so that a service that ran as an ordinary user may be started by root for once. */
const ownerOf = (folder: string): Account | undefined => {
  const found = statSync(folder, { throwIfNoEntry: false })
  return found === undefined || found.uid === 0 ? undefined : { name: `user ${found.uid}`, uid: found.uid, gid: found.gid }
}

const mayEnter = (path: string, account: Account): boolean => {
  const { mode, uid, gid } = statSync(path)
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
  return (mode & bit) !== 0
}

const withParents = (path: string): ReadonlyArray<string> =>
  path === dirname(path) ? [path] : [...withParents(dirname(path)), path]

/** The first of the paths and the folders above them that the account may not enter or execute. */
const blockedAt = (paths: ReadonlyArray<string>, account: Account): string | undefined =>
  paths.flatMap((path) => withParents(realpathSync(path))).find((path) => !mayEnter(path, account))

/**
 * Capabilities in order of preference: the first suffices to pass folders and read files, not to execute a program that is
 * closed to others. Containers often have the second only.
 */
const capabilities = ["dac_read_search", "dac_override"] as const

/** `setpriv` with the weakest capability that lets the account run the program, if this machine has both. */
const setprivFor = (account: Account, program: string): ReadonlyArray<string> | undefined => {
  const usable = mayEnter(program, account) ? capabilities : capabilities.slice(1)
  return usable
    .map((capability) => [
      "setpriv",
      `--reuid=${account.uid}`,
      `--regid=${account.gid}`,
      "--clear-groups",
      // initdb asks with access(2) whether it may run postgres, and that disregards capabilities but for this.
      "--securebits=+no_setuid_fixup",
      `--inh-caps=+${capability}`,
      `--ambient-caps=+${capability}`
    ])
    .find(([command = "", ...args]) => {
      try {
        execFileSync(command, [...args, program, "--version"], { stdio: "ignore", cwd: "/" })
        return true
      } catch {
        return false
      }
    })
}

/**
 * Chooses the user for the server: this process's own, unless that is root; then the owner of the cluster, `postgres`, or
 * `nobody`. Where that user cannot reach the programs or the data folder (a clone under /root, a folder of mode 0700), it gets
 * the capability to pass by `setpriv` from util-linux. `program` is one of the programs, `folder` the existing data folder.
 */
export const chooseLaunch = (program: string, folder: string, cluster: string): Effect.Effect<Launch, StartError> =>
  Effect.suspend(() => {
    if (process.getuid?.() !== 0) return Effect.succeed<Launch>({ owner: undefined, prefix: [], ids: {} })
    const account = ownerOf(cluster) ?? accountOf("postgres") ?? accountOf("nobody")
    if (account === undefined) {
      return Effect.fail(
        new StartError({
          message: "Postgres refuses to run as root, and there is no user postgres or nobody: start as an ordinary user"
        })
      )
    }
    const blocked = blockedAt([program, folder], account)
    if (blocked === undefined) {
      return Effect.succeed<Launch>({ owner: account, prefix: [], ids: { uid: account.uid, gid: account.gid } })
    }
    const prefix = setprivFor(account, program)
    if (prefix !== undefined) return Effect.succeed<Launch>({ owner: account, prefix, ids: {} })
    return Effect.fail(
      new StartError({
        message:
          `Postgres refuses to run as root, and ${account.name} cannot enter ${blocked}: ` +
          `run "chmod o+x ${blocked}", start as an ordinary user, or install setpriv (util-linux)`
      })
    )
  })
