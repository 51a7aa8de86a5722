/** The two programs of git that a client talks to: one gives, one takes. */
export type Service = "git-upload-pack" | "git-receive-pack"

/** What a request under the path of a repository asks for. `path` is the full path of the project, without `.git`. */
export type GitTarget =
  | { readonly _tag: "Advertise"; readonly path: string; readonly service: Service }
  | { readonly _tag: "Call"; readonly path: string; readonly service: Service }
  /** The request is redirected to the path with `.git`; the location is relative, so that it works behind any proxy. */
  | { readonly _tag: "Redirect"; readonly location: string }
  /** The request has no `service`, as with clients older than git 1.6.6, or an unknown one. */
  | { readonly _tag: "NoSuchService" }
  | { readonly _tag: "LargeFiles" }
  | { readonly _tag: "Wiki" }
  | { readonly _tag: "Nothing" }

const services: ReadonlyArray<string> = ["git-upload-pack", "git-receive-pack"] satisfies ReadonlyArray<Service>
const isService = (text: string | null): text is Service => text !== null && services.includes(text)

const nothing: GitTarget = { _tag: "Nothing" }
/** Matches the path of a group, user or project. `.` and `..` do not match, nor does anything that needs decoding. */
const segment = /^(?!\.{1,2}$)[A-Za-z0-9_.][A-Za-z0-9_.-]{0,254}$/
const maxPathLength = 4096

const isFullPath = (path: string): boolean => {
  const segments = path.split("/")
  return path.length <= maxPathLength && segments.length >= 2 && segments.every((text) => segment.test(text))
}

const underRepository = (method: string, path: string, rest: string, query: string): GitTarget => {
  if (!isFullPath(path)) return nothing
  if (path.endsWith(".wiki")) return { _tag: "Wiki" }
  if (rest === "info/lfs" || rest.startsWith("info/lfs/")) return { _tag: "LargeFiles" }
  if (method === "GET" && rest === "info/refs") {
    const service = new URLSearchParams(query).get("service")
    return isService(service) ? { _tag: "Advertise", path, service } : { _tag: "NoSuchService" }
  }
  return method === "POST" && isService(rest) ? { _tag: "Call", path, service: rest } : nothing
}

const withoutSuffix = (path: string, query: string): GitTarget | undefined => {
  if (!isFullPath(path)) return undefined
  const name = path.slice(path.lastIndexOf("/") + 1)
  return { _tag: "Redirect", location: `../../${name}.git/info/refs${query === "" ? "" : `?${query}`}` }
}

/**
 * What a request asks of a repository; undefined when it is none of git's. `url` is path and query as sent. Full paths have no
 * character that needs encoding, so an encoded one names no repository.
 */
export const gitTarget = (method: string, url: string): GitTarget | undefined => {
  const mark = url.indexOf("?")
  const [pathname, query] = mark < 0 ? [url, ""] : [url.slice(0, mark), url.slice(mark + 1)]
  if (/^\/(?:api|-)\//.test(pathname)) return undefined
  const end = pathname.indexOf(".git/")
  if (end >= 0) return underRepository(method, pathname.slice(1, end), pathname.slice(end + ".git/".length), query)
  return pathname.endsWith("/info/refs") ? withoutSuffix(pathname.slice(1, -"/info/refs".length), query) : undefined
}
