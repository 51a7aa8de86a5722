import { randomBytes } from "node:crypto"
import { Effect } from "effect"
import { handle } from "../platform/Commands.ts"
import { nextId } from "../platform/Ids.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { changesFound, creates } from "../platform/repeats.ts"
import { uploadAggregate } from "./aggregate.ts"
import { type Draft, UploadStorage } from "./files/UploadStorage.ts"
import { safeName } from "./names.ts"

/** So many bytes nobody guesses. */
const secretBytes = 16

/** Adds the file that `receive` writes to a project, by the name that it answers. What is refused leaves nothing. */
export const addUpload = <E, R>(
  { by, projectId }: { readonly projectId: number; readonly by: number },
  receive: (draft: Draft) => Effect.Effect<string, E, R>
) => {
  const make = Effect.gen(function* () {
    const draft = yield* (yield* UploadStorage).draft
    const name = safeName(yield* receive(draft))
    const id = yield* nextId("upload")
    const secret = randomBytes(secretBytes).toString("hex")
    const file = yield* draft.keep({ id, projectId, secret }, name)
    const handled = yield* Effect.orDie(handle(uploadAggregate, id, { _tag: "Add", projectId, secret, name, by, ...file }))
    return { ...handled, id }
  })
  return spanned("uploads.add")(creates(uploadAggregate, Effect.scoped(make)))
}

/** Removes the upload that `find` answers. Its file goes later. */
export const removeUpload = <E, R>(by: number, find: Effect.Effect<{ readonly id: number }, E, R>) =>
  changesFound(uploadAggregate, find, ({ id }) => Effect.orDie(handle(uploadAggregate, id, { _tag: "Remove", by }))).pipe(
    spanned("uploads.remove")
  )
