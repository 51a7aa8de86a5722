import { Effect } from "effect"
import { maySeeGroup } from "../../groups/Groups.ts"
import type { Caller } from "../../http/access/Caller.ts"
import { Markdown } from "../../markdown/Markdown.ts"
import { presentShare } from "../../members/present.ts"
import { can } from "../abilities.ts"
import { principalOf, projectNotFound } from "../Projects.ts"
import { type ProjectDetails, ProjectQueries, type SimpleProjectRow, viewerOf } from "../Queries.ts"
import type { FoundLicense } from "../repository/rootFiles.ts"
import { figuresOf, licenseOfProject } from "../repository/view.ts"
import {
  type FullExtras,
  presentFull,
  presentPublic,
  presentSimple,
  presentWithPermissions,
  type Viewer,
  viewerFrom
} from "./present.ts"

/** The caller, the request, and the optional parts that it wants. */
interface ViewInput {
  readonly caller: Caller | undefined
  readonly request: { readonly externalUrl: string }
  readonly statistics?: boolean
  readonly license?: boolean
}
type UserViewInput = ViewInput & { readonly caller: Caller }

/** One of the full forms of `present.ts`; anonymous callers see the simple one alone. */
type Present<P> = (row: ProjectDetails, extras: FullExtras, viewer: Viewer) => P

type ById<Row> = ReadonlyMap<number, Row>
const byId = <Row extends { readonly id: number }>(rows: ReadonlyArray<Row>): ById<Row> =>
  new Map(rows.map((row) => [row.id, row]))
const inOrder = <Row>(ids: ReadonlyArray<number>, rows: ById<Row>): ReadonlyArray<Row> => ids.flatMap((id) => rows.get(id) ?? [])

/** The groups that these projects are shared with, those that the caller may see, by project. */
const sharesWith = Effect.fnUntraced(function* (rows: ReadonlyArray<ProjectDetails>, caller: Caller) {
  const shared = rows.filter(({ is_shared }) => is_shared).map(({ id }) => id)
  const shares = shared.length === 0 ? [] : yield* ProjectQueries.use((projects) => projects.shares(shared, viewerOf(caller)))
  return Map.groupBy(
    shares.filter((share) => maySeeGroup(caller, share)),
    ({ shared_id }) => shared_id
  )
})

/** The fork sources that the caller may read. */
const sourceAmong = (sources: ById<SimpleProjectRow>, caller: Caller | undefined) => (row: ProjectDetails) => {
  const source = row.forked_from_id === null ? undefined : sources.get(row.forked_from_id)
  return source !== undefined && can("read_project", principalOf(caller, source.role), source) ? source : undefined
}

interface Rows {
  readonly rows: ReadonlyArray<ProjectDetails>
  /** What they are forks of, by id. */
  readonly sources: ById<SimpleProjectRow>
  readonly license?: FoundLicense | null | undefined
}

const presentRows = Effect.fnUntraced(function* <P>({ license, rows, sources }: Rows, present: Present<P>, input: UserViewInput) {
  const { caller, request, statistics } = input
  const shares = yield* sharesWith(rows, caller)
  const figures = statistics === true ? yield* figuresOf(rows, caller) : undefined
  const sourceOf = sourceAmong(sources, caller)
  const viewer = viewerFrom(caller, request.externalUrl)
  const markdown = yield* Markdown
  return yield* Effect.forEach(rows, (row) =>
    Effect.map(markdown.render(row.description ?? ""), (descriptionHtml) => {
      const sharedWith = shares.get(row.id)?.map(presentShare)
      const extras = { sharedWith, source: sourceOf(row), figures: figures?.get(row.id), license, descriptionHtml }
      return present(row, extras, viewer)
    })
  )
})

/** Shows the projects that exist in their simple form. */
export const presentAllSimple = Effect.fnUntraced(function* (ids: ReadonlyArray<number>, { caller, request }: ViewInput) {
  if (ids.length === 0) return []
  const rows = byId(yield* ProjectQueries.use((projects) => projects.simple(ids, caller?.user.id)))
  const viewer = viewerFrom(caller, request.externalUrl)
  return inOrder(ids, rows).map((row) => presentSimple(row, {}, viewer))
})

/** Shows the projects that exist in a full form. */
export const presentAll = Effect.fnUntraced(function* <P>(ids: ReadonlyArray<number>, present: Present<P>, input: UserViewInput) {
  if (ids.length === 0) return []
  const sources = byId(yield* ProjectQueries.use((projects) => projects.details(ids, input.caller.user.id)))
  return yield* presentRows({ rows: inOrder(ids, sources), sources }, present, input)
})

const sourcesOf = Effect.fnUntraced(function* ({ forked_from_id: id }: ProjectDetails, caller: Caller | undefined) {
  return byId(id === null ? [] : yield* ProjectQueries.use((projects) => projects.simple([id], caller?.user.id)))
})

const presentRow = Effect.fnUntraced(function* <P>(
  row: ProjectDetails,
  present: Present<P>,
  input: UserViewInput,
  license?: FoundLicense | null
) {
  const sources = yield* sourcesOf(row, input.caller)
  const [presented] = yield* presentRows({ rows: [row], sources, license }, present, input)
  return presented ?? (yield* projectNotFound)
})

/** A project as it is shown alone. */
export const presentFound = Effect.fnUntraced(function* (row: ProjectDetails, input: ViewInput) {
  const { caller, request } = input
  const license = input.license === true ? yield* licenseOfProject(row, caller) : undefined
  if (caller === undefined) {
    const source = sourceAmong(yield* sourcesOf(row, caller), caller)(row)
    return presentPublic(row, { license, source }, viewerFrom(caller, request.externalUrl))
  }
  return yield* presentRow(row, presentWithPermissions, { ...input, caller }, license)
})

/** What writes answer: the project as the read model has it now. */
export const presentWritten = Effect.fnUntraced(function* (id: number, input: UserViewInput) {
  const found = yield* ProjectQueries.use((projects) => projects.find(String(id), input.caller.user.id))
  return found === undefined ? yield* projectNotFound : yield* presentRow(found.project, presentFull, input)
})
