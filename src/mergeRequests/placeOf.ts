import { Effect, Option } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import { can, findReadable, type ReadableProject } from "../projects/Projects.ts"

/** A project in which the caller may see pipelines: that of the merge request, or the one with its source; undefined where they may not. */
export const placeOf = Effect.fnUntraced(function* (found: ReadableProject, projectId: number, caller: Caller | undefined) {
  if (projectId === found.project.id) return can("read_pipelines", found.principal, found.project) ? found : undefined
  const source = Option.getOrUndefined(yield* Effect.option(findReadable(String(projectId), caller)))
  return source !== undefined && can("read_pipelines", source.principal, source.project) ? source : undefined
})
