import { Effect, type Schema, Stream } from "effect"
import type { Fault } from "../../kernel/faults.ts"
import { settingsFaults as labelFaults } from "../../labels/faults.ts"
import { settingsFaults as milestoneFaults } from "../../milestones/faults.ts"
import { settingsFaults as scheduleFaults } from "../../schedules/faults.ts"
import { CommandFailed } from "../exit.ts"
import type { ExportFolder } from "./files.ts"
import type { NumberedKind } from "./Import.ts"
import { Issue, Label, MergeRequest, Milestone } from "./shapes/issuables.ts"
import { Pipeline, PipelineSchedule } from "./shapes/pipelines.ts"
import { CommitNote, ProtectedRef, Release } from "./shapes/project.ts"
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
}

const fail = (message: string) => new CommandFailed({ message })

const refuseFaulty = (what: string, faults: ReadonlyArray<Fault>) =>
  faults.length === 0
    ? Effect.void
    : fail(`The ${what} cannot be kept: ${faults.map(({ attribute, text }) => `${attribute} ${text}`).join(", ")}`)

const checkLabel = ({ color, description, title }: Label) =>
  refuseFaulty(`label ${title}`, labelFaults({ title, color, description }))

const checkMilestone = ({ description, due_date: dueDate, start_date: startDate, title }: Milestone) =>
  refuseFaulty(`milestone ${title}`, milestoneFaults({ title, description, startDate, dueDate }))

const checkSchedule = ({ cron, cron_timezone: cronTimezone, description, ref }: PipelineSchedule) =>
  refuseFaulty(`schedule ${description}`, scheduleFaults({ description, ref, cron, cronTimezone, isActive: false }))

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
    keyOf: (record: T) => string | number | null = () => null,
    check: (record: T) => Effect.Effect<void, CommandFailed> = () => Effect.void
  ) {
    const seen = new Set<string | number>()
    let count = 0
    yield* Stream.runForEach(from.records(relation, schema), (record) => {
      count += 1
      addUsers(record, userIds)
      const key = keyOf(record)
      if (key !== null && seen.has(key)) return fail(`Two of ${relation} are called ${key}`)
      if (key !== null) seen.add(key)
      return check(record)
    })
    counts.set(relation, count)
  })
  yield* read("labels", Label, ({ title, type }) => `${type} ${title}`, checkLabel)
  yield* read("milestones", Milestone, (record) => iidOf("project_milestone", record), checkMilestone)
  yield* read("issues", Issue, (record) => iidOf("issue", record))
  yield* read("merge_requests", MergeRequest, (record) => iidOf("merge_request", record))
  yield* read("ci_pipelines", Pipeline, (record) => iidOf("pipeline", record))
  yield* read("pipeline_schedules", PipelineSchedule, undefined, checkSchedule)
  yield* read("releases", Release, ({ tag }) => tag)
  yield* read("commit_notes", CommitNote)
  yield* read("protected_branches", ProtectedRef, ({ name }) => name)
  yield* read("protected_tags", ProtectedRef, ({ name }) => name)
  counts.set("uploads", yield* countUploads(from))
  const contents: Contents = { counts, userIds, highest }
  return contents
})
