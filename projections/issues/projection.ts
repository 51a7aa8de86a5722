import { readFileSync } from "node:fs"
import { type AttributeChanges, type Attributes, IssueEvent, issueCodec } from "#src/issues/events.ts"
import { type IssueKey, issueKeyOf } from "#src/issues/ids.ts"
import { snakeCased } from "#src/kernel/letterCase.ts"
import { discussionCodec } from "#src/notes/events.ts"
import { discussionKeyOf } from "#src/notes/ids.ts"
import { userCodec } from "#src/users/events.ts"
import { userIdOf } from "#src/users/ids.ts"
import { tasksIn, textsChanged, textsPut, textsRemoved, textTables } from "../issuables/texts.ts"
import { type Change, idTaken, on, patch, put, type ReadModel, remove, removeWhere } from "../ReadModel.ts"

const [issues, assignees, labels, deleted] = ["issues", "assignees", "labels", "deleted"]

const keyOf = ({ iid, projectId }: IssueKey) => ({ project_id: projectId, iid })

const assigneesOf = (key: IssueKey, ids: ReadonlyArray<number>): ReadonlyArray<Change> =>
  ids.map((id, place) => put(assignees, { ...keyOf(key), user_id: id, place }))

const labelsOf = (key: IssueKey, ids: ReadonlyArray<number>): ReadonlyArray<Change> =>
  ids.map((id) => put(labels, { ...keyOf(key), label_id: id }))

type Opened = Extract<IssueEvent, { readonly _tag: "IssueOpened" }>

const opened = (key: IssueKey, { _tag, createdAt, id, authorId, ...attributes }: Opened, at: number): ReadonlyArray<Change> => {
  const { assigneeIds, description, labelIds, ...columns }: Attributes = attributes
  return [
    idTaken("issue", id),
    put(issues, {
      ...keyOf(key),
      id,
      author_id: authorId,
      ...snakeCased(columns),
      ...tasksIn(description),
      state: "opened",
      created_at: createdAt ?? at,
      updated_at: at,
      closed_at: null,
      closed_by_id: null
    }),
    textsPut(keyOf(key), id, attributes),
    ...assigneesOf(key, assigneeIds),
    ...labelsOf(key, labelIds)
  ]
}

const changed = (
  key: IssueKey,
  { assigneeIds, description, labelIds, ...columns }: AttributeChanges,
  at: number
): ReadonlyArray<Change> => [
  patch(issues, keyOf(key), {
    ...snakeCased(columns),
    ...tasksIn(description),
    updated_at: at
  }),
  ...textsChanged(keyOf(key), { title: columns.title, description }),
  ...(assigneeIds === undefined ? [] : [removeWhere(assignees, keyOf(key)), ...assigneesOf(key, assigneeIds)]),
  ...(labelIds === undefined ? [] : [removeWhere(labels, keyOf(key)), ...labelsOf(key, labelIds)])
]

const changes = (key: IssueKey, event: IssueEvent, at: number): ReadonlyArray<Change> => {
  const columns = (changedColumns: Parameters<typeof patch>[2]) => [
    patch(issues, keyOf(key), { ...changedColumns, updated_at: at })
  ]
  return IssueEvent.match(event, {
    IssueOpened: (it) => opened(key, it, at),
    IssueChanged: (it) => changed(key, it.changes, at),
    IssueClosed: ({ by }) => columns({ state: "closed", closed_at: at, closed_by_id: by }),
    IssueReopened: () => columns({ state: "opened", closed_at: null, closed_by_id: null }),
    IssueDeleted: () => [
      remove(issues, keyOf(key)),
      textsRemoved(keyOf(key)),
      removeWhere(assignees, keyOf(key)),
      removeWhere(labels, keyOf(key)),
      put(deleted, keyOf(key))
    ]
  })
}

/** Issues with their texts, people and labels. */
export const issuesReadModel: ReadModel = {
  name: "issues",
  version: 6,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: {
    [issues]: ["project_id", "iid"],
    ...textTables,
    [assignees]: ["project_id", "iid", "user_id"],
    [labels]: ["project_id", "iid", "label_id"],
    [deleted]: ["project_id", "iid"],
    label_counts: ["label_id", "project_id", "is_confidential"],
    open_counts: ["project_id", "is_confidential"]
  },
  projections: [
    on(issueCodec, (event, { at, stream }) => {
      const key = issueKeyOf(stream)
      return key === undefined ? [] : changes(key, event, at)
    }),
    // Who is deleted is nobody's assignee any more.
    on(userCodec, ({ _tag }, { stream }) => {
      const id = _tag === "UserDeleted" ? userIdOf(stream) : undefined
      return id === undefined ? [] : [removeWhere(assignees, { user_id: id })]
    }),
    // Whoever writes a note changes what it is about.
    on(discussionCodec, (_, { at, stream }) => {
      const key = discussionKeyOf(stream)
      return key?.type === "issue" ? [patch(issues, keyOf(key), { updated_at: at })] : []
    })
  ]
}
