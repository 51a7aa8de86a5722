import { originForm } from "../http/request/Incoming.ts"
import type { NodeHandler } from "../http/server/server.ts"
import { secretPattern } from "./names.ts"

/** The path of a file by the id of its project, or below the path of that. */
const byId = new RegExp(`^/-/project/(\\d+)/uploads/(${secretPattern})/([^/]+)$`)
const byPath = new RegExp(`^/(?!-/|api/)([^/]+(?:/[^/]+)+)/uploads/(${secretPattern})/([^/]+)$`)

/** Where the interface has the file at an address that texts tell, such as `/group/project/uploads/<secret>/<name>`; undefined for what is none. */
export const uploadPage = (url: string): string | undefined => {
  const mark = url.indexOf("?")
  const [path, query] = mark < 0 ? [url, ""] : [url.slice(0, mark), url.slice(mark)]
  const [, project, secret, name] = byId.exec(path) ?? byPath.exec(path) ?? []
  return project === undefined
    ? undefined
    : `/api/v4/projects/${project.replaceAll("/", "%2F")}/uploads/${secret}/${name}${query}`
}

/** Files that were uploaded are asked for at the addresses that texts tell, too: such a request goes on as one of the interface. */
export const uploadRequests: NodeHandler = (request) => {
  const isRead = request.method === "GET" || request.method === "HEAD"
  const path = isRead ? uploadPage(originForm(request.url ?? "/")) : undefined
  if (path !== undefined) request.url = path
  return false
}
