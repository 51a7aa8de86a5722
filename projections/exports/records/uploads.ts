import { lines, type Records } from "./Records.ts"

/** Where the file of each upload lies, and when it came, in milliseconds since 1970: what its entry in a tar is made of. */
export const uploads: Records = {
  relation: "uploads",
  statements: [lines("u.secret, u.name, u.created_at", { from: "rm_uploads.uploads u where u.project_id = $1", order: "u.id" })]
}
