import { Effect } from "effect"
import type { Caller } from "../http/Caller.ts"
import { Imports } from "../imports/Imports.ts"
import { can } from "./abilities.ts"
import { askerOf } from "./Projects.ts"
import { presentFull, presentSimple, presentWithPermissions, type Viewed } from "./present.ts"
import { type ProjectDetails, ProjectReadModel } from "./ReadModel.ts"
import { projectNotFound } from "./requireProject.ts"

/** What was imported into these projects, in their order. */
const importsInto = Effect.fnUntraced(function* (rows: ReadonlyArray<ProjectDetails>) {
  const imports = yield* Imports
  return yield* Effect.forEach(rows, ({ id }) => imports.find(id), { concurrency: "unbounded" })
})

/** Projects as the caller sees them, each with the one that it is a fork of, and with what was imported. */
export const viewed = Effect.fnUntraced(function* (rows: ReadonlyArray<ProjectDetails>, caller: Caller | undefined) {
  const ids = [...new Set(rows.flatMap(({ forked_from_id }) => forked_from_id ?? []))]
  const sources = ids.length === 0 ? [] : yield* ProjectReadModel.use((projects) => projects.details(ids, caller?.user.id))
  const seen = sources.map((row) => ({ row, who: askerOf(caller, row.role) }))
  const byId = new Map(seen.filter(({ row, who }) => can("read_project", who, row)).map((one) => [one.row.id, one]))
  const imported = caller === undefined ? [] : yield* importsInto(rows)
  return rows.map((row, index): Viewed => {
    const source = byId.get(row.forked_from_id ?? 0)
    const own = imported[index]
    return {
      row,
      who: askerOf(caller, row.role),
      ...(source === undefined ? {} : { source }),
      ...(own === undefined ? {} : { imported: own })
    }
  })
})

const presenters = { simple: presentSimple, full: presentFull, withPermissions: presentWithPermissions }
export type Form = keyof typeof presenters

/** Projects in one form: `full` is what writes answer. Anonymous callers see the simple form of any. */
export const presentAll = Effect.fnUntraced(function* (
  rows: ReadonlyArray<ProjectDetails>,
  form: Form,
  { caller, request }: { readonly caller: Caller | undefined; readonly request: { readonly externalUrl: string } }
) {
  const present = presenters[caller === undefined ? "simple" : form]
  return (yield* viewed(rows, caller)).map((one) => present(one, request.externalUrl))
})

/** One project, as the read model has it now. */
export const presentOne = Effect.fnUntraced(function* (
  id: number,
  form: Form,
  asked: { readonly caller: Caller | undefined; readonly request: { readonly externalUrl: string } }
) {
  const rows = yield* ProjectReadModel.use((projects) => projects.details([id], asked.caller?.user.id))
  const [presented] = yield* presentAll(rows, form, asked)
  return presented ?? (yield* projectNotFound)
})
