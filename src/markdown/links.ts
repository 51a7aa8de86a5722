import type { Token } from "markdown-it"

const schemes: ReadonlySet<string> = new Set(["http", "https", "ftp", "mailto", "tel"])

/** Browsers pass over blanks and control characters in it. */
const schemeOf = (url: string): string | undefined =>
  /^([a-z][a-z0-9+.-]*):/i.exec(url.replaceAll(/[\s\p{Cc}]/gu, ""))?.[1]?.toLowerCase()

/** Whether a link leads nowhere that runs something: scripts and data are never linked, relative addresses are. */
export const isHarmless = (url: string): boolean => {
  const scheme = schemeOf(url)
  return scheme === undefined || schemes.has(scheme)
}

const isExternal = (href: string): boolean => schemeOf(href) !== undefined || href.startsWith("//")

/** What links to other sites carry: they tell nobody where they were followed, and vouch for nothing. */
export const externalLinkAttributes = { rel: "nofollow noreferrer noopener", target: "_blank" } as const

/** Texts are read in the direction of their own script. */
export const decorate = (token: Token): void => {
  if (token.block && token.level === 0 && token.nesting === 1) token.attrSet("dir", "auto")
  if (token.type !== "link_open" || !isExternal(`${token.attrGet("href") ?? ""}`)) return
  for (const [name, value] of Object.entries(externalLinkAttributes)) token.attrSet(name, value)
}
