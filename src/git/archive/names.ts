export type ArchiveFormat = "tar" | "tar.gz" | "tar.bz2" | "zip"

const suffixes: Readonly<Record<string, ArchiveFormat>> = {
  zip: "zip",
  tar: "tar",
  "tar.gz": "tar.gz",
  tgz: "tar.gz",
  gz: "tar.gz",
  "tar.bz2": "tar.bz2",
  tbz: "tar.bz2",
  tbz2: "tar.bz2",
  tb2: "tar.bz2",
  bz2: "tar.bz2"
}

/** The format that a suffix of the path (without its dot) or a parameter names; undefined for any other text. */
export const archiveFormat = (suffix: string): ArchiveFormat | undefined =>
  Object.hasOwn(suffixes, suffix) ? suffixes[suffix] : undefined

export const archiveContentType = (format: ArchiveFormat): string =>
  format === "zip" ? "application/zip" : "application/octet-stream"

export interface ArchiveNaming {
  /** The last part of the project's path. */
  readonly project: string
  /** The ref as the caller sent it, or the default branch. */
  readonly ref: string
  /** The full id of the commit. */
  readonly commit: string
  /** The path as the caller sent it; an empty one counts as sent. */
  readonly path?: string
}

const dashed = (text: string) => text.replaceAll("/", "-")

/** The name of the top directory, and of the file without its extension. */
export const archiveName = ({ commit, path, project, ref }: ArchiveNaming): string =>
  [project, dashed(ref), commit, ...(path === undefined ? [] : [dashed(path)])].join("-")
