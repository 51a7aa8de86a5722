import { Effect } from "effect"
import { maySeeGroup } from "../../groups/Groups.ts"
import type { Caller } from "../../http/access/Caller.ts"
import { presentShare } from "../../members/present.ts"
import { can } from "../abilities.ts"
import { ProjectImports } from "../ProjectImports.ts"
import { askerOf, projectNotFound } from "../Projects.ts"
import { type ProjectDetails, ProjectQueries } from "../Queries.ts"
import { figuresOf, licenseOfProject } from "../repository/view.ts"
import { presentFull, type Viewed } from "./present.ts"

/** What was imported into these projects, in their order. */
const importsInto = Effect.fnUntraced(function* (rows: ReadonlyArray<ProjectDetails>) {
  const imports = yield* ProjectImports
  return yield* Effect.forEach(rows, ({ id }) => imports.find(id), { concurrency: "unbounded" })
})

/** The groups that these projects are shared with, those that the caller may see, by project. */
const sharesWith = Effect.fnUntraced(function* (rows: ReadonlyArray<ProjectDetails>, caller: Caller | undefined) {
  const shared = caller === undefined ? [] : rows.filter(({ is_shared }) => is_shared).map(({ id }) => id)
  const shares = shared.length === 0 ? [] : yield* ProjectQueries.use((projects) => projects.shares(shared, caller?.user.id))
  return Map.groupBy(
    shares.filter((share) => maySeeGroup(caller, share)),
    ({ shared_id }) => shared_id
  )
})

/** Who asks, where, and for what besides the usual. */
interface ViewInput {
  readonly caller: Caller | undefined
  readonly request: { readonly externalUrl: string }
  readonly statistics?: boolean
  readonly license?: boolean
}

/** Projects as the caller sees them, each with the one that it is a fork of, and with what was imported. */
const viewed = Effect.fnUntraced(function* (rows: ReadonlyArray<ProjectDetails>, { caller, license, statistics }: ViewInput) {
  const ids = [...new Set(rows.flatMap(({ forked_from_id }) => forked_from_id ?? []))]
  const sources = ids.length === 0 ? [] : yield* ProjectQueries.use((projects) => projects.details(ids, caller?.user.id))
  const seen = sources.map((row) => ({ row, who: askerOf(caller, row.role) }))
  const byId = new Map(seen.filter(({ row, who }) => can("read_project", who, row)).map((one) => [one.row.id, one]))
  const imported = caller === undefined ? [] : yield* importsInto(rows)
  const shares = yield* sharesWith(rows, caller)
  const figures = caller !== undefined && statistics === true ? yield* figuresOf(rows, caller) : undefined
  const licenses = license === true ? yield* Effect.forEach(rows, (row) => licenseOfProject(row, caller)) : []
  return rows.map((row, index): Viewed => {
    const source = byId.get(row.forked_from_id ?? 0)
    const [own, counted, licensed] = [imported[index], figures?.get(row.id), licenses[index]]
    return {
      row,
      who: askerOf(caller, row.role),
      sharedWith: (shares.get(row.id) ?? []).map(presentShare),
      ...(source === undefined ? {} : { source }),
      ...(own === undefined ? {} : { imported: own }),
      ...(counted === undefined ? {} : { figures: counted }),
      ...(licensed === undefined ? {} : { license: licensed })
    }
  })
})

/** How a project is shown: in the forms of `present.ts`, of which anonymous callers see the simple one alone. */
type Present<P> = (viewed: Viewed, externalUrl: string) => P

export const presentAll = Effect.fnUntraced(function* <P>(
  rows: ReadonlyArray<ProjectDetails>,
  present: Present<P>,
  input: ViewInput
) {
  return (yield* viewed(rows, input)).map((one) => present(one, input.request.externalUrl))
})

/** One project, as the read model has it now. */
export const presentOne = Effect.fnUntraced(function* <P>(id: number, present: Present<P>, input: ViewInput) {
  const rows = yield* ProjectQueries.use((projects) => projects.details([id], input.caller?.user.id))
  const [presented] = yield* presentAll(rows, present, input)
  return presented ?? (yield* projectNotFound)
})

/** What writes answer. */
export const presentWritten = (id: number, input: ViewInput & { readonly caller: Caller }) => presentOne(id, presentFull, input)
