import { Effect, type Schema, Stream } from "effect"
import { CommandFailed } from "../exit.ts"
import type { ExportFolder } from "./files.ts"
import type { NumberedKind } from "./Import.ts"
import { Issue, Label, MergeRequest, Milestone } from "./shapes/issuables.ts"
import { Pipeline, PipelineSchedule } from "./shapes/pipelines.ts"
import { CommitNote, protectedRef, Release } from "./shapes/project.ts"
import { countUploads } from "./uploads.ts"

/** Attributes that name a user. */
const ofUsers: ReadonlySet<string> = new Set([
  "author_id",
  "user_id",
  "owner_id",
  "closed_by_id",
  "latest_closed_by_id",
  "resolved_by_id",
  "merge_user_id",
  "merged_by_id"
])

/** Adds the ids of all users that a record names. */
const addUsers = (value: unknown, users: Set<number>): void => {
  if (typeof value !== "object" || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === "number" && ofUsers.has(name)) users.add(inner)
    else addUsers(inner, users)
  }
}

/** What an export holds, of which every record can be read. */
export interface Contents {
  /** How many records each relation has, by its name. */
  readonly counts: ReadonlyMap<string, number>
  /** The users that are named, by their ids there. */
  readonly userIds: ReadonlySet<number>
  /** The highest numbers within the project; 0 where there are none. */
  readonly highest: Readonly<Record<NumberedKind, number>>
  /** Files beside the uploads that are none, such as the picture of the project. */
  readonly otherFiles: ReadonlyArray<string>
}

const fail = (message: string) => new CommandFailed({ message })

/** Reads all records once, so that nothing is begun of what could not be finished: the failure names the file, the line and what is wrong. */
export const readAll = Effect.fn("cli.readExport")(function* (from: ExportFolder) {
  const counts = new Map<string, number>()
  const userIds = new Set<number>()
  const highest = { issue: 0, merge_request: 0, project_milestone: 0, pipeline: 0 }
  const iidOf = (kind: NumberedKind, { iid }: { readonly iid: number | null }) => {
    highest[kind] = Math.max(highest[kind], iid ?? 0)
    return iid
  }
  const read = Effect.fnUntraced(function* <T, E>(
    relation: string,
    schema: Schema.Codec<T, E>,
    keyOf: (record: T) => string | number | null = () => null
  ) {
    const seen = new Set<string | number>()
    let count = 0
    yield* Stream.runForEach(from.placed(relation, schema), ({ place, record }) => {
      count += 1
      addUsers(record, userIds)
      const key = keyOf(record)
      if (key !== null && seen.has(key)) return fail(`${place}: Two of ${relation} are called ${key}`)
      if (key !== null) seen.add(key)
      return Effect.void
    })
    counts.set(relation, count)
  })
  yield* read("labels", Label, ({ title, type }) => `${type} ${title}`)
  yield* read("milestones", Milestone, (record) => iidOf("project_milestone", record))
  // Neither may be there twice. They are few, so they are read twice.
  yield* read("milestones", Milestone, ({ group_id, title }) => (group_id === null ? title : null))
  yield* read("issues", Issue, (record) => iidOf("issue", record))
  yield* read("merge_requests", MergeRequest, (record) => iidOf("merge_request", record))
  yield* read("ci_pipelines", Pipeline, (record) => iidOf("pipeline", record))
  yield* read("pipeline_schedules", PipelineSchedule)
  yield* read("releases", Release, ({ tag }) => tag)
  yield* read("commit_notes", CommitNote)
  yield* read("protected_branches", protectedRef("branch"), ({ name }) => name)
  yield* read("protected_tags", protectedRef("tag"), ({ name }) => name)
  const { count, others } = yield* countUploads(from)
  counts.set("uploads", count)
  const contents: Contents = { counts, userIds, highest, otherFiles: others }
  return contents
})
