import { presentStorage } from "../../http/answer/storageSizes.ts"
import type { ProjectRow } from "../Projects.ts"
import type { RepositoryFigures } from "./figures.ts"
import { initialBranch } from "./initialBranch.ts"

/** The page of a file of the default branch. */
export const fileUrl = (
  { default_branch, path_with_namespace }: Pick<ProjectRow, "default_branch" | "path_with_namespace">,
  file: string,
  url: string
): string => {
  const path = `${default_branch ?? initialBranch}/${file}`.split("/").map(encodeURIComponent).join("/")
  return `${url}/${path_with_namespace}/-/blob/${path}`
}

/** Only the repository takes space that is counted. */
export const presentStatistics = ({ bytes, commits }: RepositoryFigures) => ({
  commit_count: commits,
  ...presentStorage(bytes),
  container_registry_size: 0
})
