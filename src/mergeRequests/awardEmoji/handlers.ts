import { Effect } from "effect"
import {
  awardEndpoints,
  awardsNotFound,
  type Found,
  giveAward,
  listAwards,
  readAward,
  revokeAward
} from "../../awardEmoji/AwardEmoji.ts"
import { route } from "../../http/Endpoint.ts"
import { can, requireProject } from "../../projects/Projects.ts"
import { area, mergeRequest, named } from "../contract.ts"
import { mayRead, type OfMergeRequest, requireVisibleIdentity } from "../requireMergeRequest.ts"

const declared = awardEndpoints({
  area,
  thing: "merge request",
  prefix: area,
  sampleId: 1,
  path: mergeRequest,
  parameters: named
})

/** Whoever may comment a merge request may award it. */
const awarded = Effect.fnUntraced(function* (input: OfMergeRequest) {
  const found = yield* requireProject(input)
  if (!mayRead(found)) return yield* awardsNotFound
  const { id } = yield* requireVisibleIdentity(found, input.parameters.merge_request_iid)
  const one: Found = { awardable: { type: "MergeRequest", id }, mayAward: can("create_note", found.principal, found.project) }
  return one
})

const list = route(
  declared.list,
  Effect.fnUntraced(function* (input) {
    return yield* listAwards(yield* awarded(input), input.parameters, input.request)
  })
)

const read = route(
  declared.read,
  Effect.fnUntraced(function* (input) {
    return yield* readAward(yield* awarded(input), input.parameters.award_id, input.request)
  })
)

const post = route(
  declared.award,
  Effect.fnUntraced(function* (input) {
    return yield* giveAward(yield* awarded(input), { ...input, name: input.parameters.name })
  })
)

const remove = route(
  declared.takeBack,
  Effect.fnUntraced(function* (input) {
    return yield* revokeAward(yield* awarded(input), { ...input, id: input.parameters.award_id })
  })
)

export const awardRoutes = [list, read, post, remove]
