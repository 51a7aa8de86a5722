import { defined } from "#src/kernel/defined.ts"
import { taskCompletion } from "#src/mergeRequests/text/taskCompletion.ts"
import { type Change, patch, put, type Row, remove } from "../ReadModel.ts"

// What issues and merge requests say is in a table of its own, beside that of their other attributes.

const texts = "texts"

export const textTables = { [texts]: ["project_id", "iid"] } as const

interface Key extends Row {
  readonly project_id: number
  readonly iid: number
}

interface Texts {
  readonly title: string
  readonly description: string | null
}

interface ChangedTexts {
  readonly title?: string | undefined
  readonly description?: string | null | undefined
}

export const textsPut = (key: Key, id: number, { description, title }: Texts): Change =>
  put(texts, { ...key, id, title, description })

/** The tasks in a description, which are counted once, not by all who read them: nothing where it does not change. */
export const tasksIn = (description: string | null | undefined) => {
  const completion = description === undefined ? undefined : taskCompletion(description ?? "")
  return defined({ tasks: completion?.count, completed_tasks: completion?.completedCount })
}

/** Nothing where neither of them changes. */
export const textsChanged = (key: Key, { description, title }: ChangedTexts): ReadonlyArray<Change> => {
  const columns = defined({ title, description })
  return Object.keys(columns).length === 0 ? [] : [patch(texts, key, columns)]
}

export const textsRemoved = (key: Key): Change => remove(texts, key)
