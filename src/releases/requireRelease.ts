import { Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import { forbidden, notOffered, type WireError } from "../http/answer/errors.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import { can, requireProject } from "../projects/Projects.ts"
import { mayCreateTags } from "../repositories/Code.ts"
import { ReleaseQueries } from "./Queries.ts"

export interface ReleaseInput {
  readonly parameters: { readonly id: string | null; readonly tag_name: string | null }
  readonly caller: Caller | undefined
  readonly request: RequestInfo
}

const findRelease = (projectId: number, tag: string | null) =>
  ReleaseQueries.use((releases) => releases.find({ projectId, tag: tag ?? "" }))

/** A release whose code the caller may read, too. */
export const requireRelease = Effect.fnUntraced(function* (input: ReleaseInput) {
  const found = yield* requireProject(input, "read_releases")
  if (!can("read_code", found.principal, found.project)) return yield* forbidden
  const row = yield* findRelease(found.project.id, input.parameters.tag_name)
  return { found, row: row ?? (yield* notOffered) }
})

/** A project of whose tag the caller may make, change and delete the release. `refused`: what is answered where the tag is protected from them. */
export const requireWritable = Effect.fnUntraced(function* (input: ReleaseInput, refused: WireError) {
  const found = yield* requireProject(input, "manage_releases")
  const { caller } = input
  if (caller === undefined) return yield* forbidden
  if (!(yield* mayCreateTags(found))(input.parameters.tag_name ?? "")) return yield* refused
  return { ...found, caller }
})
