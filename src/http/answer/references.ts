import { Schema } from "effect"
import { isoMillis } from "./jsonTimes.ts"

// How groups, projects and namespaces are named where something else is the matter.

const text = Schema.String

export const GroupReference = Schema.Struct({
  id: Schema.Int,
  web_url: text,
  name: text,
  avatar_url: Schema.NullOr(text),
  full_name: text,
  full_path: text
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
  id: Schema.Int,
  description: Schema.NullOr(text),
  name: text,
  name_with_namespace: text,
  path: text,
  path_with_namespace: text,
  created_at: text
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
  id: Schema.Int,
  name: text,
  path: text,
  kind: Schema.Literals(["group", "user"]),
  full_path: text,
  parent_id: Schema.NullOr(Schema.Int),
  avatar_url: Schema.NullOr(text),
  web_url: text
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
