import { Schema } from "effect"

/** The sizes in bytes by what takes them. */
export const storageSizes = {
  storage_size: Schema.Int,
  repository_size: Schema.Int,
  wiki_size: Schema.Int,
  lfs_objects_size: Schema.Int,
  job_artifacts_size: Schema.Int,
  pipeline_artifacts_size: Schema.Int,
  packages_size: Schema.Int,
  snippets_size: Schema.Int,
  uploads_size: Schema.Int
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
