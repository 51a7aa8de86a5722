import { Result } from "effect"

export interface Credentials {
  readonly user: string
  readonly password: string
}

/** A repository on a server. */
export interface RemoteUrl {
  /** The URL as it is shown and used: normalized, without credentials. */
  readonly url: string
  /** The host name or address; an IPv6 address has no brackets. */
  readonly host: string
  readonly port: number
  readonly credentials: Credentials | null
}

const maxUrlLength = 2048
const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 }
/** Lower ports, other than the default ones, belong to services that do not host repositories. */
const firstUnprivilegedPort = 1024

const fail = (reason: string) => Result.fail(reason)

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const whiteSpace = /[\x00-\x20\x7f]/

/**
 * An address, or a name without signs that `http.curloptResolve` gives a meaning: `-name` stands for a name that is to be looked up
 * again, and so does not stay where it led.
 */
const plainHost = /^(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9_.-]*[a-z0-9_-])?)$/

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Decodes the credentials of a URL; undefined when they are not properly percent-encoded. */
const credentialsOf = ({ password, username }: URL): Credentials | null | undefined => {
  if (username === "" && password === "") return null
  const [user, secret] = [decoded(username), decoded(password)]
  return user === undefined || secret === undefined ? undefined : { user, password: secret }
}

/**
 * Reads the address of a repository from which is to be imported. Fails with what is wrong with it, in words that never repeat it:
 * it may hold a password. A host is written in the one way in which `git` reads it too: `0x7f.1` becomes `127.0.0.1`.
 */
export const parseImportUrl = (text: string): Result.Result<RemoteUrl, string> => {
  if (text === "") return fail("The import URL is empty")
  if (text.length > maxUrlLength) return fail(`The import URL is longer than ${maxUrlLength} characters`)
  if (whiteSpace.test(text)) return fail("The import URL has spaces or control characters")
  if (!/^https?:\/\/[^/]/i.test(text)) return fail("The import URL must begin with http:// or https://")
  if (!URL.canParse(text)) return fail("The import URL is not valid")
  const url = new URL(text)
  const port = url.port === "" ? (defaultPorts[url.protocol] ?? 0) : Number(url.port)
  if (url.search !== "" || url.hash !== "") return fail("The import URL must not have a query or a fragment")
  if (!Object.values(defaultPorts).includes(port) && port < firstUnprivilegedPort) {
    return fail("The import URL must use port 80, 443, or one from 1024 on")
  }
  const credentials = credentialsOf(url)
  if (credentials === undefined) return fail("The credentials in the import URL are not properly encoded")
  const host = url.hostname.replace(/\.$/, "")
  if (!plainHost.test(host)) return fail("The import URL is not valid")
  Object.assign(url, { hostname: host, username: "", password: "", search: "", hash: "" })
  return Result.succeed({ url: url.href, host: host.replace(/^\[|\]$/g, ""), port, credentials })
}
