import { Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import { requireUnmodified } from "../http/answer/conditional.ts"
import { conflict, forbidden, invalidRecord, thingNotFound, type WireError } from "../http/answer/errors.ts"
import { pageOf } from "../http/answer/pagination.ts"
import { noContent, ok, page } from "../http/answer/Reply.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { route } from "../http/Endpoint.ts"
import { defined } from "../kernel/defined.ts"
import { type FoundParent, inGroup, inProject, type ParentInput } from "../parents/requireParent.ts"
import { changesFound, creates } from "../platform/repeats.ts"
import { labelAggregate, type Refusal } from "./aggregate.ts"
import {
  addToGroup,
  addToProject,
  changeNamedOfGroup,
  changeNamedOfProject,
  changeOfGroup,
  changeOfProject,
  listOfGroup,
  listOfProject,
  readOfGroup,
  readOfProject,
  removeFromGroup,
  removeFromProject,
  removeNamedFromGroup,
  removeNamedFromProject
} from "./contract.ts"
import { changesOf, settingsOf } from "./input.ts"
import { type LabelCount, LabelCounts } from "./LabelCounts.ts"
import { presentFaults, presentOfGroup, presentOfProject } from "./present.ts"
import { type LabelPlace, LabelQueries, type LabelRow } from "./Queries.ts"
import { changeLabel, createLabel, deleteLabel } from "./writes.ts"

const labelNotFound = thingNotFound("Label")

const refuse = <A, R>(written: Effect.Effect<A, Refusal | WireError, R>) =>
  Effect.catchTags(written, {
    LabelInvalid: ({ faults }) => Effect.fail(invalidRecord(presentFaults(faults))),
    TitleTaken: () => Effect.fail(conflict("Label already exists")),
    LabelMissing: () => Effect.fail(labelNotFound),
    LabelExists: (refusal) => Effect.die(refusal)
  })

interface Listing extends ParentInput {
  readonly parameters: ParentInput["parameters"] & {
    readonly with_counts: boolean
    readonly include_ancestor_groups: boolean
    readonly search?: string | null
  }
}

const noCount: LabelCount = { openIssues: 0, closedIssues: 0, openMergeRequests: 0 }
const noLabels = { rows: [], extent: { total: 0 } } as const

/** Where labels may not be read there are none, which is how the reference answers. */
const listed = Effect.fnUntraced(function* <Body>(
  { may, parent }: FoundParent,
  { caller, parameters }: Listing,
  present: (row: LabelRow, count?: LabelCount) => Body
) {
  const { include_ancestor_groups: withAncestors, search, with_counts: withCounts } = parameters
  const filter = { parent, withAncestors, ...defined({ search: search || undefined }) }
  const { extent, rows } = may("read_labels")
    ? yield* LabelQueries.use((labels) => labels.list(filter, pageOf({ ...parameters })))
    : noLabels
  if (!withCounts)
    return page(
      rows.map((row) => present(row)),
      extent
    )
  const ids = rows.map(({ id }) => id)
  const counts = yield* LabelCounts.use((labels) => labels.of(ids, parent, caller))
  return page(
    rows.map((row) => present(row, counts.get(row.id) ?? noCount)),
    extent
  )
})

/** A label of a place, by id or title: 404 for none that may be read. */
const requireLabel = Effect.fnUntraced(function* (
  { may, parent }: FoundParent,
  idOrTitle: string | null,
  { withAncestors }: Pick<LabelPlace, "withAncestors">
) {
  const found = may("read_labels")
    ? yield* LabelQueries.use((labels) => labels.find({ parent, withAncestors }, idOrTitle ?? ""))
    : undefined
  return found ?? (yield* labelNotFound)
})

/** A label as the read model shows it by now. */
const shown = Effect.fnUntraced(function* ({ parent }: FoundParent, id: number) {
  const row = yield* LabelQueries.use((labels) => labels.find({ parent, withAncestors: false }, String(id)))
  return row ?? (yield* labelNotFound)
})

interface Addition extends ParentInput {
  readonly caller: Caller
  readonly parameters: ParentInput["parameters"] & Parameters<typeof settingsOf>[0]
}

const added = Effect.fnUntraced(function* (found: FoundParent, { parameters }: Addition) {
  if (!found.may("manage_labels")) return yield* forbidden
  const created = yield* creates(labelAggregate, refuse(createLabel(found.parent, settingsOf(parameters))))
  yield* awaitReadModels(created)
  return yield* shown(found, created.id)
})

interface NamedInput extends ParentInput {
  readonly parameters: ParentInput["parameters"] & { readonly name: string | null }
}

const own = { withAncestors: false } as const

const changed = Effect.fnUntraced(function* (
  found: FoundParent,
  { parameters }: NamedInput & { readonly parameters: Parameters<typeof changesOf>[0] }
) {
  if (!found.may("manage_labels")) return yield* forbidden
  const changes = changesOf(parameters)
  const written = yield* changesFound(labelAggregate, requireLabel(found, parameters.name, own), ({ id }) =>
    refuse(changeLabel(id, changes))
  )
  yield* awaitReadModels(written)
  return yield* shown(found, written.id)
})

/** A label is looked for before it is asked whether the caller may delete it. */
const judgeRemoval = Effect.fnUntraced(function* (found: FoundParent, { parameters, request }: NamedInput) {
  const row = yield* requireLabel(found, parameters.name, own)
  if (!found.may("manage_labels")) return yield* forbidden
  yield* requireUnmodified(row.updated_at, request)
  return row
})

const removed = Effect.fnUntraced(function* (found: FoundParent, input: NamedInput) {
  yield* awaitReadModels(yield* changesFound(labelAggregate, judgeRemoval(found, input), ({ id }) => refuse(deleteLabel(id))))
  return noContent
})

interface ParameterNames {
  readonly label_id?: number | null
  readonly name?: string | null
}

/** The input with the label that a parameter names as one that the path names: digits are an id there. */
const byParameter = <I extends { readonly parameters: ParameterNames }>(input: I) => {
  const { label_id, name = null } = input.parameters
  return { ...input, parameters: { ...input.parameters, name: label_id == null ? name : String(label_id) } }
}

/** Changes and deletions of labels that a parameter names. */
const namedRoutes = [
  route(
    changeNamedOfProject,
    Effect.fnUntraced(function* (input) {
      return ok(presentOfProject(yield* changed(yield* inProject(input), byParameter(input))))
    })
  ),
  route(
    removeNamedFromProject,
    Effect.fnUntraced(function* (input) {
      return yield* removed(yield* inProject(input), byParameter(input))
    })
  ),
  route(
    changeNamedOfGroup,
    Effect.fnUntraced(function* (input) {
      return ok(presentOfGroup(yield* changed(yield* inGroup(input), byParameter(input))))
    })
  ),
  route(
    removeNamedFromGroup,
    Effect.fnUntraced(function* (input) {
      return yield* removed(yield* inGroup(input), input)
    })
  )
]

export const labelRoutes = [
  ...namedRoutes,
  route(
    listOfProject,
    Effect.fnUntraced(function* (input) {
      return yield* listed(yield* inProject(input), input, presentOfProject)
    })
  ),
  route(
    readOfProject,
    Effect.fnUntraced(function* (input) {
      const { include_ancestor_groups: withAncestors, name } = input.parameters
      return ok(presentOfProject(yield* requireLabel(yield* inProject(input), name, { withAncestors })))
    })
  ),
  route(
    addToProject,
    Effect.fnUntraced(function* (input) {
      return ok(presentOfProject(yield* added(yield* inProject(input), input)))
    })
  ),
  route(
    changeOfProject,
    Effect.fnUntraced(function* (input) {
      return ok(presentOfProject(yield* changed(yield* inProject(input), input)))
    })
  ),
  route(
    removeFromProject,
    Effect.fnUntraced(function* (input) {
      return yield* removed(yield* inProject(input), input)
    })
  ),
  route(
    listOfGroup,
    Effect.fnUntraced(function* (input) {
      return yield* listed(yield* inGroup(input), input, presentOfGroup)
    })
  ),
  route(
    readOfGroup,
    Effect.fnUntraced(function* (input) {
      const { include_ancestor_groups: withAncestors, name } = input.parameters
      return ok(presentOfGroup(yield* requireLabel(yield* inGroup(input), name, { withAncestors })))
    })
  ),
  route(
    addToGroup,
    Effect.fnUntraced(function* (input) {
      return ok(presentOfGroup(yield* added(yield* inGroup(input), input)))
    })
  ),
  route(
    changeOfGroup,
    Effect.fnUntraced(function* (input) {
      return ok(presentOfGroup(yield* changed(yield* inGroup(input), input)))
    })
  ),
  route(
    removeFromGroup,
    Effect.fnUntraced(function* (input) {
      return yield* removed(yield* inGroup(input), input)
    })
  )
]
