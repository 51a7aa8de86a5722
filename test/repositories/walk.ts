import { field } from "#test/support/exactly.ts"
import type { TestService } from "#test/support/service.ts"

const maxPages = 20

/** The names in a list that is read from link to link, and how many pages it took. */
export const walk = async (service: TestService, path: string, query: Record<string, string>) => {
  const names: Array<unknown> = []
  let wanted: Record<string, string> | undefined = query
  let pages = 0
  for (; wanted !== undefined && pages < maxPages; pages++) {
    const { body, headers } = await service.request("GET", path, { query: wanted })
    names.push(...(body as ReadonlyArray<unknown>).map((one) => field(one, "name")))
    const next: string | undefined = /^<[^?]*\?([^>]*)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1]
    wanted = next === undefined ? undefined : Object.fromEntries(new URLSearchParams(next))
  }
  return { pages, names }
}
