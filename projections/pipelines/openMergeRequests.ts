import { Effect } from "effect"
import { namespacePath } from "#projections/namespaces/expressions.ts"
import type { PipelineQueries } from "#src/pipelines/Queries.ts"
import { lookupAll } from "#src/platform/sql/lookup.ts"
import type { Client } from "#src/platform/sql/Sql.ts"

interface Found {
  readonly key: string
  readonly reference: string
}

const text = `
  select a.key, found.reference from unnest($1::text[], $2::bigint[], $3::text[]) as a(key, project_id, branch)
  cross join lateral (
    select m.id, ${namespacePath("p.namespace_id")} || '/' || p.path || '!' || m.iid as reference
    from rm_merge_requests.merge_requests m join rm_projects.projects p on p.id = m.project_id
    where m.source_project_id = a.project_id and m.source_branch = a.branch and m.state = 'opened'
    order by m.id limit 4
  ) found order by found.id`

const keyOf = (projectId: number, branch: string): string => `${projectId} ${branch}`

/** The parts of such a key. */
const partsOf = (key: string) => {
  const end = key.indexOf(" ")
  return { projectId: key.slice(0, end), branch: key.slice(end + 1) }
}

/** Finds them for all pipelines that begin at the same time: of schedules that are due in the same minute a thousand do. */
export const openMergeRequestsOf = (lookups: Client): PipelineQueries["Service"]["openMergeRequests"] => {
  const find = lookupAll(
    (keys: Array<string>) => {
      const parts = keys.map(partsOf)
      const columns = [keys, parts.map(({ projectId }) => projectId), parts.map(({ branch }) => branch)]
      return lookups.unsafe<Array<Found>>(text, columns, { prepare: true })
    },
    ({ key }) => key
  )
  return (projectId, branch) =>
    Effect.map(Effect.orDie(find(keyOf(projectId, branch))), (rows) => rows.map(({ reference }) => reference))
}
