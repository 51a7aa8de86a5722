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

/** The hosts of an installation. */
export interface Hosts {
  /** The one of the service itself, with its port if that is not the usual one. */
  readonly own: string
  /** The one whose subdomains are sites; undefined where they lie below a path. */
  readonly domain: string | undefined
}

/** What a request asks of a site; undefined when it asks for something else. `url` is path and query as sent. */
export const siteTarget = (url: string, host: string | undefined, { domain, own }: Hosts): SiteTarget | undefined => {
  const mark = url.indexOf("?")
  const [path, query] = mark < 0 ? [url, ""] : [url.slice(0, mark), url.slice(mark)]
  if (domain !== undefined) {
    const name = host?.toLowerCase()
    // The service may itself lie below the domain of its sites.
    if (name === undefined || name === own || !name.endsWith(`.${domain}`)) return undefined
    return targetOf(name.slice(0, -domain.length - 1), path, query)
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

/** The names of a path as sent; undefined where one cannot be decoded or has a slash of its own. */
export const namesOfPath = (path: string): ReadonlyArray<string> | undefined => {
  const names = path.split("/").slice(1).map(decoded)
  return names.every((name) => name !== undefined && !name.includes("/")) ? names.filter((name) => name !== undefined) : undefined
}
