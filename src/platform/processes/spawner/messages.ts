/** What a standard stream of a process is: a connection to the service, or nothing. */
export type Stdio = "pipe" | "ignore"

/** How a process is started. */
export interface StartOptions {
  readonly cwd?: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** One for each descriptor from 0 on. */
  readonly stdio: ReadonlyArray<Stdio>
  /** Whether it leads a session of its own. */
  readonly detached?: boolean
  /** By how much others go first, 0 to 19. */
  readonly niceness?: number
}

/** What the service asks of the spawner. Ids are the service's. */
export type Ask =
  /** It is started once the connections of its streams are there. */
  | {
      readonly _tag: "Start"
      readonly id: number
      readonly command: string
      readonly args: ReadonlyArray<string>
      readonly options: StartOptions
    }
  /** Its connections will not come. */
  | { readonly _tag: "Abandon"; readonly id: number }
  | { readonly _tag: "Signal"; readonly id: number; readonly signal: NodeJS.Signals }

/** What the spawner tells. */
export type Report =
  /** It listens for connections at this path. */
  | { readonly _tag: "Ready"; readonly path: string }
  | { readonly _tag: "Started"; readonly id: number; readonly pid: number }
  /** It could not be started, for this reason, such as `ENOENT`. */
  | { readonly _tag: "Failed"; readonly id: number; readonly code: string }
  | { readonly _tag: "Ended"; readonly id: number; readonly status: number | null; readonly signal: NodeJS.Signals | null }
