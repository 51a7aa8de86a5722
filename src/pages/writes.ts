import { Effect } from "effect"
import { handle } from "../platform/Commands.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { changes } from "../platform/repeats.ts"
import { newUniqueDomain } from "./address.ts"
import { type Change, pagesAggregate } from "./aggregate.ts"
import { SiteStorage, type StoredSite } from "./sites/SiteStorage.ts"

/** A project whose pages change. */
interface Of {
  readonly id: number
  readonly path: string
}

/** Changes settings. Nothing is refused that has no deployment. */
export const changeSettings = ({ id, path }: Of, wanted: Omit<Change, "_tag" | "newDomain">) =>
  handle(pagesAggregate, id, { _tag: "Change", newDomain: newUniqueDomain(path), ...wanted }).pipe(
    Effect.catchTag("TooManyDeployments", Effect.die),
    spanned("pages.change")
  )

/** Removes all deployments. */
export const unpublish = (id: number, by: number) =>
  handle(pagesAggregate, id, { _tag: "Unpublish", by }).pipe(
    Effect.catchTag("TooManyDeployments", Effect.die),
    spanned("pages.unpublish")
  )

export interface NewDeployment {
  readonly pathPrefix: string
  readonly rootDirectory: string | null
  readonly by: number
}

/** Publishes what `store` makes a site of. A refused one leaves no files. */
export const deploy = <E, R>({ id, path }: Of, { by, ...shown }: NewDeployment, store: Effect.Effect<StoredSite, E, R>) => {
  const make = Effect.gen(function* () {
    const deployment = { ...shown, ...(yield* store) }
    const sites = yield* SiteStorage
    return yield* handle(pagesAggregate, id, { _tag: "Deploy", deployment, by, newDomain: newUniqueDomain(path) }).pipe(
      Effect.tapError(() => sites.remove(id, deployment.site)),
      // Where it is not known whether the log has it, the note stays.
      Effect.tap(() => sites.settle(id, deployment.site))
    )
  })
  return spanned("pages.deploy")(changes(pagesAggregate, id, make))
}
