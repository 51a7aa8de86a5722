import { dirname } from "node:path"
import { gunzipSync } from "node:zlib"
import { Effect } from "effect"
import { expect } from "vitest"
import { type Command, exportAggregate } from "#src/exports/aggregate.ts"
import { ExportRecords } from "#src/exports/ExportRecords.ts"
import { ExportStorage } from "#src/exports/files/ExportStorage.ts"
import { performExport } from "#src/exports/work/performExport.ts"
import { handle } from "#src/platform/Commands.ts"
import { CurrentOrigin, systemOrigin } from "#src/platform/Origin.ts"
import { useMergeRequests } from "#test/mergeRequests/useMergeRequests.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { answerOf, rootToken, type Sent } from "#test/support/service.ts"

type WithoutNumber<C> = C extends { readonly number: number } ? Omit<C, "now" | "number"> : never
type Told = WithoutNumber<Command>

/** The query of a download. */
type Query = Readonly<Record<string, string>>

/** A file as it was given. */
export interface Download {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
}

/** A running service, with projects that are exported when a test says so. */
export const useExports = (env: Readonly<Record<string, string>> = {}) => {
  const requests = useMergeRequests(env)
  const { service } = requests
  const at = (projectId: unknown, more = "") => `/projects/${projectId}/export_relations${more}`

  /** Does what a worker does, until nothing is left of the export of a project. */
  const perform = (projectId: number): Promise<void> =>
    service.run(
      Effect.gen(function* () {
        yield* Effect.provideService(performExport(projectId), CurrentOrigin, systemOrigin("exports"))
        yield* settled
      })
    )
  /** Tells the log what a worker would, of an export by its number. */
  const tell = (projectId: number, told: Told): Promise<void> =>
    service.run(
      Effect.gen(function* () {
        yield* handle(exportAggregate, projectId, { number: 1, now: Date.now(), ...told })
        yield* settled
      })
    )
  /** Takes the records of the first export of a project, as a worker does before it writes files. */
  const takeRecords = async (projectId: number): Promise<void> => {
    const of = { projectId, number: 1 }
    const taken = await service.run(ExportRecords.use((records) => records.take(of, Number.MAX_SAFE_INTEGER)))
    await tell(projectId, { _tag: "Take", ...(taken ?? expect.unreachable("They are too large")) })
  }
  /** The folder of the files of an export. */
  const folderOf = (projectId: number, number = 1): Promise<string> =>
    service.run(ExportStorage.use(({ pathOf }) => Effect.succeed(dirname(pathOf({ projectId, number }, "file")))))
  /** The bytes of a file as they come over the wire; `fetch` would unpack them only where a header said that they are packed. */
  const download = async (projectId: unknown, query: Query, { token = rootToken }: Sent = {}): Promise<Download> => {
    const url = `${service.url}/api/v4${at(projectId, "/download")}?${new URLSearchParams(query)}`
    const response = await fetch(url, { redirect: "manual", headers: token === null ? {} : { "private-token": token } })
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  /** A file, unpacked. */
  const unpacked = async (projectId: number, query: Query): Promise<Buffer> => {
    const { bytes, status } = await download(projectId, query)
    expect([status, status === 200 ? "" : bytes.toString()]).toEqual([200, ""])
    return gunzipSync(bytes)
  }
  const textOf = async (projectId: number, relation: string, more: Query = {}): Promise<string> =>
    (await unpacked(projectId, { relation, ...more })).toString("utf8")
  return {
    ...requests,
    at,
    perform,
    tell,
    takeRecords,
    folderOf,
    download,
    unpacked,
    textOf,
    /** What is answered to one who asks for an export. */
    order: async (projectId: unknown, sent: Sent = {}) => answerOf(await service.request("POST", at(projectId), sent)),
    /** An export of a project, from the request to its end. */
    exported: async (projectId: number, sent: Sent = {}): Promise<void> => {
      expect((await service.request("POST", at(projectId), sent)).status).toBe(202)
      await perform(projectId)
    },
    status: async (projectId: unknown, sent: Sent = {}) => answerOf(await service.request("GET", at(projectId, "/status"), sent)),
    /** The records of a relation. */
    recordsOf: async (projectId: number, relation: string): Promise<ReadonlyArray<unknown>> => {
      const text = await textOf(projectId, relation)
      const lines = text.split("\n")
      expect(lines.pop()).toBe("")
      return lines.map((line) => JSON.parse(line))
    },
    /** What is answered where there is no file. */
    refusal: async (projectId: unknown, query: Query, sent: Sent = {}) =>
      answerOf(await service.request("GET", at(projectId, "/download"), { ...sent, query }))
  }
}
