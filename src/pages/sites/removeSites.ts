import { Effect, Result } from "effect"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { react } from "../../platform/reactions/react.ts"
import type { ProjectEvent } from "../../projects/events.ts"
import { projectIdOf } from "../../projects/ids.ts"
import { pagesCodec } from "../events.ts"
import { projectIdOfPages } from "../ids.ts"
import { SiteStorage } from "./SiteStorage.ts"

const deletion = "ProjectDeleted" satisfies ProjectEvent["_tag"]

/** The sites that are not shown any more, because of an event. */
const replacedBy = (event: RecordedEvent): ReadonlyArray<string> => {
  const decoded = pagesCodec.decode(event)
  if (Result.isFailure(decoded)) return []
  switch (decoded.success._tag) {
    case "PagesUnpublished":
      return decoded.success.sites
    case "PagesDeployed":
      return decoded.success.replaced === null ? [] : [decoded.success.replaced]
    case "PagesSettingsChanged":
      return []
  }
}

const onEvent = Effect.fnUntraced(function* (event: RecordedEvent) {
  const sites = yield* SiteStorage
  const deleted = event.type === deletion ? projectIdOf(event.stream) : undefined
  if (deleted !== undefined) return yield* sites.removeAll(deleted)
  const projectId = projectIdOfPages(event.stream)
  if (projectId === undefined) return
  yield* Effect.forEach(replacedBy(event), (site) => sites.remove(projectId, site), { discard: true })
})

/** Removes the files of sites that are replaced or unpublished, or whose project is deleted, for ever: in one process at a time. */
export const removeSites = react({ name: "pages", types: new Set([deletion, ...pagesCodec.types]), onEvent })
