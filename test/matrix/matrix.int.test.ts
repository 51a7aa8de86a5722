import { describe, expect, it } from "vitest"
import { routes } from "#src/composition.ts"
import type { Sent } from "#test/support/service.ts"
import type { Asker, Exception } from "./askers.ts"
import { check, type Told } from "./cells.ts"
import { deploymentRows } from "./companions/deploymentRows.ts"
import { exportRows } from "./companions/exportRows.ts"
import { noteRows } from "./companions/noteRows.ts"
import { pagesRows } from "./companions/pagesRows.ts"
import { releaseRows } from "./companions/releaseRows.ts"
import { uploadRows } from "./companions/uploadRows.ts"
import { type Answer, type Grid, refusals, visibilities } from "./grid.ts"
import { groupRows } from "./groupRows.ts"
import { instanceRows } from "./instanceRows.ts"
import { issueRows } from "./issues/rows.ts"
import { mergeRequestRows } from "./mergeRequestRows.ts"
import { rowsOfGroups, rowsOfProjects } from "./parentRows.ts"
import { pipelineRows } from "./pipelineRows.ts"
import { projectRows } from "./projectRows.ts"
import { repositoryRows } from "./repositoryRows.ts"
import { fetching, pushing } from "./rights.ts"
import type { Row } from "./row.ts"
import { scheduleRows } from "./scheduleRows.ts"
import { type InProject, useWorld } from "./useWorld.ts"

const { anywhere, inGroup, inProject, service, tokenOf } = useWorld()

const inProjects = [
  ...projectRows,
  ...repositoryRows,
  ...pipelineRows,
  ...scheduleRows,
  ...mergeRequestRows,
  ...issueRows,
  ...noteRows,
  ...deploymentRows,
  ...pagesRows,
  ...exportRows,
  ...releaseRows,
  ...uploadRows,
  ...rowsOfProjects
]
const inGroups = [...groupRows, ...rowsOfGroups]

const all: ReadonlyArray<Row<never>> = [...inProjects, ...inGroups, ...instanceRows]

it("every endpoint has a row, and every row an endpoint", () => {
  const served = routes.map(({ endpoint: { method, path } }) => `${method} ${path}`)
  expect([...new Set(all.map(([endpoint]) => endpoint))].toSorted()).toEqual(served.toSorted())
})

it("every row tells of all visibilities, unless places do not matter", () => {
  const incomplete = all.filter(([, , may]) => !may.has("anywhere") && !visibilities.every((visibility) => may.has(visibility)))
  expect(incomplete.map(([endpoint]) => endpoint)).toEqual([])
})

const blocked = "Your account has been blocked."
const scopeTooSmall = (readScope: string | undefined): Answer => [
  403,
  {
    error: "insufficient_scope",
    error_description: "The request requires higher privileges than provided by the access token.",
    scope: readScope === undefined ? "api read_api" : `${readScope} api read_api`
  }
]

/** What those are told who have no right to ask anything. */
const ofExceptions = ([endpoint, success, , , { scope } = {}]: Row<never>): Readonly<Record<Exception, Told>> => ({
  "blocked owner": [403, { message: `403 Forbidden - ${blocked}` }],
  "unknown token": refusals[401],
  "token for reading": scope === "any" || endpoint.startsWith("GET ") ? success : scopeTooSmall(scope),
  "token for nothing": scope === "any" ? success : scopeTooSmall(scope)
})

const send = async <At extends object>([endpoint, , , ask]: Row<At>, at: At, asker: Asker): Promise<Told> => {
  const [method = "", path = ""] = endpoint.split(" ")
  const { path: names, token, ...asked } = ask?.(at) ?? {}
  const values: Readonly<Record<string, unknown>> = { ...at, ...names }
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])))
  const hasNone = asker === "anonymous" || asker === "unknown token"
  const sent: Sent = { ...asked, token: (hasNone ? null : token) ?? tokenOf(asker) }
  const { body, status } = await service.request(method, filled, sent)
  return status < 400 ? status : [status, body]
}

const titled = <At>(rows: ReadonlyArray<Row<At>>) =>
  rows.map((row) => [row[4]?.when === undefined ? row[0] : `${row[0]}, ${row[4].when}`, row] as const)
const expectedOf = (row: Row<never>) => ({ success: row[1], may: row[2], ofExceptions: ofExceptions(row) })

describe("in projects", () => {
  it.each(titled(inProjects))("%s", (_, row) =>
    check(expectedOf(row), ({ asker, place }) => send(row, inProject(place, asker), asker))
  )
})

it("where access to a repository is refused, parameters do not matter", async () => {
  const answers = await Promise.all(
    repositoryRows.flatMap(([endpoint, success, may, ask]) =>
      (["outsider", "guest"] as const).map((asker) => {
        const wrong: Row<InProject> = [endpoint, success, may, (at) => ({ path: ask?.(at).path ?? {}, query: { per_page: "0" } })]
        return send(wrong, inProject("private", asker), asker)
      })
    )
  )
  expect(answers).toEqual(repositoryRows.flatMap(() => [refusals["404project"], refusals[403]]))
})

describe("in groups", () => {
  it.each(titled(inGroups))("%s", (_, row) =>
    check(expectedOf(row), ({ asker, place }) => send(row, inGroup(place, asker), asker))
  )
})

describe("anywhere", () => {
  it.each(titled(instanceRows))("%s", (_, row) => check(expectedOf(row), ({ asker }) => send(row, anywhere(asker), asker)))
})

describe("git itself", () => {
  const ask = async (url: string, token: string | null, body?: string): Promise<Told> => {
    const authorization = token === null ? {} : { authorization: `Basic ${btoa(`somebody:${token}`)}` }
    const type = { "content-type": `application/x-${url.split("/").at(-1)}-request` }
    const sent =
      body === undefined ? { headers: authorization } : { method: "POST", body, headers: { ...type, ...authorization } }
    const response = await fetch(url, sent)
    const text = await response.text()
    return response.status === 200 ? 200 : [response.status, text.trimEnd()]
  }

  it.each<[path: string, may: Grid, body?: string]>([
    ["info/refs?service=git-upload-pack", fetching],
    ["git-upload-pack", fetching, "0000"],
    ["info/refs?service=git-receive-pack", pushing],
    ["git-receive-pack", pushing, "0000"]
  ])("%s", (path, may, body) => {
    const told = { "blocked owner": [403, blocked], "unknown token": refusals.git401 } as const
    const expected = { "token for reading": refusals.git401, "token for nothing": refusals.git401, ...told }
    return check({ success: 200, may, ofExceptions: expected }, ({ asker, place }) =>
      ask(`${service.url}/${inProject(place, asker).fullPath}.git/${path}`, tokenOf(asker), body)
    )
  })
})
