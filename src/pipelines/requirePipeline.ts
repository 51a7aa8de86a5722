import { Effect } from "effect"
import { notFound, unprocessable } from "../http/answer/errors.ts"
import { type Ability, type ReadableProject, requireProject } from "../projects/Projects.ts"
import type { TooManyJobs } from "./commands.ts"
import { PipelineQueries } from "./Queries.ts"

/** The project that a request names, if the caller may do this in it. */
export const inProject = (ability: Ability) => (input: Parameters<typeof requireProject>[0]) => requireProject(input, ability)

/** A pipeline of the project: 404 for none. */
export const requirePipeline = Effect.fnUntraced(function* ({ project }: ReadableProject, id: number | null) {
  const found = id === null ? undefined : yield* PipelineQueries.use((pipelines) => pipelines.find(project.id, id))
  return found ?? (yield* notFound)
})

/** The words of the reference, with the limit. */
export const tooManyJobs = ({ maxJobs }: TooManyJobs) =>
  unprocessable(`The number of jobs has exceeded the limit (maximum is ${maxJobs})`)
