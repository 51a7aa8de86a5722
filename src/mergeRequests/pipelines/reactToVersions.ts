import { Effect, Result } from "effect"
import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { awaitVisible, react } from "../../platform/reactions/react.ts"
import { Users } from "../../users/Users.ts"
import { type MergeRequestEvent, mergeRequestCodec } from "../events.ts"
import { mergeRequestKeyOf, versionReactor } from "../ids.ts"
import { MergeRequestQueries } from "../Queries.ts"
import { makePipeline } from "./makePipeline.ts"

/** Makes the pipeline of a version in the name of whoever pushed it, unless another one has followed. */
const onVersion = Effect.fnUntraced(function* (event: RecordedEvent, serverUrl: string) {
  const [decoded, key] = [mergeRequestCodec.decode(event), mergeRequestKeyOf(event.stream)]
  if (Result.isFailure(decoded) || decoded.success._tag !== "VersionAdded" || key === undefined) return
  const { by, commits, id: versionId, pipelineId } = decoded.success
  if (pipelineId === undefined || commits === 0) return
  yield* awaitVisible(event)
  const row = yield* MergeRequestQueries.use((requests) => requests.find(key.projectId, key.iid))
  if (row?.state !== "opened" || row.version_id !== versionId) return
  const user = yield* Users.use((users) => users.find(by ?? row.author_id))
  if (user?.state === "active") yield* makePipeline({ row, by: user, id: pipelineId, serverUrl })
})

const added = "VersionAdded" satisfies MergeRequestEvent["_tag"]

/** Makes pipelines for merge requests whose source or target is another one, for ever. Links in their variables begin with the address. */
export const reactToVersions = (serverUrl: string) =>
  react({ name: versionReactor, types: new Set([added]), onEvent: (event) => onVersion(event, serverUrl) })
