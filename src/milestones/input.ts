import { defined, nullAs } from "../kernel/defined.ts"
import type { MilestoneSettings, SettingsChanges } from "./events.ts"
import type { MilestoneFilter } from "./Queries.ts"

interface Dates {
  readonly description?: string | null
  readonly due_date?: string | null
  readonly start_date?: string | null
}

/** The settings of a new milestone, from the parameters. */
export const settingsOf = (parameters: Dates & { readonly title: string | null }): MilestoneSettings => ({
  title: (parameters.title ?? "").trim(),
  description: parameters.description ?? null,
  startDate: parameters.start_date ?? null,
  dueDate: parameters.due_date ?? null
})

/** The changes of a milestone, from the parameters. Null takes dates and description away. */
export const changesOf = (parameters: Dates & { readonly title?: string | null }): SettingsChanges =>
  defined({
    title: nullAs(parameters.title, "")?.trim(),
    description: parameters.description,
    startDate: parameters.start_date,
    dueDate: parameters.due_date
  })

export interface Filters {
  readonly state: "active" | "closed" | "all"
  readonly iids?: ReadonlyArray<number> | null
  readonly title?: string | null
  readonly search?: string | null
  readonly include_ancestors?: boolean | null
  readonly include_parent_milestones?: boolean | null
  readonly updated_before?: number | null
  readonly updated_after?: number | null
}

/** The conditions of a list, from the parameters. What is blank is no condition. */
export const filterOf = (parameters: Filters): Omit<MilestoneFilter, "parent"> => {
  const { iids, state } = parameters
  return {
    withAncestors: (parameters.include_ancestors ?? parameters.include_parent_milestones) === true,
    ...defined({
      state: state === "all" ? undefined : state,
      title: parameters.title || undefined,
      search: parameters.search || undefined,
      iids: iids?.length ? iids : undefined,
      updatedAfter: parameters.updated_after ?? undefined,
      updatedBefore: parameters.updated_before ?? undefined
    })
  }
}
