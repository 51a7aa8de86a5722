import { Effect } from "effect"
import { handle } from "#src/platform/Commands.ts"
import { nextId } from "#src/platform/Ids.ts"
import { uploadAggregate } from "#src/uploads/aggregate.ts"
import { UploadStorage } from "#src/uploads/files/UploadStorage.ts"

/** Adds an upload of root at a known place, past the interface; answers its id. */
export const addUpload = Effect.fnUntraced(function* (projectId: number, secret: string, name: string, content = "a") {
  const draft = yield* (yield* UploadStorage).draft
  yield* Effect.promise(() => draft.append(Buffer.from(content)))
  const id = yield* nextId("upload")
  const file = yield* draft.keep({ projectId, id, secret }, name)
  yield* Effect.orDie(handle(uploadAggregate, id, { _tag: "Add", projectId, secret, name, by: 1, ...file }))
  return id
}, Effect.scoped)

/** The secret that is this number. */
export const secretOf = (number: number): string => number.toString(16).padStart(32, "0")
