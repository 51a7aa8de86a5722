import { Buffer } from "node:buffer"
import { StringDecoder } from "node:string_decoder"
import { stripEnds } from "../../kernel/stripEnds.ts"
import type { Visibility } from "../../kernel/visibility.ts"
import type { MergeRequestOrigin, Source } from "../events.ts"
import type { Variable } from "./context.ts"

/** What the predefined variables of a pipeline tell. */
export interface PipelineFacts {
  readonly server: {
    /** Without a slash at its end. */
    readonly url: string
    /** Such as `17.4.0`. */
    readonly version: string
    readonly revision: string
  }
  readonly project: {
    readonly id: number
    readonly name: string
    readonly description: string | null
    /** The full path. */
    readonly path: string
    readonly namespaceId: number
    readonly url: string
    readonly visibility: Visibility
    readonly defaultBranch: string | null
    readonly configPath: string
  }
  readonly pipeline: {
    readonly id: number
    readonly iid: number
    readonly source: Source
    /** The short name of a branch or tag, or the full one of a ref of a merge request. */
    readonly ref: string
    readonly isTag: boolean
    readonly isProtected: boolean
    /** The commit at which the ref was before. */
    readonly beforeSha: string
    /** In ISO 8601, as every time here. */
    readonly createdAt: string
    readonly name: string | null
    /** Of its branch, such as `tools/uploader!14`. */
    readonly openMergeRequests: ReadonlyArray<string>
    /** Null if no schedule made it. */
    readonly scheduleDescription: string | null
  }
  readonly commit: {
    readonly sha: string
    readonly message: string
    /** The name and the address, as `Ada <ada@example.com>`. */
    readonly author: string
    readonly timestamp: string
    /** The message of the tag; null for a branch, and for a tag without one. */
    readonly tagMessage: string | null
  }
  /** Null where it is for none. */
  readonly mergeRequest: MergeRequestOrigin | null
  readonly user: { readonly id: number; readonly username: string; readonly name: string; readonly email: string }
}

/** The variables of the reference that each job of a pipeline has, and that its rules see. */
export const predefinedVariables = (facts: PipelineFacts): ReadonlyArray<Variable> =>
  [ofServer, ofProject, ofPipeline, ofCommit, ofMergeRequest, ofUser]
    .map((of) => of(facts))
    .flatMap((variables) => Object.entries(variables).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value }])))

type Variables = Readonly<Record<string, string | undefined>>

/** What of a job its predefined variables tell. */
export interface JobFacts {
  readonly name: string
  readonly stage: string
  /** Its place among jobs that run in parallel, from 1; absent for one that runs alone. */
  readonly parallel?: { readonly index: number; readonly total: number }
}

/** The variables of the reference that one job has besides, and that its rules see. */
export const predefinedJobVariables = ({ name, parallel, stage }: JobFacts): ReadonlyArray<Variable> => [
  { key: "CI_JOB_NAME", value: name },
  { key: "CI_JOB_NAME_SLUG", value: slugOf(name) },
  { key: "CI_JOB_STAGE", value: stage },
  ...(parallel === undefined ? [] : [{ key: "CI_NODE_INDEX", value: `${parallel.index}` }]),
  { key: "CI_NODE_TOTAL", value: `${parallel?.total ?? 1}` }
]

const ofServer = ({ server: { revision, url, version } }: PipelineFacts): Variables => {
  const { host, hostname, port, protocol } = new URL(url)
  const [major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1) ?? []
  return {
    CI: "true",
    GITLAB_CI: "true",
    CI_SERVER: "yes",
    CI_SERVER_URL: url,
    CI_SERVER_HOST: hostname,
    CI_SERVER_FQDN: host,
    CI_SERVER_PORT: port || (protocol === "https:" ? "443" : "80"),
    CI_SERVER_PROTOCOL: protocol.slice(0, -1),
    CI_SERVER_NAME: "Chronoforge",
    CI_SERVER_VERSION: version,
    CI_SERVER_VERSION_MAJOR: major,
    CI_SERVER_VERSION_MINOR: minor,
    CI_SERVER_VERSION_PATCH: patch,
    CI_SERVER_REVISION: revision,
    CI_API_V4_URL: `${url}/api/v4`
  }
}

const ofProject = ({ project }: PipelineFacts): Variables => {
  const segments = project.path.split("/")
  return {
    CI_PROJECT_ID: `${project.id}`,
    CI_PROJECT_NAME: segments.at(-1),
    CI_PROJECT_TITLE: project.name,
    CI_PROJECT_DESCRIPTION: project.description ?? undefined,
    CI_PROJECT_PATH: project.path,
    CI_PROJECT_PATH_SLUG: slugOf(project.path),
    CI_PROJECT_NAMESPACE: segments.slice(0, -1).join("/"),
    CI_PROJECT_NAMESPACE_ID: `${project.namespaceId}`,
    CI_PROJECT_ROOT_NAMESPACE: segments[0],
    CI_PROJECT_URL: project.url,
    CI_PROJECT_VISIBILITY: project.visibility,
    CI_DEFAULT_BRANCH: project.defaultBranch ?? undefined,
    CI_CONFIG_PATH: project.configPath
  }
}

const ofPipeline = ({ pipeline, project }: PipelineFacts): Variables => ({
  CI_PIPELINE_ID: `${pipeline.id}`,
  CI_PIPELINE_IID: `${pipeline.iid}`,
  CI_PIPELINE_URL: `${project.url}/-/pipelines/${pipeline.id}`,
  CI_PIPELINE_SOURCE: pipeline.source,
  CI_PIPELINE_CREATED_AT: pipeline.createdAt,
  CI_PIPELINE_NAME: pipeline.name ?? undefined,
  CI_PIPELINE_SCHEDULE_DESCRIPTION: pipeline.scheduleDescription ?? undefined,
  CI_OPEN_MERGE_REQUESTS: pipeline.openMergeRequests.length === 0 ? undefined : pipeline.openMergeRequests.join(","),
  CI_PIPELINE_TRIGGERED: pipeline.source === "trigger" ? "true" : undefined
})

