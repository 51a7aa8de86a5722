import { Effect } from "effect"
import { readTag } from "../../git/objects/annotatedTag.ts"
import { type Commit, readCommit } from "../../git/objects/commit.ts"
import { isoTime } from "../../git/objects/signature.ts"
import { Repositories } from "../../git/Repositories.ts"
import type { Repository } from "../../git/Repository.ts"
import { tagRef } from "../../git/refs/refNames.ts"
import { readRef } from "../../git/refs/refs.ts"
import { isoMillis } from "../../http/answer/jsonTimes.ts"
import { served } from "../../http/version.ts"
import { matchesPattern } from "../../kernel/wildcards.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { type ProjectRow, Projects } from "../../projects/Projects.ts"
import type { PipelineFacts } from "../config/predefined.ts"
import type { NewPipeline } from "../events.ts"
import { configPathOf } from "./configPath.ts"
import { isFullName } from "./refs.ts"

/** A pipeline whose facts are told. */
export interface FactsInput {
  readonly id: number
  readonly pipeline: NewPipeline
  /** In milliseconds since 1970. */
  readonly createdAt: number
  readonly project: ProjectRow
  /** The commit, where it is known already. */
  readonly commit?: Commit | undefined
  /** Whether the ref is protected, where it is known already. */
  readonly isProtected?: boolean | undefined
  readonly user: PipelineFacts["user"]
  readonly serverUrl: string
}

/** Refs of merge requests are not. */
const findProtected = ({ id }: ProjectRow, { isTag, ref }: NewPipeline) => {
  if (isFullName(ref)) return Effect.succeed(false)
  return Effect.map(
    Projects.use((projects) => projects.protectedRefs(id, isTag ? "tag" : "branch")),
    (rules) => rules.some(({ name }) => matchesPattern(name, ref))
  )
}

const commitFacts = ({ author, committer, id, message }: Commit, tagMessage: string | null): PipelineFacts["commit"] => ({
  sha: id,
  message,
  author: `${author.name} <${author.email}>`,
  timestamp: isoTime(committer),
  tagMessage
})

/** The tag object that a tag names; undefined for one that names its commit. */
const tagNamed = Effect.fnUntraced(function* (repository: Repository, name: string) {
  const found = yield* readRef(repository, tagRef(name))
  return found === undefined ? undefined : yield* readTag(repository, found.id)
})

const noCommit = (sha: string): PipelineFacts["commit"] => ({ sha, message: "", author: "", timestamp: "", tagMessage: null })

/** What the predefined variables of a pipeline tell. The commit may be gone by now; then only its id is told. */
export const factsOf = Effect.fnUntraced(function* (input: FactsInput) {
  const { createdAt, id, pipeline, project, serverUrl, user } = input
  const {
    iid,
    isTag,
    mergeRequest = null,
    name = null,
    openMergeRequests = [],
    ref,
    scheduleDescription = null,
    sha,
    source
  } = pipeline
  const repository = (yield* Repositories).of(project.id)
  const commit = input.commit ?? (yield* Effect.orElseSucceed(readCommit(repository, sha), () => undefined))
  const tag = isTag ? yield* Effect.orElseSucceed(tagNamed(repository, ref), () => undefined) : undefined
  const facts: PipelineFacts = {
    server: { url: serverUrl, ...served },
    project: {
      id: project.id,
      name: project.name,
      description: project.description,
      path: project.path_with_namespace,
      namespaceId: project.namespace_id,
      url: `${serverUrl}/${project.path_with_namespace}`,
      visibility: project.visibility,
      defaultBranch: project.default_branch,
      configPath: configPathOf(project)
    },
    pipeline: {
      id,
      iid,
      source,
      ref,
      isTag,
      isProtected: input.isProtected ?? (yield* findProtected(project, pipeline)),
      beforeSha: pipeline.beforeSha ?? "0".repeat(40),
      createdAt: isoMillis(createdAt),
      name,
      openMergeRequests,
      scheduleDescription
    },
    commit: commit === undefined ? noCommit(sha) : commitFacts(commit, tag?.message ?? null),
    mergeRequest,
    user
  }
  return facts
}, spanned("pipelines.factsOf"))
