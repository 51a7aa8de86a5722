import { Effect } from "effect"
import { CurrentOrigin, systemOrigin } from "../../platform/Origin.ts"
import { leadReactor } from "../../platform/reactions/ReactorSession.ts"
import { workThrough } from "../../platform/reactions/workThrough.ts"
import { ExportQueries } from "../Queries.ts"
import { giveUpExport, performExport } from "./performExport.ts"

/** An export at which the service fails so often is given up. */
const maxTries = 5
/** Each holds a processor for long. */
const turns = { concurrency: 2, perCaller: 1 }

const work = Effect.gen(function* () {
  const { due } = yield* ExportQueries
  return yield* workThrough({
    due,
    turns,
    turnOf: ({ id, requestedBy }) => ({ caller: requestedBy, subject: String(id) }),
    perform: ({ id }) => performExport(id),
    onFailure: Effect.fnUntraced(function* ({ id, number }, tries, cause) {
      yield* Effect.logWarning(`Project ${id} could not be exported`, cause)
      if (tries >= maxTries) yield* Effect.ignoreCause(giveUpExport({ projectId: id, number }))
    })
  })
})

/** Does the exports that were asked for, and goes on with those that a process left undone, for ever: in one process at a time. */
export const runExports = Effect.provideService(
  leadReactor("relation-exports", () => work),
  CurrentOrigin,
  systemOrigin("exports")
)
