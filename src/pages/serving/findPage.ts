import { Effect } from "effect"
import type { Authenticator } from "../../http/access/Authenticator.ts"
import type { Caller } from "../../http/access/Caller.ts"
import type { WireError } from "../../http/answer/errors.ts"
import { authenticate } from "../../http/server/authenticate.ts"
import { can, type FoundProject, Projects, principalOf } from "../../projects/Projects.ts"
import type { SitesBase } from "../address.ts"
import { PagesHost } from "../PagesHost.ts"
import { forcesHttps, urlOf } from "../present.ts"
import { type DeploymentRow, PagesQueries, type PagesRow } from "../Queries.ts"
import { namesOfPath, type SiteTarget } from "./target.ts"

/** A request for a page. */
export interface PageRequest extends SiteTarget {
  readonly headers: Readonly<Record<string, string | undefined>>
  /** What links to the service begin with. */
  readonly externalUrl: string
}

/** What is answered. */
export type Page =
  /** The path, encoded as it was sent, within the files of a site. */
  | { readonly _tag: "File"; readonly projectId: number; readonly deployment: DeploymentRow; readonly path: string }
  | { readonly _tag: "Redirect"; readonly status: 302 | 308; readonly location: string }
  | { readonly _tag: "Missing" }
  /** It is for members: who says who they are may see it. */
  | { readonly _tag: "SignIn" }

/** Paths of projects have so many names at most. */
const maxNames = 21

const missing: Page = { _tag: "Missing" }

/** A project and the rest of the path behind what names it, with a slash at its beginning; undefined where the path ends there. */
interface Located {
  readonly found: FoundProject
  readonly pages: PagesRow
  readonly rest: string | undefined
}

const pagesOf = (projectId: number) => PagesQueries.use((pages) => pages.find(projectId))

const byUniqueDomain = Effect.fnUntraced(function* ({ label, rest }: SiteTarget, userId: number | undefined) {
  const id = yield* PagesQueries.use((pages) => pages.projectOfDomain(label))
  if (id === undefined) return undefined
  const [found, pages] = [yield* Projects.use((projects) => projects.find(String(id), userId)), yield* pagesOf(id)]
  if (found === undefined || pages.unique_domain_enabled !== true) return undefined
  const located: Located = { found, pages, rest }
  return located
})

/** Nothing lies below a project but its files, so the first path that is one names it. */
const byPath = Effect.fnUntraced(function* ({ label, rest = "" }: SiteTarget, userId: number | undefined) {
  const sent = rest.split("/").slice(1)
  const names = namesOfPath(rest) ?? []
  for (let count = 1; count <= Math.min(names.length, maxNames) && names[count - 1] !== ""; count++) {
    const path = [label, ...names.slice(0, count)].join("/")
    const found = yield* Projects.use((projects) => projects.find(path, userId))
    if (found === undefined) continue
    if (found.isMoved) return undefined
    const behind = sent.slice(count)
    const located: Located = {
      found,
      pages: yield* pagesOf(found.project.id),
      rest: behind.length === 0 ? undefined : `/${behind.join("/")}`
    }
    return located
  }
  return undefined
})

/** Where the personal access token is the password of basic authentication, which browsers ask for, it is as in a header of its own. */
const withToken = (headers: PageRequest["headers"]): PageRequest["headers"] => {
  const [, encoded] = /^basic\s+(\S+)$/i.exec(headers.authorization ?? "") ?? []
  if (encoded === undefined) return headers
  const text = Buffer.from(encoded, "base64").toString()
  return { ...headers, "private-token": headers["private-token"] ?? text.slice(text.indexOf(":") + 1) }
}

const callerOf = ({ headers }: PageRequest): Effect.Effect<Caller | undefined, WireError, Authenticator> =>
  authenticate({ headers: withToken(headers), raw: {}, isRead: true, endpoint: {} })

const maySee = ({ project, role }: FoundProject, caller: Caller | undefined): boolean =>
  project.pages_access_level === "public" || can("read_pages_content", principalOf(caller, role), project)

/** The deployment whose prefix a path begins with, else the main one, and the path within it. */
const deploymentFor = ({ deployments }: PagesRow, rest: string) => {
  const [, first = ""] = rest.split("/", 2)
  const prefixed = first === "" ? undefined : deployments.find(({ path_prefix }) => path_prefix === first)
  const deployment = prefixed ?? deployments.find(({ path_prefix }) => path_prefix === "")
  return deployment && { deployment, path: prefixed === undefined ? rest : rest.slice(first.length + 1) }
}

const redirect = (status: 302 | 308, url: string, rest: string, query: string): Page => ({
  _tag: "Redirect",
  status,
  location: `${url}${rest}${query}`
})

/** What somebody who may see a site is shown. */
const show = ({ found: { project }, pages, rest }: Located, base: SitesBase, request: PageRequest): Page => {
  const url = urlOf(base, project.path_with_namespace, pages)
  const isElsewhere = pages.unique_domain_enabled === true && request.label !== pages.unique_domain
  if (rest === undefined || isElsewhere) return redirect(302, url, rest ?? "/", request.query)
  if (forcesHttps(base, pages) && request.headers["x-forwarded-proto"] === "http" && url.startsWith("https:"))
    return redirect(308, url, rest, request.query)
  if (namesOfPath(rest) === undefined) return missing
  const shown = deploymentFor(pages, rest)
  if (shown === undefined) return missing
  if (shown.path === "") return redirect(302, url, `${rest}/`, request.query)
  return { _tag: "File", projectId: project.id, ...shown }
}

/** What is answered to a request for a page. What somebody may not see, they are asked to sign in for; with a token it is not there. */
export const findPage = Effect.fnUntraced(function* (request: PageRequest) {
  const host = yield* PagesHost
  if (!host.isEnabled) return { page: missing, caller: undefined }
  const caller = yield* callerOf(request)
  const userId = caller?.user.id
  const located = (yield* byUniqueDomain(request, userId)) ?? (yield* byPath(request, userId))
  if (located === undefined || located.found.project.pages_access_level === "disabled") return { page: missing, caller }
  if (!maySee(located.found, caller)) return { page: caller === undefined ? ({ _tag: "SignIn" } as const) : missing, caller }
  return { page: show(located, { externalUrl: request.externalUrl, domain: host.domain }, request), caller }
})
