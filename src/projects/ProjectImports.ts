import { Context, Data, type Effect } from "effect"

/** What was, or is being, imported into a project. */
export interface ImportRow {
  /** The project's. */
  readonly id: number
  /** The URL without credentials; null for a folder of the machine. */
  readonly import_url: string | null
  readonly status: "scheduled" | "started" | "finished" | "failed"
  /** Why it failed, in words for people. */
  readonly error: string | null
  /** The progress in percent. */
  readonly progress: number
}

/** Nothing can be imported from this address; the message is for whoever gave it. */
export class ImportRefused extends Data.TaggedError("ImportRefused")<{ readonly message: string }> {}

/** What projects need of imports. */
export class ProjectImports extends Context.Service<
  ProjectImports,
  {
    /** Whether requests may let something be imported. */
    readonly isEnabled: boolean
    readonly find: (projectId: number) => Effect.Effect<ImportRow | undefined>
    /** Asks the server at the address, which may have credentials, for its repository; takes a quarter of a minute at most. */
    readonly probe: (address: string) => Effect.Effect<void, ImportRefused>
    /**
     * Lets a repository be imported into a project, whose repository has to be empty; some process of the service does it. Answers
     * where that stands in the log. Repeating it within a request changes nothing.
     */
    readonly schedule: (
      projectId: number,
      address: string
    ) => Effect.Effect<{ readonly position: number; readonly stream: string }, ImportRefused>
  }
>()("chronoforge/projects/ProjectImports") {}
