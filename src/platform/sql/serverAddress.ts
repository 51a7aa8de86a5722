interface ServerAddress {
  /** The URL for the driver, which takes all else from it. */
  readonly url: string
  /** The file of a Unix socket. */
  readonly path?: string
}

const parts = /^([a-z]+:\/\/)([^/?#]*)([^?#]*)(?:\?([^#]*))?/s

const defaultPort = "5432"

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * The address of a server as libpq takes it, of which the driver knows less: the folder of a Unix socket stands as `?host=/run/postgresql`, with
 * `port` beside it, or percent-encoded in place of the host.
 */
export const serverAddress = (url: string): ServerAddress => {
  const [, scheme = "", authority = "", rest = "", query = ""] = parts.exec(url) ?? []
  const options = new URLSearchParams(query)
  const credentials = authority.slice(0, authority.lastIndexOf("@") + 1)
  const [inPlace = "", portInPlace] = authority.slice(credentials.length).split(/:(?=\d*$)/)
  const folder = [options.get("host") ?? "", decoded(inPlace)].find((host) => host.startsWith("/"))
  if (folder === undefined) return { url }
  const port = options.get("port") || portInPlace || process.env.PGPORT || defaultPort
  for (const name of ["host", "port"]) options.delete(name)
  const others = options.size === 0 ? "" : `?${options}`
  return { url: `${scheme}${credentials}localhost${rest}${others}`, path: `${folder}/.s.PGSQL.${port}` }
}
