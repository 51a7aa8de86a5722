import { Schema } from "effect"
import { integer, nullableInteger, nullableText, text, time, url } from "./fields.ts"
import { isoMillis } from "./jsonTimes.ts"

// How groups, projects and namespaces are named where something else is the matter.

export const GroupReference = Schema.Struct({
  id: integer("ID of the group."),
  web_url: url("Page of the group."),
  name: text("Name of the group."),
  avatar_url: nullableText("Null: groups have no pictures."),
  full_name: text("Name with those of all groups above, such as `A / B`."),
  full_path: text("Path with those of all groups above, such as `a/b`.")
}).annotate({ identifier: "GroupReference" })

export interface GroupReferenceRow {
  readonly id: number
  readonly name: string
  /** The full name, such as `A / B`. */
  readonly full_name: string
  /** The full path, such as `a/b`. */
  readonly full_path: string
}

/** The page of a group, by its full path. */
export const groupUrl = (fullPath: string, externalUrl: string): string => `${externalUrl}/groups/${fullPath}`

/** Avatars cannot be set. */
export const groupReference = (row: GroupReferenceRow, externalUrl: string): typeof GroupReference.Type => ({
  id: row.id,
  web_url: groupUrl(row.full_path, externalUrl),
  name: row.name,
  avatar_url: null,
  full_name: row.full_name,
  full_path: row.full_path
})

export const ProjectReference = Schema.Struct({
  id: integer("ID of the project."),
  description: nullableText("What the project is for."),
  name: text("Name of the project."),
  name_with_namespace: text("Name with that of the namespace, such as `Group / Project`."),
  path: text("Last segment of the path."),
  path_with_namespace: text("Full path, such as `group/project`."),
  created_at: time("When the project was created.")
}).annotate({ identifier: "ProjectReference" })

export interface ProjectReferenceRow {
  readonly id: number
  readonly description: string | null
  readonly name: string
  /** The full name, such as `Group / Project`. */
  readonly name_with_namespace: string
  readonly path: string
  /** The full path, such as `group/project`. */
  readonly path_with_namespace: string
  /** The time is in milliseconds since 1970. */
  readonly created_at: number
}

export const projectReference = (row: ProjectReferenceRow): typeof ProjectReference.Type => ({
  id: row.id,
  description: row.description,
  name: row.name,
  name_with_namespace: row.name_with_namespace,
  path: row.path,
  path_with_namespace: row.path_with_namespace,
  created_at: isoMillis(row.created_at)
})

export const NamespaceReference = Schema.Struct({
  id: integer("ID of the namespace."),
  name: text("Name of the namespace."),
  path: text("Last segment of the path."),
  kind: Schema.Literals(["group", "user"]).annotate({ description: "Whether it is a group, or what a user has instead of one." }),
  full_path: text("Path with those of all groups above."),
  parent_id: nullableInteger("ID of the group above; null at the top level."),
  avatar_url: nullableText("Null: namespaces have no pictures."),
  web_url: url("Page of the namespace.")
})

export interface NamespaceReferenceRow {
  readonly id: number
  readonly name: string
  readonly path: string
  readonly kind: "group" | "user"
  readonly full_path: string
  readonly parent_id: number | null
}

export const namespaceReference = (row: NamespaceReferenceRow, externalUrl: string): typeof NamespaceReference.Type => ({
  id: row.id,
  name: row.name,
  path: row.path,
  kind: row.kind,
  full_path: row.full_path,
  parent_id: row.parent_id,
  avatar_url: null,
  web_url: row.kind === "group" ? groupUrl(row.full_path, externalUrl) : `${externalUrl}/${row.full_path}`
})

/** The path parameter that names a project. */
export const projectId = { kind: "string", required: true, description: "ID or full path of the project.", example: "1" } as const

/** The path parameter that names a group. */
export const groupId = {
  kind: "string",
  required: true,
  description: "ID or full path of the group.",
  example: "example-group"
} as const
