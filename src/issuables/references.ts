import { Schema } from "effect"
import { text } from "../http/answer/fields.ts"

/** How others refer to an issue or merge request. */
export const References = Schema.Struct({
  short: text("Number with its mark in front: `#` of an issue, `!` of a merge request."),
  relative: text("The same, with the path of the project below the group that was asked for."),
  full: text("The same, with the full path of the project.")
}).annotate({ identifier: "References" })

/** Where issues or merge requests are shown. */
export interface Place {
  readonly externalUrl: string
  /** The full path of the group of a list. */
  readonly groupPath?: string
}

/** The path of a project as somebody in a group would say it. */
const relativePath = (path: string, groupPath: string): string => {
  const name = path.slice(groupPath.length + 1)
  return path.startsWith(`${groupPath}/`) && !name.includes("/") ? name : path
}

/** References with a mark and number, such as `!14`, in the project of a path. */
export const presentReferences = (short: string, projectPath: string, { groupPath }: Place): typeof References.Type => ({
  short,
  relative: groupPath === undefined ? short : `${relativePath(projectPath, groupPath)}${short}`,
  full: `${projectPath}${short}`
})
