import { Effect, Layer } from "effect"
import { namespaceName, namespacePath } from "#projections/namespaces/expressions.ts"
import { ManagementProjects } from "#src/clusters/ManagementProjects.ts"
import type { ProjectReferenceRow } from "#src/http/answer/references.ts"
import { type Client, query, Sql } from "#src/platform/sql/Sql.ts"
import { can, Projects, principalOf } from "#src/projects/Projects.ts"

const text = `
  select p.id, p.description, p.name, ${namespaceName("p.namespace_id")} || ' / ' || p.name as name_with_namespace, p.path,
    ${namespacePath("p.namespace_id")} || '/' || p.path as path_with_namespace, p.created_at
  from rm_projects.projects p join rm_namespaces.namespaces n on n.id = p.namespace_id where p.id = any($1::bigint[])`

const finder =
  (client: Client): ManagementProjects["Service"]["find"] =>
  (ids) =>
    Effect.map(
      query(() => client.unsafe<Array<ProjectReferenceRow>>(text, [[...ids]], { prepare: true })),
      (rows) => new Map(rows.map((row) => [row.id, row]))
    )

/** Tells clusters of the projects of the read model: whoever administers one may let it manage a cluster. */
export const managementProjects: Layer.Layer<ManagementProjects, never, Projects | Sql> = Layer.effect(
  ManagementProjects,
  Effect.gen(function* () {
    const [projects, { client }] = [yield* Projects, yield* Sql]
    return ManagementProjects.of({
      mayUse: (caller, projectId) =>
        Effect.map(
          projects.find(String(projectId), caller.user.id),
          (found) => found !== undefined && can("admin_project", principalOf(caller, found.role), found.project)
        ),
      find: finder(client)
    })
  })
)
