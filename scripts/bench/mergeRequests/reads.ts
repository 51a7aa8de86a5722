import { tokenOf, users } from "../installation/users.ts"
import { rootToken } from "../service.ts"
import type { Read } from "../statements/besideStatements.ts"
import { words } from "./facts.ts"

const user = tokenOf(users.first)

const inProject = (query: string): Read => {
  const path = `/projects/1/merge_requests${query}`
  return { path, token: rootToken, said: `GET ${path}` }
}

const everywhere = (query: string): Read => {
  const path = `/merge_requests?scope=all${query}`
  return { path, token: user, said: `GET ${path} of a user` }
}

/** Lists with no, one, three and five filters, a late page, searches, and other orders, in a project and everywhere. */
export const reads: ReadonlyArray<Read> = [
  inProject(""),
  inProject("?state=opened"),
  inProject("?state=merged&target_branch=main&wip=no&created_after=2020-01-01&reviewer_id=Any"),
  inProject(`?search=${words.common}`),
  everywhere(""),
  everywhere("&state=opened"),
  everywhere("&state=opened&page=50"),
  everywhere("&state=opened&target_branch=main&wip=no"),
  everywhere(`&state=merged&target_branch=main&wip=no&assignee_id=${users.first + 7}&created_after=2020-01-01`),
  everywhere(`&search=${words.common}`),
  everywhere(`&search=${words.rare}`),
  everywhere("&search=the%20case"),
  inProject("?order_by=priority&sort=asc"),
  inProject("?order_by=popularity"),
  everywhere("&order_by=milestone_due"),
  everywhere("&order_by=popularity"),
  everywhere("&state=opened&order_by=popularity&page=50")
]
