import { Effect } from "effect"
import { namedReactionOf, reactionOf } from "../../awardEmoji/Reaction.ts"
import { AppConfig } from "../../config.ts"
import type { Caller } from "../../http/access/Caller.ts"
import { unauthorized, type WireError } from "../../http/answer/errors.ts"
import { parseMoment } from "../../http/parameters/dateTimes.ts"
import { anyOrNone, byId, byName, type NamedPerson, personBy } from "../../issuables/Person.ts"
import { defined } from "../../kernel/defined.ts"
import type { MergeRequestFilter, People, PeopleFilter } from "../Queries.ts"
import { approvalFilter } from "./approvalFilter.ts"
import type { Filters } from "./contract.ts"
import { excludedLabelingOf, labelingFilterOf } from "./labelingParameters.ts"

/** The id of no user: nothing is whose. */
const nobody = 0

/** Nobody in particular where nobody is named. */
const people = (...some: ReadonlyArray<NamedPerson | undefined>): People | undefined => {
  const named = some.filter((person) => person !== undefined)
  return named.length === 0 ? undefined : named
}

const byNames = (names: ReadonlyArray<string> | null | undefined): People | undefined => people(...(names ?? []).map(byName))

const peopleBy = (name: string, text: string | null | undefined) =>
  Effect.map(personBy(name, text), (person): People | undefined => (typeof person === "object" ? [person] : person))

const excludedBy = (not: NonNullable<Filters["not"]>, caller: Caller | undefined): PeopleFilter =>
  defined({
    author: byId(not.author_id) ?? byName(not.author_username),
    assignees: people(byId(not.assignee_id)) ?? byNames(not.assignee_username),
    reviewers: people(byId(not.reviewer_id), byName(not.reviewer_username)),
    reaction: namedReactionOf(not.my_reaction_emoji, caller)
  })

const searched = ({ in: places, search }: Filters): MergeRequestFilter["search"] => {
  if (!search) return undefined
  const wanted = (places ?? "").split(",").map((place) => place.trim())
  const known = (["title", "description"] as const).filter((place) => wanted.includes(place))
  return { text: search, in: known.length === 0 ? ["title", "description"] : known }
}

/** What is no time is none. */
const timeIn = (text: string | null | undefined): number | undefined => (text ? parseMoment(text)?.millis : undefined)

/** One deployment fits all that is asked for; nothing where nothing is. */
const deployedBy = ({ deployed_after, deployed_before, environment }: Filters): MergeRequestFilter["deployed"] => {
  const asked = defined({ environment: environment || undefined, after: timeIn(deployed_after), before: timeIn(deployed_before) })
  return Object.keys(asked).length === 0 ? undefined : asked
}

const yes = (word: "no" | "yes" | null | undefined): boolean | undefined => (word ? word === "yes" : undefined)

/** The callers's own or those assigned to them, by the scope that is asked for, else this one. */
const scoped = (scope: NonNullable<Filters["scope"]>, caller: Caller | undefined): MergeRequestFilter["scope"] => {
  if (scope === "all") return undefined
  return { of: scope.startsWith("created") ? "author" : "assignee", userId: caller?.user.id ?? nobody }
}

/** Nobody without a token has any of their own: their list of all is refused, others are empty. */
export const requireScope = ({ scope }: Filters, caller: Caller | undefined): Effect.Effect<void, WireError> =>
  caller === undefined && scope !== "all" ? Effect.fail(unauthorized) : Effect.void

/** What the parameters ask for. */
export const filterOf = Effect.fnUntraced(function* (
  parameters: Filters,
  caller: Caller | undefined,
  defaultScope: "all" | "created_by_me"
) {
  const { not, state } = parameters
  const { featureFlags } = yield* AppConfig
  const filter: MergeRequestFilter = defined({
    state: state === "all" || state === null ? undefined : state,
    scope: scoped(parameters.scope ?? defaultScope, caller),
    author: byId(parameters.author_id) ?? byName(parameters.author_username),
    assignees: (yield* peopleBy("assignee_id", parameters.assignee_id)) ?? byNames(parameters.assignee_username),
    reviewers:
      (yield* peopleBy("reviewer_id", parameters.reviewer_id)) ??
      anyOrNone(parameters.reviewer_username ?? "") ??
      people(byName(parameters.reviewer_username)),
    merger: byId(parameters.merge_user_id) ?? byName(parameters.merge_user_username),
    reaction: reactionOf(parameters.my_reaction_emoji, caller),
    not: not ? { ...excludedBy(not, caller), ...excludedLabelingOf(not) } : undefined,
    ...labelingFilterOf(parameters),
    sourceBranch: parameters.source_branch ?? undefined,
    targetBranch: parameters.target_branch ?? undefined,
    sourceProjectId: parameters.source_project_id ?? undefined,
    search: searched(parameters),
    isDraft: yes(parameters.wip),
    deployed: deployedBy(parameters),
    ...(yield* approvalFilter(parameters)),
    isApproved: featureFlags?.has("mr_approved_filter") ? yes(parameters.approved) : undefined,
    createdAfter: parameters.created_after ?? undefined,
    createdBefore: parameters.created_before ?? undefined,
    updatedAfter: parameters.updated_after ?? undefined,
    updatedBefore: parameters.updated_before ?? undefined,
    order: { by: parameters.order_by ?? "created_at", descending: parameters.sort !== "asc" }
  })
  return filter
})
