import { randomBytes } from "node:crypto"

/** The path below which the service itself shows sites. */
export const sitesPath = "/-/pages-site"

/** A label of a host name has so many characters at most. */
const maxLabel = 63
const suffixBytes = 6

/** A new unique domain for a project, by its path: its first label, which nobody can have guessed. */
export const newUniqueDomain = (path: string): string => {
  const suffix = randomBytes(suffixBytes).toString("hex")
  const plain = path.toLowerCase().replace(/[^a-z0-9]+/g, "-")
  const stem = plain.slice(0, maxLabel - suffix.length - 1).replace(/^-+|-+$/g, "")
  return `${stem || "site"}-${suffix}`
}

/** Where sites are shown. */
export interface SitesBase {
  /** What links to the service begin with. */
  readonly externalUrl: string
  /** The host, with or without port, whose subdomains are sites; undefined where they lie below a path of the service. */
  readonly domain: string | undefined
}

/** What the address of a site follows from. */
export interface Site {
  /** The first label of its unique domain; undefined where that is not used. */
  readonly uniqueDomain: string | undefined
  /** The full path of the project. */
  readonly projectPath: string
}

const schemeOf = (externalUrl: string): string => new URL(externalUrl).protocol

/** Whether sites are served with encryption. */
export const isEncrypted = ({ externalUrl }: SitesBase): boolean => schemeOf(externalUrl) === "https:"

/** The base address of a site, without a slash at its end. */
export const siteUrl = ({ domain, externalUrl }: SitesBase, { projectPath, uniqueDomain }: Site): string => {
  const path = projectPath.toLowerCase()
  if (domain === undefined) return `${externalUrl}${sitesPath}/${uniqueDomain ?? path}`
  const [namespace = "", ...rest] = path.split("/")
  const below = uniqueDomain === undefined ? rest.map((name) => `/${name}`).join("") : ""
  return `${schemeOf(externalUrl)}//${uniqueDomain ?? namespace}.${domain}${below}`
}
