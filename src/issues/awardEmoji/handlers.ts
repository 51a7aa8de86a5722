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
import { area, issue, named } from "../contract.ts"
import { type OfIssue, requireIdentity } from "../requireIssue.ts"

const declared = awardEndpoints({ area, thing: "issue", prefix: area, sampleId: 2, path: issue, parameters: named })

/** Whoever may comment an issue may award it. */
const awarded = Effect.fnUntraced(function* (input: OfIssue) {
  const found = yield* requireProject(input)
  if (!can("read_issues", found.principal, found.project)) return yield* awardsNotFound
  const { id } = yield* requireIdentity(found, input.parameters.issue_iid, input.caller?.user.id)
  const one: Found = { awardable: { type: "Issue", id }, mayAward: can("create_note", found.principal, found.project) }
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
