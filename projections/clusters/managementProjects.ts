import { Effect, Layer } from "effect"
import { namespaceName, namespacePath } from "#projections/namespaces/expressions.ts"
import { ManagementProjects } from "#src/clusters/ManagementProjects.ts"
import { type Client, query, Sql } from "#src/platform/sql/Sql.ts"
import { can } from "#src/projects/abilities.ts"
import { askerOf, Projects } from "#src/projects/Projects.ts"

interface Row {
  readonly id: number
  readonly description: string | null
  readonly name: string
  readonly path: string
  readonly created_at: number
  readonly namespace_name: string
  readonly namespace_path: string
}

const text = `
  select p.id, p.description, p.name, p.path, p.created_at,
    ${namespaceName("p.namespace_id")} as namespace_name, ${namespacePath("p.namespace_id")} as namespace_path
  from rm_projects.projects p join rm_namespaces.namespaces n on n.id = p.namespace_id where p.id = any($1::bigint[])`

const finder =
  (client: Client): ManagementProjects["Service"]["find"] =>
  (ids) =>
    Effect.map(
      query(() => client.unsafe<Array<Row>>(text, [[...ids]], { prepare: true })),
      (rows) =>
        new Map(
          rows.map((row) => [
            row.id,
            {
              id: row.id,
              description: row.description,
              name: row.name,
              nameWithNamespace: `${row.namespace_name} / ${row.name}`,
              path: row.path,
              pathWithNamespace: `${row.namespace_path}/${row.path}`,
              createdAt: row.created_at
            }
          ])
        )
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
          (found) => found !== undefined && can("admin_project", askerOf(caller, found.role), found.project)
        ),
      find: finder(client)
    })
  })
)
