import { Effect } from "effect"
import { notFound, unauthorized, WireError } from "../../http/answer/errors.ts"
import { ok } from "../../http/answer/Reply.ts"
import { route } from "../../http/Endpoint.ts"
import { handle } from "../../platform/Commands.ts"
import { changes } from "../../platform/repeats.ts"
import { requireProject } from "../../projects/Projects.ts"
import { awaitMergeRequest } from "../awaitMergeRequest.ts"
import { noteIssuesSoon } from "../closing/noteIssuesToClose.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import { described } from "../described.ts"
import { refuse } from "../refuse.ts"
import { requireVisible } from "../requireMergeRequest.ts"
import { detailsOf, mayMerge } from "../view.ts"
import { cancelAutoMerge } from "./contract.ts"

const isClosed = new WireError({ status: 406, body: { message: "Can't cancel the automatic merge" } })

const cancel = route(
  cancelAutoMerge,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const found = yield* requireProject(input)
    const iid = parameters.merge_request_iid ?? (yield* notFound)
    const key = { projectId: found.project.id, iid }
    const make = Effect.gen(function* () {
      const row = yield* requireVisible(found, iid)
      if (row.author_id !== caller.user.id && !(yield* mayMerge(found, row))) return yield* unauthorized
      if (row.state === "closed") return yield* isClosed
      return yield* handle(mergeRequestAggregate, key, { _tag: "CancelAutoMerge", by: caller.user.id })
    })
    yield* changes(mergeRequestAggregate, key, refuse(make))
    yield* noteIssuesSoon(key, { externalUrl: request.externalUrl, home: found.project })
    yield* awaitMergeRequest(key)
    return ok(yield* detailsOf(yield* described(yield* requireVisible(found, iid)), found, { caller, request }))
  })
)

export const autoMergeRoutes = [cancel]
