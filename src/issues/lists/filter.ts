import { Effect } from "effect"
import { namedReactionOf, reactionOf } from "../../awardEmoji/Reaction.ts"
import type { Caller } from "../../http/access/Caller.ts"
import { unauthorized, type WireError } from "../../http/answer/errors.ts"
import type { Decoded } from "../../http/parameters/parameters.ts"
import { labelsIn, type MilestoneFilter, milestoneIn, titlesIn } from "../../issuables/labelingFilter.ts"
import { byId, byName, type NamedPerson, personBy } from "../../issuables/Person.ts"
import { viewerOf } from "../../issuables/Viewer.ts"
import { defined } from "../../kernel/defined.ts"
import type { Exclusions, IssueFilter, People, Search } from "../Queries.ts"
import type { listIssues } from "./contract.ts"
import { dueCondition } from "./due.ts"

export type Filters = Omit<Decoded<(typeof listIssues)["parameters"]>, "non_archived">

/** The id of no user: nothing is whose. */
const nobody = 0

interface Milestones {
  readonly milestone?: string | null
  readonly milestone_id?: keyof typeof milestoneIds | "" | null
}

/** Clients write them in both ways. */
const milestoneIds = {
  Any: "any",
  None: "none",
  Upcoming: "upcoming",
  Started: "started",
  any: "any",
  none: "none",
  upcoming: "upcoming",
  started: "started"
} as const

/** A milestone by its title, or some by a word. */
const milestoneOf = ({ milestone, milestone_id: word }: Milestones): MilestoneFilter | undefined =>
  word ? milestoneIds[word] : milestoneIn(milestone)

const searched = ({ in: places, search }: Filters): Search | undefined => {
  if (!search) return undefined
  const wanted = (places ?? "").split(",").map((place) => place.trim())
  const known = (["title", "description"] as const).filter((place) => wanted.includes(place))
  return { text: search, in: known.length === 0 ? ["title", "description"] : known }
}

const people = (person: NamedPerson | undefined): People | undefined => (person === undefined ? undefined : [person])

const byNames = (names: ReadonlyArray<string> | null | undefined): People | undefined => {
  const named = (names ?? []).flatMap((name) => byName(name) ?? [])
  return named.length === 0 ? undefined : named
}

const excludedBy = (not: NonNullable<Filters["not"]>, caller: Caller | undefined): Exclusions =>
  defined({
    iids: not.iids ?? undefined,
    author: byId(not.author_id) ?? byName(not.author_username),
    assignees: people(byId(not.assignee_id)) ?? byNames(not.assignee_username),
    reaction: namedReactionOf(not.my_reaction_emoji, caller),
    labels: titlesIn(not.labels),
    milestone: milestoneOf(not)
  })

/** The callers's own or those assigned to them. */
const scoped = (scope: NonNullable<Filters["scope"]>, caller: Caller | undefined): IssueFilter["scope"] => {
  if (scope === "all") return undefined
  return { of: scope.startsWith("created") ? "author" : "assignee", userId: caller?.user.id ?? nobody }
}

/** Nobody without a token has any of their own: their list of all is refused, others are empty. */
export const requireScope = ({ scope }: Filters, caller: Caller | undefined): Effect.Effect<void, WireError> =>
  caller === undefined && scope !== "all" ? Effect.fail(unauthorized) : Effect.void

interface Asking {
  readonly caller: Caller | undefined
  readonly defaultScope: "all" | "created_by_me"
  /** The time is in milliseconds since 1970. */
  readonly now: number
}

/** What the parameters ask for. */
export const filterOf = Effect.fnUntraced(function* (parameters: Filters, { caller, defaultScope, now }: Asking) {
  const { due_date, iids, not, state } = parameters
  const assignee = yield* personBy("assignee_id", parameters.assignee_id)
  const filter: IssueFilter = {
    viewer: viewerOf(caller),
    order: { by: parameters.order_by ?? "created_at", descending: parameters.sort !== "asc" },
    ...defined({
      state: state === "all" || state === null ? undefined : state,
      scope: scoped(parameters.scope ?? defaultScope, caller),
      iids: iids && iids.length > 0 ? iids : undefined,
      author: byId(parameters.author_id) ?? byName(parameters.author_username),
      assignees:
        assignee === "any" || assignee === "none" ? assignee : (people(assignee) ?? byNames(parameters.assignee_username)),
      labels: labelsIn(parameters.labels),
      milestone: milestoneOf(parameters),
      isConfidential: parameters.confidential ?? undefined,
      due: due_date ? dueCondition(due_date, now) : undefined,
      reaction: reactionOf(parameters.my_reaction_emoji, caller),
      search: searched(parameters),
      createdAfter: parameters.created_after ?? undefined,
      createdBefore: parameters.created_before ?? undefined,
      updatedAfter: parameters.updated_after ?? undefined,
      updatedBefore: parameters.updated_before ?? undefined,
      not: not ? excludedBy(not, caller) : undefined
    })
  }
  return filter
})
