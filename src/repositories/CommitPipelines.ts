import { Context, type Effect } from "effect"
import type { JsonObject } from "../http/answer/success.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import type { ReadableProject } from "../projects/Projects.ts"

export interface CommitPipeline {
  readonly status: string
  readonly shown: JsonObject
}

/** What commits ask of pipelines. */
export class CommitPipelines extends Context.Service<
  CommitPipelines,
  {
    /** The newest pipeline of a commit as other things show it; undefined where there is none that the caller may see. */
    readonly last: (project: ReadableProject, sha: string, request: RequestInfo) => Effect.Effect<CommitPipeline | undefined>
  }
>()("chronoforge/repositories/CommitPipelines") {}
