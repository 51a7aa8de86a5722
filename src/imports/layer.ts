import { Effect, Layer } from "effect"
import { handle, load } from "../platform/Commands.ts"
import type { EventStore } from "../platform/eventStore/EventStore.ts"
import type { Secrets } from "../platform/secrets/Secrets.ts"
import { ImportRefused, ProjectImports } from "../projects/ProjectImports.ts"
import { importAggregate } from "./aggregate.ts"
import { importStream } from "./ids.ts"
import { ImportQueries } from "./Queries.ts"
import { remoteFault } from "./remote/fault.ts"
import { probeRemote } from "./remote/git.ts"
import { ImportLimits } from "./remote/ImportLimits.ts"
import { pinnedAddresses } from "./remote/pinned.ts"
import { parseImportUrl } from "./remote/url.ts"
import { sealCredentials } from "./work/sealedCredentials.ts"

const parsed = (address: string) =>
  Effect.mapError(Effect.fromResult(parseImportUrl(address)), (message) => new ImportRefused({ message }))

const probe = Effect.fn("ProjectImports.probe")(function* (address: string) {
  const remote = yield* parsed(address)
  const { credentials, url } = remote
  const pinned = yield* pinnedAddresses(remote)
  yield* probeRemote({ _tag: "Server", url, credentials, pinned }).pipe(
    Effect.mapError(({ stderr }) => new ImportRefused({ message: remoteFault(stderr) }))
  )
})

const schedule = Effect.fn("ProjectImports.schedule")(function* (projectId: number, address: string) {
  const { credentials, url } = yield* parsed(address)
  const { position, state } = yield* load(importAggregate, projectId)
  // A repeat of the request that scheduled it: the credentials may be forgotten by now, and must not be kept anew.
  if (state._tag !== "Absent") return { stream: importStream(projectId), position }
  const source = { url, credentials: yield* sealCredentials(projectId, credentials) }
  return yield* Effect.orDie(handle(importAggregate, projectId, { _tag: "Schedule", source }))
})

type Needed = EventStore | ImportLimits | ImportQueries | Secrets

/** Answers what projects ask of imports. */
export const layerImports: Layer.Layer<ProjectImports, never, Needed> = Layer.effect(
  ProjectImports,
  Effect.gen(function* () {
    const services = yield* Effect.context<Needed>()
    const { find } = yield* ImportQueries
    const { isEnabled } = yield* ImportLimits
    return ProjectImports.of({
      isEnabled,
      find,
      probe: (address) => Effect.provide(probe(address), services),
      schedule: (projectId, address) => Effect.provide(schedule(projectId, address), services)
    })
  })
)
