import { Effect, Result } from "effect"
import { load } from "../../platform/Commands.ts"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { awaitVisible, react } from "../../platform/reactions/react.ts"
import type { ProjectEvent } from "../../projects/events.ts"
import { projectIdOf } from "../../projects/ids.ts"
import { Projects } from "../../projects/Projects.ts"
import { pagesAggregate } from "../aggregate.ts"
import { pagesCodec } from "../events.ts"
import { projectIdOfPages } from "../ids.ts"
import { SiteStorage } from "./SiteStorage.ts"

const deletion = "ProjectDeleted" satisfies ProjectEvent["_tag"]

/** A site is removed when nobody is led to it any more. */
const onPages = Effect.fnUntraced(function* (projectId: number, event: RecordedEvent) {
  const [decoded, sites] = [pagesCodec.decode(event), yield* SiteStorage]
  if (Result.isFailure(decoded) || decoded.success._tag === "PagesSettingsChanged") return
  yield* awaitVisible(event)
  const replaced = decoded.success._tag === "PagesUnpublished" ? decoded.success.sites : [decoded.success.replaced ?? []].flat()
  yield* Effect.forEach(replaced, (site) => sites.remove(projectId, site), { discard: true })
  // The project may have been deleted while its site was on its way.
  const found = yield* Projects.use((projects) => projects.find(String(projectId), undefined))
  if (found === undefined) yield* sites.removeAll(projectId)
})

const onEvent = Effect.fnUntraced(function* (event: RecordedEvent) {
  const projectId = projectIdOfPages(event.stream)
  if (projectId !== undefined) return yield* onPages(projectId, event)
  const deleted = projectIdOf(event.stream)
  if (deleted !== undefined) yield* SiteStorage.use((sites) => sites.removeAll(deleted))
})

/** Removes the files of sites that are replaced or unpublished, or whose project is deleted, for ever: in one process at a time. */
export const removeSites = react({ name: "pages", types: new Set([deletion, ...pagesCodec.types]), onEvent })

/** Removes what processes that were killed left: drafts, and sites of which the log does not know. It looks at nothing else. */
export const removeLeftSites = Effect.gen(function* () {
  const sites = yield* SiteStorage
  yield* sites.removeStaleDrafts
  yield* Effect.forEach(yield* sites.stale, ({ projectId, site }) =>
    Effect.gen(function* () {
      const { state } = yield* load(pagesAggregate, projectId)
      const isTold = state.deployments.some((deployment) => deployment.site === site)
      yield* isTold ? sites.settle(projectId, site) : sites.remove(projectId, site)
    })
  )
}).pipe(Effect.catchCause((cause) => Effect.logWarning("What was left of sites could not be removed", cause)))
