import { Effect, Layer } from "effect"
import { TagReleases } from "../repositories/TagReleases.ts"
import { ReleaseQueries } from "./Queries.ts"

/** Answers what tags ask of releases. */
export const layerTagReleases: Layer.Layer<TagReleases, never, ReleaseQueries> = Layer.effect(
  TagReleases,
  Effect.map(ReleaseQueries, ({ descriptions }) => TagReleases.of({ descriptions }))
)
