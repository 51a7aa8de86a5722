import { snakeCase } from "../../kernel/letterCase.ts"

/** Fields that the interface calls otherwise than events do. */
const renamed: Readonly<Record<string, string>> = {
  allowsCollaboration: "allow_collaboration",
  baseSha: "base_commit_sha",
  headSha: "head_commit_sha",
  isActive: "active",
  isDiscussionLocked: "discussion_locked",
  mergeSha: "merge_commit_sha",
  nextRun: "next_run_at",
  "nextRun.at": "next_run_at",
  removesSourceBranch: "force_remove_source_branch",
  "source.branch": "source_branch",
  "source.projectId": "source_project_id",
  squashSha: "squash_commit_sha",
  startSha: "start_commit_sha"
}

/** What events put around the fields that they are about. */
const wrapper = /^(?:before|changes|settings|attributes|profile)\./

/** The field of an event in the words of the interface: `changes.targetBranch` is `target_branch`. */
export const interfaceWord = (type: string, field: string): string => {
  const bare = field.replace(wrapper, "")
  return ofEvents[type]?.[bare] ?? renamed[bare] ?? snakeCase(bare)
}

/** The fields of an event that the interface calls by a word of their own. */
const ofEvents: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  TimeEstimated: { seconds: "time_estimate" },
  TimeSpent: { seconds: "time_spent", total: "total_time_spent" }
}

/** The next run of a schedule, which is null where there is none. */
const nextRun = ["nextRun", "nextRun.at"]

/** The fields that an event changes, as its type says. */
const changedBy: Readonly<Record<string, ReadonlyArray<string>>> = {
  JobMoved: ["status"],
  NextRunReckoned: nextRun,
  NoteChanged: ["body"],
  OwnershipTaken: ["ownerId"],
  PipelineMoved: ["status"],
  PipelineRenamed: ["name"],
  ScheduleChanged: nextRun,
  SlotStarted: nextRun,
  SlotsSkipped: nextRun,
  StatusChanged: ["status"],
  TimeEstimated: ["seconds"]
}

/** Whether the event changes the field, which had another value before. */
export const isChange = (type: string, field: string): boolean =>
  field.startsWith("changes.") || changedBy[type]?.includes(field) === true

/** What events set without telling it, by words of the interface, as they are told. */
const implied: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  JobClaimed: { status: '"running"' },
  JobReturned: { status: '"pending"' },
  ScheduleDeactivated: { active: "false" }
}

/** What an event sets without telling it. */
export const impliedBy = (type: string) => Object.entries(implied[type] ?? {})

/** The field that tells which one of several an event is about, where it is not called `id`. */
const partFields: Readonly<Record<string, string>> = {
  DiscussionStarted: "noteId",
  VariableAdded: "key",
  VariableChanged: "key",
  VariableRemoved: "key"
}

/** The field that tells which one of several an event is about: a note, a job, a variable. */
export const partField = (type: string): string => partFields[type] ?? "id"

/** Whether the field repeats what another event told before. */
export const isBefore = (field: string): boolean => field.startsWith("before.")

/** What events name by ids, and people by names. */
export type NamedThing = "user" | "label" | "milestone"

const things: Readonly<Record<NamedThing, RegExp>> = {
  user: /^(?:by|addedBy|createdBy|postedBy|userId|userIds|authorId|ownerId|assigneeIds|reviewerIds|rule\.userIds)$/,
  label: /^(?:labelIds|addedIds|removedIds)$/,
  milestone: /^(?:milestoneId|from|to)$/
}

/** What the field holds the id of, or the ids of several. */
export const thingOf = (type: string, field: string): NamedThing | undefined => {
  const bare = field.replace(wrapper, "")
  if (things.user.test(bare)) return "user"
  if (things.label.test(bare) && (bare === "labelIds" || type.endsWith("LabelsChanged"))) return "label"
  return things.milestone.test(bare) && (bare === "milestoneId" || type.endsWith("MilestoneChanged")) ? "milestone" : undefined
}
