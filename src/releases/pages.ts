/** The path of a page that belongs to a release: an asset below it, or what it contained. */
const belowRelease = /^\/(.+)\/-\/releases\/([^/]+)\/(?:(downloads\/.+)|evidences\/(\d+)\.json)$/
/** The path of an archive of its code. */
const archive = /^\/(.+)\/-\/archive\/([^/]+)\/[^/]+?\.(zip|tar\.gz|tar\.bz2|tar)$/

const idOf = (project: string): string => project.replaceAll("/", "%2F")

/** The path of the interface, and what its query begins with. */
const target = (path: string): readonly [path: string, ...query: ReadonlyArray<string>] | undefined => {
  const [, project, tag, asset, evidence] = belowRelease.exec(path) ?? []
  if (project !== undefined) return [`${idOf(project)}/releases/${tag}/${asset ?? `evidences/${evidence}`}`]
  const [, archived, ref, format] = archive.exec(path) ?? []
  return archived === undefined ? undefined : [`${idOf(archived)}/repository/archive.${format}`, `sha=${ref}`]
}

/** Where the interface has what is asked for at an address that releases tell, such as `/group/project/-/releases/v1/downloads/tool`. */
export const releasePage = (url: string): string | undefined => {
  const [path = "", query] = url.split("?", 2)
  const found = path.includes("/-/") ? target(path) : undefined
  if (found === undefined) return undefined
  const [place, ...more] = found
  const pairs = [...more, ...(query === undefined || query === "" ? [] : [query])]
  return `/api/v4/projects/${place}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`
}
