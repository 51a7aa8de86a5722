import type { Effect } from "effect"
import type { Source } from "../events.ts"

/** A variable that is known before the configuration is read. */
export interface Variable {
  readonly key: string
  readonly value: string
}

/** What the rules of a configuration see of the pipeline to make. */
export interface Context {
  readonly source: Source
  /** The short name of a branch or tag. */
  readonly ref: string
  readonly isTag: boolean
  /** The full path of the project. */
  readonly projectPath: string
  /** Those that the configuration may overwrite, as `predefinedVariables` makes them. */
  readonly predefined: ReadonlyArray<Variable>
  /** Those that overwrite the configuration: of groups, the project, the schedule, the request; the last of a key counts. */
  readonly variables: ReadonlyArray<Variable>
}

/** The commit that the pipeline is for. It is asked only where the configuration needs it. */
export interface Files {
  /** The text of a file: undefined if there is none, null for one that is too long. */
  readonly read: (path: string) => Effect.Effect<string | null | undefined>
  /** The paths that changed since the pipeline before; undefined if that is not known, in which case all count as changed. */
  readonly changedPaths: Effect.Effect<ReadonlyArray<string> | undefined>
  /** The paths of all files. */
  readonly paths: Effect.Effect<ReadonlyArray<string>>
}
