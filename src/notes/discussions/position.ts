import { Effect } from "effect"
import type { Decoded } from "../../http/parameters/parameters.ts"
import type { Position } from "../events.ts"
import type { NoteableKind } from "../noteable.ts"
import type { OpenPlace } from "../place.ts"
import { invalidNote } from "../refuse.ts"
import type { position } from "./contract.ts"

type Given = Decoded<(typeof position)["fields"]>

const noLine = invalidNote([
  { attribute: "line_code", text: "can't be blank" },
  { attribute: "line_code", text: "must be a valid line code" }
])

/** The line that is meant: a file that is named once has one name. */
const positionOf = (given: Given): Position => ({
  baseSha: given.base_sha?.toLowerCase() ?? "",
  startSha: given.start_sha?.toLowerCase() ?? "",
  headSha: given.head_sha?.toLowerCase() ?? "",
  oldPath: given.old_path || given.new_path || "",
  newPath: given.new_path || given.old_path || "",
  oldLine: given.old_line ?? null,
  newLine: given.new_line ?? null
})

/** The line that a note is to be about, which a version has to show; null for the thing as a whole. */
export const requirePosition = Effect.fnUntraced(function* <R>(
  { noteable }: OpenPlace,
  given: Given | null | undefined,
  { findLine }: NoteableKind<R>
) {
  if (given === null || given === undefined) return null
  const position = positionOf(given)
  const lineCode = yield* findLine(noteable, position)
  return lineCode === undefined ? yield* noLine : { ...position, lineCode }
})
