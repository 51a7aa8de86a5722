import { routes } from "#src/composition.ts"
import type { Endpoint } from "#src/http/Endpoint.ts"
import { git, gitLines } from "../plainGit.ts"
import type { Hosted, Long, Pair } from "./Attack.ts"
import { type Companions, namedIn } from "./companions.ts"

type Values = Readonly<Record<string, string | number | boolean>>

/** What makes requests dear, by the name of the parameter: whole histories, long lists, much to compare. */
const dear: Values = {
  all: true,
  with_stats: true,
  recursive: true,
  per_page: 100,
  statistics: false,
  license: true,
  search: "a",
  regex: "(f|e|a|t|u|r|e)*.*[0-9]+$",
  sort: "desc",
  straight: true,
  stats: true,
  trailers: true,
  order: "topo",
  with_projects: true,
  include_subgroups: true,
  with_shared: true,
  all_available: true,
  search_namespaces: true,
  access_raw_diffs: true,
  include_diverged_commits_count: true,
  render_html: true,
  unidiff: true
}

/** The file whose history and content are the largest, of those at which all endpoints look. */
const largestFile = async (source: string, tip: string) => {
  const lines = await gitLines(source, "ls-tree", "-r", "--format=%(objectsize:padded) %(objectname) %(path)", tip)
  const [, id = "", path = ""] = /^ *\d+ (\w+) (.*)$/.exec(lines.toSorted().at(-1) ?? "") ?? []
  return { id, path }
}

/** Where the requests look. */
export interface Places {
  readonly history: Hosted & { readonly pairs: ReadonlyArray<Pair> }
  /** With a long file and many branches and tags. */
  readonly long: Long
  /** Of `history`, with as many jobs as somebody likes. */
  readonly pipeline: { readonly pipeline_id: number; readonly job_id: number }
  readonly attackerId: number
  readonly groupId: number
  readonly companions: Companions
  /** A bare repository with the same commits as `history`. */
  readonly source: string
}

/** What the parameters of single endpoints are: what they mean there, or what is dear only there. */
const specialOf = (
  { history, long }: Places,
  file: { readonly id: string; readonly path: string }
): Readonly<Record<string, Values>> => {
  const [{ from = "", to = "" } = {}] = history.pairs
  const blob = { sha: file.id }
  return {
    "users.list": { username: "attacker" },
    "repositories.blob": blob,
    "repositories.rawBlob": blob,
    "repositories.archiveWithSuffix": { format: "zip" },
    "repositories.compare": { from, to },
    "repositories.contributors": { ref: from, sort: "desc" },
    "repositories.tree": { pagination: "none" },
    "repositories.blameFile": { id: long.id, ref: long.tip, file_path: long.file },
    "repositories.listTags": { id: long.id, search: "v", order_by: "version" },
    "repositories.listBranches": { id: long.id, sort: "updated_desc" },
    "repositories.listCommits": { path: file.path, author: "e" },
    "repositories.commitRefs": { id: long.id, sha: long.tip },
    "repositories.commitDiff": { sha: to }
  }
}

/** Without a token nobody is shown anything, or there is nothing to show. */
const answerless: ReadonlySet<string> = new Set([
  "users.read",
  "keys.listOfUser",
  "keys.readOfUser",
  "groups.listTransferLocations",
  "releases.readEvidence",
  "uploads.read",
  "uploads.readNamed",
  "repositories.tagSignature",
  "repositories.commitSignature"
])

const idOf = ({ path }: Endpoint, { attackerId, groupId, history }: Places): number => {
  if (path.startsWith("/users/")) return attackerId
  return path.startsWith("/groups/") ? groupId : history.id
}

const pathOf = ({ name: endpoint, paginated = false, parameters, path }: Endpoint, values: Values): string => {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = values[name]
    // An endpoint that is asked for nothing costs nothing.
    if (value === undefined) throw new Error(`${endpoint} has no value for ${name}`)
    return encodeURIComponent(value)
  })
  const isSent = ([name]: readonly [string, unknown]) =>
    !path.includes(`:${name}`) && (name in parameters || (name === "per_page" && paginated))
  const sent = Object.entries(values).filter(isSent)
  return `${filled}?${new URLSearchParams(sent.map(([name, value]): [string, string] => [name, String(value)]))}`
}

/** The dearest request of each endpoint that anybody may ask, as paths with queries. */
export const endpointRequests = async (places: Places): Promise<ReadonlyArray<string>> => {
  const tip = await git(places.source, "rev-parse", "HEAD")
  const file = await largestFile(places.source, tip)
  const special = specialOf(places, file)
  const named = {
    sha: tip,
    ref: tip,
    branch: "main",
    tag_name: "v0.0",
    file_path: file.path,
    user_id: places.attackerId,
    ...places.pipeline
  }
  return routes
    .map(({ endpoint }) => endpoint)
    .filter(({ access, method, name }) => method === "GET" && access === "anyone" && !answerless.has(name))
    .map((endpoint) => {
      const companions = namedIn(places.companions, endpoint.path)
      return pathOf(endpoint, { ...dear, ...named, ...companions, id: idOf(endpoint, places), ...special[endpoint.name] })
    })
}
