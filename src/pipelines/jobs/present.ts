import { Clock, Effect } from "effect"
import type { Commit } from "../../git/objects/commit.ts"
import { Repositories } from "../../git/Repositories.ts"
import type { UserRow } from "../../http/access/Caller.ts"
import { isoMillis, nullableIsoMillis } from "../../http/answer/jsonTimes.ts"
import { userProfile } from "../../http/answer/shapes.ts"
import { defined } from "../../kernel/defined.ts"
import type { ReadableProject } from "../../projects/Projects.ts"
import { presentCommit } from "../../repositories/Code.ts"
import { Users } from "../../users/Users.ts"
import { Configurations } from "../creation/Configurations.ts"
import { presentReference } from "../present.ts"
import type { JobRow } from "../Queries.ts"
import type { Job } from "./shapes.ts"

/** Seconds from one time to another, or until now; null where it has not begun. */
const secondsOf = (from: number | null, to: number | null, now: number): number | null =>
  from === null ? null : Math.max(0, (to ?? now) - from) / 1000

interface Around {
  readonly project: ReadableProject["project"]
  readonly externalUrl: string
  readonly now: number
  readonly users: ReadonlyMap<number, UserRow>
  readonly commits: ReadonlyMap<string, Commit>
}

const present = (row: JobRow, { commits, externalUrl, now, project, users }: Around): typeof Job.Type => {
  const projectUrl = `${externalUrl}/${project.path_with_namespace}`
  const [user, commit] = [users.get(row.created_by), commits.get(row.sha)]
  return {
    id: row.id,
    status: row.status,
    stage: row.stage,
    name: row.name,
    ref: row.ref,
    tag: row.is_tag,
    coverage: row.coverage,
    allow_failure: row.allow_failure,
    created_at: isoMillis(row.created_at),
    started_at: nullableIsoMillis(row.started_at),
    finished_at: nullableIsoMillis(row.finished_at),
    erased_at: null,
    duration: secondsOf(row.started_at, row.finished_at, now),
    queued_duration: secondsOf(row.queued_at, row.started_at ?? row.finished_at, now),
    user: user === undefined ? null : userProfile(user, externalUrl),
    commit: commit === undefined ? null : presentCommit(commit, projectUrl),
    pipeline: presentReference(row.pipeline, { project, externalUrl }),
    ...defined({ failure_reason: row.status === "failed" ? (row.failure_reason ?? "unknown_failure") : undefined }),
    web_url: `${projectUrl}/-/jobs/${row.id}`,
    project: { ci_job_token_scope_enabled: project.ci_job_token_scope_enabled },
    artifacts: [],
    runner: null,
    artifacts_expire_at: null,
    archived: false,
    tag_list: row.tags
  }
}

const usersOf = Effect.fnUntraced(function* (rows: ReadonlyArray<JobRow>) {
  const ids = [...new Set(rows.map((row) => row.created_by))]
  const users = yield* Users
  const found = yield* Effect.forEach(ids, (id) => users.find(id), { concurrency: "unbounded" })
  return new Map(found.flatMap((user) => (user === undefined ? [] : [[user.id, user] as const])))
})

const commitsOf = Effect.fnUntraced(function* (projectId: number, rows: ReadonlyArray<JobRow>) {
  const [repositories, configurations] = [yield* Repositories, yield* Configurations]
  const shas = rows.map(({ sha }) => sha)
  const found = yield* configurations.commits(repositories.of(projectId), shas)
  return new Map(found.map((commit) => [commit.id, commit] as const))
})

/** Shows jobs of a project, in this order. */
export const presentJobs = Effect.fnUntraced(function* (
  { project }: ReadableProject,
  rows: ReadonlyArray<JobRow>,
  externalUrl: string
) {
  const now = yield* Clock.currentTimeMillis
  const [users, commits] = yield* Effect.all([usersOf(rows), commitsOf(project.id, rows)], { concurrency: 2 })
  return rows.map((row) => present(row, { project, externalUrl, now, users, commits }))
})
