import { Data, type Duration, Effect } from "effect"
import { environment, memoryLimit } from "../../git/process/environment.ts"
import { defined } from "../../kernel/defined.ts"
import { Processes } from "../../platform/processes/Processes.ts"
import { inClass } from "../../platform/work/CurrentWork.ts"
import { inPlace } from "../../platform/work/WorkPlaces.ts"
import type { Credentials } from "./url.ts"

/** What `git` fetches from: a server, or a folder or bundle of this machine. */
export type Remote =
  | {
      readonly _tag: "Server"
      readonly url: string
      readonly credentials: Credentials | null
      /** The value of `http.curloptResolve`. */
      readonly pinned: string | undefined
    }
  | { readonly _tag: "Folder"; readonly path: string }

/** Prevents fetches of objects from where the settings of a folder point to, because such settings can run any program. */
const uploadPack = "GIT_NO_LAZY_FETCH=1 GIT_ALLOW_PROTOCOL=none git-upload-pack"

/** The arguments that name a remote, behind which none is an option any more. */
export const argumentsFor = (remote: Remote): ReadonlyArray<string> =>
  remote._tag === "Server" ? ["--end-of-options", remote.url] : [`--upload-pack=${uploadPack}`, "--end-of-options", remote.path]

/** `git` failed. Its output must not be shown: the server chose parts of it. */
export class RemoteGitFailed extends Data.TaggedError("RemoteGitFailed")<{ readonly stderr: string }> {}

interface Options {
  /** Called with each line of standard error, progress included. */
  readonly onLine?: (line: string) => void
  /** Settings besides those that keep it to the remote. */
  readonly config?: ReadonlyArray<readonly [name: string, value: string]>
  /** A file of settings that hold for the other end too, where that is of this machine. */
  readonly globalConfig?: string
  /** How long it may take once it has a place. */
  readonly timeLimit?: Duration.Input
}

const graceMillis = 5_000
const maxStderrLength = 16 * 1024
const maxStdoutLength = 1024 * 1024

const fixedSettings: ReadonlyArray<readonly [string, string]> = [
  ["safe.directory", "*"],
  ["protocol.allow", "never"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["submodule.recurse", "false"],
  // A server could name addresses anywhere.
  ["transfer.bundleURI", "false"],
  ["pack.threads", "1"]
]

const basic = ({ password, user }: Credentials): string => `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`

const settingsFor = (remote: Remote): ReadonlyArray<readonly [string, string]> => {
  if (remote._tag === "Folder") return [["protocol.file.allow", "always"]]
  return [
    ["protocol.http.allow", "always"],
    ["protocol.https.allow", "always"],
    // A redirection, or an alternate of a repository that is served as files, could lead anywhere.
    ["http.followRedirects", "false"],
    ["http.lowSpeedLimit", "1"],
    ["http.lowSpeedTime", "300"],
    ["credential.helper", ""],
    ...(remote.pinned === undefined ? [] : [["http.curloptResolve", remote.pinned] as const]),
    ...(remote.credentials === null ? [] : [["http.extraHeader", `Authorization: ${basic(remote.credentials)}`] as const])
  ]
}

/** Settings by the environment, which other users of the machine do not see, as they do arguments. */
const variables = (settings: ReadonlyArray<readonly [string, string]>): Readonly<Record<string, string>> => ({
  GIT_CONFIG_COUNT: String(settings.length),
  ...Object.fromEntries(
    settings.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value]
    ])
  )
})

const startInBackground = (
  processes: Processes,
  remote: Remote,
  args: ReadonlyArray<string>,
  { config = [], globalConfig }: Options
) =>
  processes.start("git", args, {
    cwd: "/",
    env: {
      ...environment,
      ...memoryLimit,
      ...variables([...fixedSettings, ...settingsFor(remote), ...config]),
      ...defined({ GIT_CONFIG_GLOBAL: globalConfig })
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    class: "background"
  })

/**
 * Runs `git` towards a remote, beside everything else rather than before it; answers its standard output. Interrupting ends it with
 * all that it started, and waits for that. No place is a defect, answered as 503.
 */
export const remoteGit = (
  remote: Remote,
  args: ReadonlyArray<string>,
  options: Options = {}
): Effect.Effect<string, RemoteGitFailed> =>
  Effect.flatMap(Processes, (processes) =>
    Effect.catchTag(inPlace(remote._tag, limited(runRemote(processes, remote, args, options), options)), "TooBusy", Effect.die)
  )

const limited = <A>(running: Effect.Effect<A, RemoteGitFailed>, { timeLimit }: Options): Effect.Effect<A, RemoteGitFailed> => {
  if (timeLimit === undefined) return running
  const timedOut = Effect.fail(new RemoteGitFailed({ stderr: "timed out" }))
  return Effect.timeoutOrElse(running, { duration: timeLimit, orElse: () => timedOut })
}

const runRemote = (
  processes: Processes,
  remote: Remote,
  args: ReadonlyArray<string>,
  options: Options
): Effect.Effect<string, RemoteGitFailed> =>
  Effect.callback((resume) => {
    const child = startInBackground(processes, remote, args, options)
    let [stdout, stderr, rest] = ["", "", ""]
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      if (stdout.length < maxStdoutLength) stdout += chunk
    })
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = `${rest}${chunk}`.split(/[\r\n]/)
      rest = (lines.pop() ?? "").slice(-maxStderrLength)
      for (const line of lines) {
        options.onLine?.(line)
        if (!line.includes("%")) stderr = `${stderr}${line}\n`.slice(-maxStderrLength)
      }
    })
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve()).once("error", () => resolve()))
    child.once("error", ({ message }) => resume(Effect.fail(new RemoteGitFailed({ stderr: message }))))
    child.once("close", (status) => {
      if (status === 0) resume(Effect.succeed(stdout))
      else resume(Effect.fail(new RemoteGitFailed({ stderr: `${stderr}${rest}` })))
    })
    return Effect.promise(async () => {
      child.killGroup("SIGTERM")
      const timer = setTimeout(() => child.killGroup("SIGKILL"), graceMillis)
      await closed
      clearTimeout(timer)
    })
  })

/** Asks a remote for what its HEAD is: the least that shows that there is a repository. */
export const probeRemote = (remote: Remote, options: Options = {}): Effect.Effect<void, RemoteGitFailed> => {
  const args = ["ls-remote", "--symref", ...argumentsFor(remote), "HEAD"]
  return inClass("transfer")(Effect.asVoid(remoteGit(remote, args, { timeLimit: "15 seconds", ...options })))
}
