import { Effect } from "effect"
import type { Authenticator } from "../../http/access/Authenticator.ts"
import type { Caller } from "../../http/access/Caller.ts"
import type { WireError } from "../../http/answer/errors.ts"
import { authenticate } from "../../http/server/authenticate.ts"
import { accessLevel } from "../../members/levels.ts"
import { can, type FoundProject, Projects, principalOf } from "../../projects/Projects.ts"
import { isEncrypted, type SitesBase, siteUrl } from "../address.ts"
import { PagesHost } from "../PagesHost.ts"
import { forcesHttps, urlOf } from "../present.ts"
import { type DeploymentRow, PagesQueries, type PagesRow } from "../Queries.ts"
import { firstNamesOf, hasNames, type SiteTarget } from "./target.ts"

/** A request for a page. */
export interface PageRequest extends SiteTarget {
  readonly headers: Readonly<Record<string, string | undefined>>
  /** What links to the service begin with. */
  readonly externalUrl: string
}

/** What is answered. */
export type Page =
  /** The path, encoded as it was sent, within the files of a site; undefined where no file can have it. */
  | {
      readonly _tag: "File"
      readonly projectId: number
      readonly deployment: DeploymentRow
      readonly path: string | undefined
      /** Whether everybody may see it. */
      readonly isPublic: boolean
    }
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
  const names = firstNamesOf(rest).slice(0, maxNames)
  const end = names.indexOf("")
  const paths = names.slice(0, end < 0 ? names.length : end).map((_, index) => [label, ...names.slice(0, index + 1)].join("/"))
  // Those of one turn are one statement.
  const projects = yield* Projects
  const all = yield* Effect.forEach(paths, (path) => projects.find(path, userId), { concurrency: "unbounded" })
  const index = all.findIndex((found) => found !== undefined)
  const found = all[index]
  if (found === undefined || found.isMoved) return undefined
  const behind = rest.split("/").slice(index + 2)
  const located: Located = {
    found,
    pages: yield* pagesOf(found.project.id),
    rest: behind.length === 0 ? undefined : `/${behind.join("/")}`
  }
  return located
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

const maySee = ({ project, role }: Pick<FoundProject, "project" | "role">, caller: Caller | undefined): boolean =>
  project.pages_access_level === "public" || can("read_pages_content", principalOf(caller, role), project)

/** The deployment whose prefix a path begins with, else the main one, and the path within it. */
const deploymentFor = ({ deployments }: PagesRow, rest: string) => {
  const [[first = ""], [, sent = ""]] = [firstNamesOf(rest), rest.split("/", 2)]
  const prefixed = first === "" ? undefined : deployments.find(({ path_prefix }) => path_prefix === first)
  const deployment = prefixed ?? deployments.find(({ path_prefix }) => path_prefix === "")
  return deployment && { deployment, path: prefixed === undefined ? rest : rest.slice(sent.length + 1) }
}

const redirect = (status: 302 | 308, url: string, rest: string, query: string): Page => ({
  _tag: "Redirect",
  status,
  location: `${url}${rest}${query}`
})

/** Whether a proxy tells that a request came without encryption, which sites are served with. */
const isOpenly = (base: SitesBase, { headers }: PageRequest): boolean =>
  isEncrypted(base) && headers["x-forwarded-proto"] === "http"

/** What somebody who may see a site is shown. */
const show = ({ found: { project }, pages, rest }: Located, base: SitesBase, request: PageRequest): Page => {
  const url = urlOf(base, project.path_with_namespace, pages)
  const isElsewhere = pages.unique_domain_enabled === true && request.label !== pages.unique_domain
  if (rest === undefined || isElsewhere) return redirect(302, url, rest ?? "/", request.query)
  if (forcesHttps(base, pages) && isOpenly(base, request)) return redirect(308, url, rest, request.query)
  const shown = deploymentFor(pages, rest)
  if (shown === undefined) return missing
  if (shown.path === "") return redirect(302, url, `${rest}/`, request.query)
  const isPublic = maySee({ project, role: accessLevel.none }, undefined)
  const path = hasNames(shown.path) ? shown.path : undefined
  return { _tag: "File", projectId: project.id, isPublic, deployment: shown.deployment, path }
}

/** Nobody is asked for a token where it would be sent without encryption. */
const askToSignIn = (base: SitesBase, request: PageRequest): Page => {
  if (!isOpenly(base, request)) return { _tag: "SignIn" }
  const { label, query, rest = "" } = request
  return redirect(308, siteUrl(base, { projectPath: label, uniqueDomain: undefined }), rest, query)
}

/**
 * What is answered to a request for a page. Who shows no token is asked to sign in for what they may not see and for what is not there alike,
 * so that nobody finds out which projects there are; with a token it is not there.
 */
export const findPage = Effect.fnUntraced(function* (request: PageRequest) {
  const { domain, isEnabled } = yield* PagesHost
  if (!isEnabled) return { page: missing, caller: undefined }
  const base = { externalUrl: request.externalUrl, domain }
  const caller = yield* callerOf(request)
  const userId = caller?.user.id
  const located = (yield* byUniqueDomain(request, userId)) ?? (yield* byPath(request, userId))
  if (located !== undefined && maySee(located.found, caller)) return { page: show(located, base, request), caller }
  return { page: caller === undefined ? askToSignIn(base, request) : missing, caller }
})
