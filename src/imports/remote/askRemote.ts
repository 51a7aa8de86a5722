import { Effect } from "effect"
import { argumentsFor, type Remote, type RemoteGitFailed, remoteGit } from "./git.ts"

/** Asks a remote for what its HEAD is: the least that shows that there is a repository. */
export const askRemote = (remote: Remote): Effect.Effect<void, RemoteGitFailed> =>
  Effect.asVoid(remoteGit(remote, ["ls-remote", "--symref", ...argumentsFor(remote), "HEAD"]))
