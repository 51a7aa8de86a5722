import { isoMillis } from "../http/answer/jsonTimes.ts"
import type { Presented } from "../http/answer/Presented.ts"
import type { listUploads, uploadFile } from "./contract.ts"
import { altOf, markdownOf } from "./names.ts"
import type { UploadRow } from "./Queries.ts"

type Uploaded = Presented<(typeof uploadFile)["success"]["body"]["Type"]>
type Upload = Presented<(typeof listUploads)["success"]["body"]["Type"]>[number]

export const presentUploaded = (projectId: number, { id, name, secret }: UploadRow): Uploaded => {
  const url = `/uploads/${secret}/${name}`
  return { id, alt: altOf(name), url, full_path: `/-/project/${projectId}${url}`, markdown: markdownOf(name, url) }
}

export const presentUpload = ({ bytes, created_at, id, name, user }: UploadRow): Upload => ({
  id,
  size: bytes,
  filename: name,
  created_at: isoMillis(created_at),
  uploaded_by: user && { id: user.id, name: user.name, username: user.username }
})
