import { integer } from "./fields.ts"

/** The sizes in bytes by what takes them. */
export const storageSizes = {
  storage_size: integer("Bytes of all together."),
  repository_size: integer("Bytes that repositories take."),
  wiki_size: integer("Bytes that wikis take."),
  lfs_objects_size: integer("Bytes that large files beside git take."),
  job_artifacts_size: integer("Bytes that artifacts of jobs take."),
  pipeline_artifacts_size: integer("Bytes that artifacts of pipelines take."),
  packages_size: integer("Bytes that packages take."),
  snippets_size: integer("Bytes that snippets take."),
  uploads_size: integer("Bytes that uploaded files take.")
}

/** Only repositories take space; these take so many bytes. */
export const presentStorage = (bytes: number): { readonly [Name in keyof typeof storageSizes]: number } => ({
  storage_size: bytes,
  repository_size: bytes,
  wiki_size: 0,
  lfs_objects_size: 0,
  job_artifacts_size: 0,
  pipeline_artifacts_size: 0,
  packages_size: 0,
  snippets_size: 0,
  uploads_size: 0
})
