import { Effect } from "effect"
import { addressOf, type Remote, remoteGit } from "./remoteGit.ts"

const symbolic = /^ref: refs\/heads\/(\S+)\tHEAD$/m

/** The branch that HEAD of a remote names; undefined where it names none, or the repository is empty. */
export const remoteHead = (remote: Remote, globalConfig?: string) =>
  Effect.map(
    remoteGit(
      remote,
      ["ls-remote", "--symref", "--end-of-options", addressOf(remote), "HEAD"],
      globalConfig === undefined ? {} : { globalConfig }
    ),
    (text) => symbolic.exec(text)?.[1]
  )
