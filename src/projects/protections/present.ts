import { accessLevel } from "../../members/levels.ts"
import type { AccessLevelRow, ProtectedRefRow } from "../Projects.ts"
import type { ProtectedBranch, ProtectedTag } from "../shapes.ts"

const levelDescriptions: Readonly<Record<number, string>> = {
  [accessLevel.none]: "No one",
  [accessLevel.developer]: "Developers + Maintainers",
  [accessLevel.maintainer]: "Maintainers",
  [accessLevel.administrator]: "Administrators"
}

const presentLevel = ({ access_level, id }: AccessLevelRow) => ({
  id,
  access_level,
  access_level_description: levelDescriptions[access_level] ?? "",
  deploy_key_id: null,
  user_id: null,
  group_id: null
})

export const presentProtectedBranch = (row: ProtectedRefRow): typeof ProtectedBranch.Type => ({
  id: row.id,
  name: row.name,
  push_access_levels: row.push_access_levels.map(presentLevel),
  merge_access_levels: row.merge_access_levels.map(presentLevel),
  allow_force_push: row.allow_force_push
})

export const presentProtectedTag = (row: ProtectedRefRow): typeof ProtectedTag.Type => ({
  name: row.name,
  create_access_levels: row.push_access_levels.map(presentLevel)
})
