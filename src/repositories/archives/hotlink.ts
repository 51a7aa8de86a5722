import type { RequestInfo } from "../../http/request/RequestInfo.ts"

const embeddedModes: ReadonlyArray<string> = ["cors", "no-cors", "websocket"]
const crossSite: ReadonlyArray<string> = ["cross-site", "same-site"]
const embeddedTypes = /^(image\/(jpeg|apng|png|webp|svg\+xml|\*)|(video|audio)\/(webm|ogg|wav|\*)|application\/ogg|text\/css)$/

/**
 * Whether a browser asks on behalf of a page of another site, or for something to embed. Programs that say `cors` without naming a site,
 * as Node does, are no browsers.
 */
export const isHotlink = ({ headers }: Pick<RequestInfo, "headers">): boolean => {
  const mode = headers["sec-fetch-mode"] ?? ""
  if (embeddedModes.includes(mode) && crossSite.includes(headers["sec-fetch-site"] ?? "")) return true
  const [preferred = "", ...others] = (headers.accept ?? "")
    .split(",")
    .map((type) => type.replace(/;.*/, "").trim().toLowerCase())
  // An old browser that accepts images first for everything.
  if (preferred.startsWith("image/") && others.includes("application/x-ms-application")) return false
  return embeddedTypes.test(preferred)
}
