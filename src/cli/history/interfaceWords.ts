import { snakeCase } from "../../kernel/letterCase.ts"

/** Fields that the interface calls otherwise than events do. */
const renamed: Readonly<Record<string, string>> = {
  allowsCollaboration: "allow_collaboration",
  baseSha: "base_commit_sha",
  headSha: "head_commit_sha",
  isActive: "active",
  isDiscussionLocked: "discussion_locked",
  mergeSha: "merge_commit_sha",
  removesSourceBranch: "force_remove_source_branch",
  "source.branch": "source_branch",
  "source.projectId": "source_project_id",
  squashSha: "squash_commit_sha",
  startSha: "start_commit_sha"
}

/** What events put around the fields that they are about. */
const wrapper = /^(?:before|changes|settings|attributes|profile)\./

/** The field of an event in the words of the interface: `changes.targetBranch` is `target_branch`. */
export const interfaceWord = (field: string): string => {
  const bare = field.replace(wrapper, "")
  return renamed[bare] ?? snakeCase(bare)
}

/** Whether the event changes the field, which had another value before. */
export const isChange = (field: string): boolean => field.startsWith("changes.")

/** Whether the field repeats what another event told before. */
export const isBefore = (field: string): boolean => field.startsWith("before.")

/** Whether the field holds the id of a user, or the ids of several. */
export const isOfUsers = (field: string): boolean =>
  /^(?:by|addedBy|createdBy|postedBy|userId|authorId|ownerId|assigneeIds|reviewerIds)$/.test(field.replace(wrapper, ""))
