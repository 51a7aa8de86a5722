import { presentStorage } from "../../http/answer/storageSizes.ts"
import type { ProjectRow } from "../Projects.ts"
import type { RepositoryFigures } from "./figures.ts"
import { initialBranch } from "./initialBranch.ts"
import type { FoundLicense } from "./rootFiles.ts"

/** The page of a file of the default branch. */
const fileUrl = ({ default_branch, path_with_namespace }: ProjectRow, file: string, url: string): string => {
  const path = `${default_branch ?? initialBranch}/${file}`.split("/").map(encodeURIComponent).join("/")
  return `${url}/${path_with_namespace}/-/blob/${path}`
}

/** The page of the README; null for none. */
export const readmeUrl = (row: ProjectRow, url: string): string | null =>
  row.readme === null ? null : fileUrl(row, row.readme, url)

/** `license`: undefined where nobody asked for it, null where there is none. */
export const licenseFields = (row: ProjectRow, license: FoundLicense | null | undefined, url: string) => {
  if (license === undefined) return {}
  return license === null
    ? { license_url: null, license: null }
    : { license_url: fileUrl(row, license.file, url), license: license.license }
}

/** Only the repository takes space that is counted. */
export const presentStatistics = ({ bytes, commits }: RepositoryFigures) => ({
  commit_count: commits,
  ...presentStorage(bytes),
  container_registry_size: 0
})
