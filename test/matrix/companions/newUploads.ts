import { Effect } from "effect"
import { addUpload, secretOf } from "#test/uploads/addUpload.ts"
import { type Asker, askers } from "../askers.ts"

/** An upload that stays, and two for each caller to take away. */
export const newUploads = Effect.fnUntraced(function* (projectId: number) {
  const add = (number: number) =>
    Effect.map(addUpload(projectId, secretOf(number), "a.txt"), (id) => ({ id, secret: secretOf(number) }))
  const ofEach = (first: number) =>
    Effect.map(
      Effect.forEach(askers, (asker, index) => Effect.map(add(first + index), (upload) => [asker, upload] as const)),
      (uploads) => new Map<Asker, { readonly id: number; readonly secret: string }>(uploads)
    )
  return { kept: yield* add(0), doomed: yield* ofEach(1), doomedToo: yield* ofEach(1 + askers.length) }
})