/** Of longer messages, in bytes, there is only the beginning. */
const maxMessageBytes = 100_000
/** Of longer titles, in characters, the description holds all. */
const maxTitleLength = 100

const ofCommit = ({ commit, mergeRequest, pipeline }: PipelineFacts): Variables => {
  const { beforeSha, isProtected, isTag } = pipeline
  const ref = mergeRequest?.sourceBranch ?? pipeline.ref
  const { title, description } = partsOf(commit.message)
  return {
    CI_COMMIT_SHA: commit.sha,
    CI_COMMIT_SHORT_SHA: commit.sha.slice(0, 8),
    CI_COMMIT_BEFORE_SHA: beforeSha,
    CI_COMMIT_REF_NAME: ref,
    CI_COMMIT_REF_SLUG: slugOf(ref),
    CI_COMMIT_BRANCH: isTag || mergeRequest !== null ? undefined : ref,
    CI_COMMIT_TAG: isTag ? ref : undefined,
    CI_COMMIT_TAG_MESSAGE: commit.tagMessage ?? undefined,
    CI_COMMIT_MESSAGE: cut(commit.message),
    CI_COMMIT_MESSAGE_IS_TRUNCATED: `${cut(commit.message) !== commit.message}`,
    CI_COMMIT_TITLE: cut(title),
    CI_COMMIT_DESCRIPTION: cut(description),
    CI_COMMIT_REF_PROTECTED: `${isProtected}`,
    CI_COMMIT_TIMESTAMP: commit.timestamp,
    CI_COMMIT_AUTHOR: commit.author
  }
}

/** The first line of a message, and what the reference takes for the rest of it. */
const partsOf = (message: string): { readonly title: string; readonly description: string } => {
  const end = message.indexOf("\n")
  const title = end < 0 ? message : message.slice(0, end)
  if (title.length >= maxTitleLength) return { title, description: message }
  return { title, description: end < 0 ? "" : message.slice(end + 1).replace(/\n$/, "") }
}

const cut = (text: string): string => {
  if (text.length * 3 <= maxMessageBytes) return text
  const bytes = Buffer.from(text)
  // A character that is cut in two is left out.
  return bytes.length <= maxMessageBytes ? text : new StringDecoder("utf8").write(bytes.subarray(0, maxMessageBytes))
}

const ofMergeRequest = ({ mergeRequest, server }: PipelineFacts): Variables => {
  if (mergeRequest === null) return {}
  const { assignees, description, iid, projectPath, sourceProjectPath, title } = mergeRequest
  return {
    CI_MERGE_REQUEST_ID: `${mergeRequest.id}`,
    CI_MERGE_REQUEST_IID: `${iid}`,
    CI_MERGE_REQUEST_REF_PATH: `refs/merge-requests/${iid}/head`,
    CI_MERGE_REQUEST_EVENT_TYPE: "detached",
    CI_MERGE_REQUEST_PROJECT_ID: `${mergeRequest.projectId}`,
    CI_MERGE_REQUEST_PROJECT_PATH: projectPath,
    CI_MERGE_REQUEST_PROJECT_URL: `${server.url}/${projectPath}`,
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: mergeRequest.targetBranch,
    CI_MERGE_REQUEST_TARGET_BRANCH_PROTECTED: `${mergeRequest.isTargetProtected}`,
    CI_MERGE_REQUEST_TARGET_BRANCH_SHA: "",
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: `${mergeRequest.sourceProjectId}`,
    CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: sourceProjectPath,
    CI_MERGE_REQUEST_SOURCE_PROJECT_URL: `${server.url}/${sourceProjectPath}`,
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: mergeRequest.sourceBranch,
    CI_MERGE_REQUEST_SOURCE_BRANCH_PROTECTED: `${mergeRequest.isSourceProtected}`,
    CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: "",
    CI_MERGE_REQUEST_TITLE: title,
    CI_MERGE_REQUEST_DESCRIPTION: description ?? "",
    CI_MERGE_REQUEST_DESCRIPTION_IS_TRUNCATED: `${mergeRequest.isDescriptionCut}`,
    CI_MERGE_REQUEST_ASSIGNEES: assignees.length === 0 ? undefined : sentenceOf(assignees),
    CI_MERGE_REQUEST_SQUASH_ON_MERGE: `${mergeRequest.squash}`,
    CI_MERGE_REQUEST_DIFF_ID: `${mergeRequest.versionId}`,
    CI_MERGE_REQUEST_DIFF_BASE_SHA: mergeRequest.baseSha
  }
}

/** `a`, `a and b`, `a, b, and c`. */
const sentenceOf = (words: ReadonlyArray<string>): string =>
  words.length < 3 ? words.join(" and ") : `${words.slice(0, -1).join(", ")}, and ${words.at(-1)}`

const ofUser = ({ user }: PipelineFacts): Variables => ({
  GITLAB_USER_ID: `${user.id}`,
  GITLAB_USER_LOGIN: user.username,
  GITLAB_USER_NAME: user.name,
  GITLAB_USER_EMAIL: user.email
})

/** A text that is fit for the name of a host: at most 63 lower-case letters, digits and hyphens, which do not stand at its ends. */
const slugOf = (text: string): string =>
  stripEnds(
    text
      .toLowerCase()
      .replace(/[^a-z0-9]/g, "-")
      .slice(0, 63),
    (character) => character === "-"
  )
