import { Effect, Result } from "effect"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { awaitVisible, react } from "../../platform/reactions/react.ts"
import type { ProjectEvent } from "../../projects/events.ts"
import { projectIdOf } from "../../projects/ids.ts"
import { Projects } from "../../projects/Projects.ts"
import { pagesCodec } from "../events.ts"
import { projectIdOfPages } from "../ids.ts"
import { SiteStorage } from "./SiteStorage.ts"

const deletion = "ProjectDeleted" satisfies ProjectEvent["_tag"]

/** Whether a project is there, at the time of an event or since. */
const isThere = Effect.fnUntraced(function* (projectId: number, event: RecordedEvent) {
  yield* awaitVisible(event)
  return (yield* Projects.use((projects) => projects.find(String(projectId), undefined))) !== undefined
})

const onPages = Effect.fnUntraced(function* (projectId: number, event: RecordedEvent) {
  const [decoded, sites] = [pagesCodec.decode(event), yield* SiteStorage]
  if (Result.isFailure(decoded)) return
  if (decoded.success._tag === "PagesUnpublished")
    yield* Effect.forEach(decoded.success.sites, (site) => sites.remove(projectId, site), { discard: true })
  if (decoded.success._tag !== "PagesDeployed") return
  const { replaced } = decoded.success
  if (replaced !== null) yield* sites.remove(projectId, replaced)
  // The project may have been deleted while its site was on its way.
  if (!(yield* isThere(projectId, event))) yield* sites.removeAll(projectId)
})

const onEvent = Effect.fnUntraced(function* (event: RecordedEvent) {
  const projectId = projectIdOfPages(event.stream)
  if (projectId !== undefined) return yield* onPages(projectId, event)
  const deleted = projectIdOf(event.stream)
  if (deleted !== undefined) yield* SiteStorage.use((sites) => sites.removeAll(deleted))
})

/** Removes the files of sites that are replaced or unpublished, or whose project is deleted, for ever: in one process at a time. */
export const removeSites = react({ name: "pages", types: new Set([deletion, ...pagesCodec.types]), onEvent })
