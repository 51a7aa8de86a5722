import { Clock, Effect, Option, Schema, Stream } from "effect"
import { isObjectId } from "../../git/objectId.ts"
import { load } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { type Past, recordPast } from "../../platform/recordPast.ts"
import { projectAggregate } from "../../projects/aggregate.ts"
import { ProjectEvent, projectCodec, type RefKind } from "../../projects/events.ts"
import { projectStream } from "../../projects/ids.ts"
import { newGrants } from "../../projects/protections/newGrants.ts"
import { presentIn } from "../../projects/state.ts"
import { CommitCommentEvent, commitCommentCodec } from "../../repositories/comments/events.ts"
import { commentStream } from "../../repositories/ids.ts"
import type { ExportFolder } from "./files.ts"
import type { Import } from "./Import.ts"
import { CommentedPlace, CommitNote, levelsIn, type ProtectedRef, protectedRef, pushLevels } from "./shapes/project.ts"
import { millis } from "./shapes/values.ts"

const decodePlace = Schema.decodeUnknownOption(CommentedPlace)

const lineOf = ({ position }: CommitNote) => {
  const found = Option.getOrUndefined(decodePlace(position))
  if (found === undefined) return null
  const { line, line_type: type, new_line, new_path: path, old_line } = found
  if (line !== null && type !== null) return { path, number: line, type }
  if (new_line !== null) return { path, number: new_line, type: "new" as const }
  return old_line === null ? null : { path, number: old_line, type: "old" as const }
}

/** What services wrote about commits is not kept here, and what is about no commit cannot be. */
const importCommitNote = Effect.fnUntraced(function* (to: Import, record: CommitNote) {
  const { author_id, commit_id: sha, created_at, note, system } = record
  if (sha !== null && isObjectId(sha) && !system) {
    const by = to.people.of(author_id)
    const event = CommitCommentEvent.cases.CommitCommented.make({ authorId: by, note, line: lineOf(record) })
    const stream = commentStream({ projectId: to.projectId, sha })
    yield* recordPast(commitCommentCodec, stream, [{ event, at: millis(created_at), by }], { expected: "any" })
  }
  to.onRecord()
})

/** Brings the comments on commits, one after the other, for they are told in that order. */
export const importCommitNotes = Effect.fn("cli.importCommitNotes")((to: Import, from: ExportFolder) =>
  Stream.runForEach(from.records("commit_notes", CommitNote), (record) => importCommitNote(to, record))
)

const { cases } = ProjectEvent

/** Maintainers, where only single users or groups may do it elsewhere, which nothing here can tell. */
const fallbackLevel = 40

const orFallback = (levels: ReadonlyArray<number>): ReadonlyArray<number> =>
  levels.length === 0 ? [fallbackLevel] : [...new Set(levels)]

const protect = Effect.fnUntraced(function* (to: Import, kind: RefKind, record: ProtectedRef) {
  const id = yield* nextId("protected_ref")
  const push = yield* newGrants(orFallback(pushLevels(kind, record)))
  const merge = kind === "branch" ? yield* newGrants(orFallback(levelsIn(record.merge_access_levels))) : []
  const protection = { id, kind, name: record.name, allowForcePush: record.allow_force_push, push, merge }
  const past: Past<ProjectEvent> = {
    event: cases.RefProtected.make({ protection }),
    at: millis(record.updated_at),
    by: to.people.of(null)
  }
  to.onRecord()
  return past
})

/** Brings the protections of branches and tags, in place of the one that the default branch got of itself. */
export const importProtections = Effect.fn("cli.importProtections")(function* (to: Import, from: ExportFolder) {
  const stream = projectStream(to.projectId)
  const protectAll = (relation: string, kind: RefKind) =>
    Stream.runCollect(Stream.mapEffect(from.records(relation, protectedRef(kind)), (record) => protect(to, kind, record)))
  const protections = [...(yield* protectAll("protected_branches", "branch")), ...(yield* protectAll("protected_tags", "tag"))]
  const { state } = yield* load(projectAggregate, to.projectId)
  const at = yield* Clock.currentTimeMillis
  const removed = (presentIn(state)?.protections ?? []).map(
    ({ id, kind, name }): Past<ProjectEvent> => ({
      event: cases.RefUnprotected.make({ id, kind, name }),
      at,
      by: to.people.of(null)
    })
  )
  const happened = from.has("protected_branches") ? [...removed, ...protections] : protections
  if (happened.length > 0) yield* recordPast(projectCodec, stream, happened, { expected: "any" })
})
