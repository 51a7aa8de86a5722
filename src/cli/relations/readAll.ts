import { Effect, type Schema, Stream } from "effect"
import { settingsFaults } from "../../schedules/faults.ts"
import { CommandFailed } from "../exit.ts"
import type { ExportFolder } from "./files.ts"
import { CommitNote, Pipeline, PipelineSchedule, ProtectedRef, Release } from "./otherShapes.ts"
import { Issue, Label, MergeRequest, Milestone } from "./shapes.ts"

/** Attributes that name a user. */
const ofUsers: ReadonlySet<string> = new Set([
  ...["author_id", "user_id", "owner_id", "closed_by_id", "resolved_by_id", "merge_user_id", "merged_by_id"]
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
}

const fail = (message: string) => new CommandFailed({ message })

const checkSchedule = ({ cron, cron_timezone: cronTimezone, description, ref }: PipelineSchedule) => {
  const faults = settingsFaults({ description, ref, cron, cronTimezone, isActive: false })
  const told = faults.map(({ attribute, text }) => `${attribute} ${text}`).join(", ")
  return faults.length === 0 ? Effect.void : fail(`The schedule ${description} cannot be kept: ${told}`)
}

/** Reads all records once, so that nothing is begun of what could not be finished: the failure names the file, the line and what is wrong. */
export const readAll = Effect.fn("cli.readExport")(function* (from: ExportFolder) {
  const counts = new Map<string, number>()
  const userIds = new Set<number>()
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
  yield* read("labels", Label, ({ title, type }) => `${type} ${title}`)
  yield* read("milestones", Milestone, ({ iid }) => iid)
  yield* read("issues", Issue, ({ iid }) => iid)
  yield* read("merge_requests", MergeRequest, ({ iid }) => iid)
  yield* read("ci_pipelines", Pipeline)
  yield* read("pipeline_schedules", PipelineSchedule, undefined, checkSchedule)
  yield* read("releases", Release, ({ tag }) => tag)
  yield* read("commit_notes", CommitNote)
  yield* read("protected_branches", ProtectedRef, ({ name }) => name)
  yield* read("protected_tags", ProtectedRef, ({ name }) => name)
  const contents: Contents = { counts, userIds }
  return contents
})
