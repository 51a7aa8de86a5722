import { sitesPath } from "../address.ts"

/** What a request asks of a site. */
export interface SiteTarget {
  /** The first label of the host, or the first name of the path: a unique domain, or a namespace. */
  readonly label: string
  /** The path behind that, with a slash at its beginning, as it was sent; undefined where the address ends in the label. */
  readonly rest: string | undefined
  /** The query as sent, with its question mark; blank for none. */
  readonly query: string
}

const label = /^[a-z0-9_.-]+$/

const targetOf = (text: string, rest: string | undefined, query: string): SiteTarget | undefined => {
  const lower = text.toLowerCase()
  return label.test(lower) ? { label: lower, rest, query } : undefined
}

/** The hosts of an installation, with or without port. */
export interface Hosts {
  /** The one of the service itself. */
  readonly own: string
  /** The one whose subdomains are sites; undefined where they lie below a path. */
  readonly domain: string | undefined
}

/** The path and the query of an address, the latter with its question mark, or blank. */
export const pathAndQuery = (url: string): readonly [string, string] => {
  const mark = url.indexOf("?")
  return mark < 0 ? [url, ""] : [url.slice(0, mark), url.slice(mark)]
}

/** The name of a host, without its port, and without the dot that complete names may end in. */
const nameOf = (host: string): string => host.toLowerCase().replace(/\.?(:\d*)?$/, "")

/** What a request asks of a site; undefined when it asks for something else. `url` is path and query as sent. */
export const siteTarget = (url: string, host: string | undefined, { domain, own }: Hosts): SiteTarget | undefined => {
  const [path, query] = pathAndQuery(url)
  if (domain !== undefined) {
    const [name, suffix] = [nameOf(host ?? ""), `.${nameOf(domain)}`]
    // The service may itself lie below the domain of its sites.
    if (name === nameOf(own) || !name.endsWith(suffix)) return undefined
    return targetOf(name.slice(0, -suffix.length), path, query)
  }
  if (!path.startsWith(`${sitesPath}/`)) return undefined
  const below = path.slice(sitesPath.length + 1)
  const slash = below.indexOf("/")
  return slash < 0 ? targetOf(below, undefined, query) : targetOf(below.slice(0, slash), below.slice(slash), query)
}

const decoded = (name: string): string | undefined => {
  try {
    return decodeURIComponent(name)
  } catch {
    return undefined
  }
}

/** The names of a path as sent, up to the first one that cannot be decoded or has a slash of its own. */
export const firstNamesOf = (path: string): ReadonlyArray<string> => {
  const names: Array<string> = []
  for (const sent of path.split("/").slice(1)) {
    const name = decoded(sent)
    if (name === undefined || name.includes("/")) break
    names.push(name)
  }
  return names
}

/** Whether all names of a path as sent can be decoded, and none has a slash of its own. */
export const hasNames = (path: string): boolean => firstNamesOf(path).length === path.split("/").length - 1
