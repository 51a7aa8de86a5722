import { Context, type Effect } from "effect"

/** A deployment of the read model. The time is in milliseconds since 1970. */
export interface DeploymentRow {
  readonly site: string
  readonly path_prefix: string
  readonly root_directory: string | null
  readonly created_at: number
}

/** The pages of a project in the read model; what nobody has set is null. */
export interface PagesRow {
  readonly unique_domain_enabled: boolean | null
  readonly https_only: boolean | null
  readonly unique_domain: string | null
  /** The main one first, then by their prefixes. */
  readonly deployments: ReadonlyArray<DeploymentRow>
}

/** What is asked about pages. */
export class PagesQueries extends Context.Service<
  PagesQueries,
  {
    /** Of a project of which nothing is known, nothing is set. */
    readonly find: (projectId: number) => Effect.Effect<PagesRow>
    /** The project with this unique domain, whether or not it is switched on. */
    readonly projectOfDomain: (uniqueDomain: string) => Effect.Effect<number | undefined>
  }
>()("chronoforge/pages/PagesQueries") {}
