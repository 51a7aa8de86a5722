import { Context, type Effect } from "effect"

/** What tags ask of releases. */
export class TagReleases extends Context.Service<
  TagReleases,
  {
    /** What the releases of tags say, by tag; those without release are left out. */
    readonly descriptions: (projectId: number, tags: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, string | null>>
  }
>()("chronoforge/repositories/TagReleases") {}
