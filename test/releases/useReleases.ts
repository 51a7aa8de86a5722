import { Effect } from "effect"
import { afterAll, beforeAll, expect, vi } from "vitest"
import { CurrentOrigin, systemOrigin } from "#src/platform/Origin.ts"
import { collectEvidence } from "#src/releases/evidence/collectEvidence.ts"
import { ReleaseQueries } from "#src/releases/Queries.ts"
import { useMergeRequests } from "#test/mergeRequests/useMergeRequests.ts"
import { field } from "#test/support/exactly.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { answerOf, type Received, type Sent } from "#test/support/service.ts"

const start = Date.UTC(2030, 0, 1)

/** The time so many minutes after the first of January 2030. */
export const at = (minute: number): string => new Date(start + minute * 60_000).toISOString()

/** Values of a list, under one name. */
export const listed = (name: string, { body }: Received): unknown =>
  Array.isArray(body) ? body.map((each) => field(each, name)) : body

export const forbidden = [403, { message: "403 Forbidden" }]
/** What is answered where a release, or what is asked of the project, is not there. */
export const missing = [404, { message: "404 Not Found" }]
/** What is answered where a link is not there. */
export const missingLink = [404, { message: "404 Not found" }]
export const missingProject = [404, { message: "404 Project Not Found" }]

/** A project with a commit on `main`. */
export interface Project {
  readonly id: number
  /** Such as `root/tool`. */
  readonly path: string
  /** The commit of `main`, as releases show it. */
  readonly commit: unknown
}

/**
 * A running service, and short ways to releases. Its clock stands still, and moves on when a test says so: then all that is
 * shown of releases is known, but for the ids of commits.
 */
export const useReleases = (env: Readonly<Record<string, string>> = {}) => {
  const requests = useMergeRequests(env)
  const { service } = requests
  const { request } = service
  beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: start }))
  afterAll(() => void vi.useRealTimers())
  const pathOf = (project: unknown, tag?: string, more = "") =>
    `/projects/${project}/releases${tag === undefined ? "" : `/${encodeURIComponent(tag)}`}${more}`
  /** Makes or changes something, which has to succeed: the answer. */
  const done = async (method: string, path: string, json: object = {}, token?: string | null): Promise<unknown> => {
    const { body, status } = await request(method, path, { json, token })
    expect([method, path, status, status < 300 ? null : body]).toEqual([method, path, expect.any(Number), null])
    return body
  }
  const make = async (path: string, json: object = {}): Promise<number> => Number(field(await done("POST", path, json), "id"))
  const commitOf = async (projectId: number, branch = "main") =>
    field((await request("GET", `/projects/${projectId}/repository/branches/${branch}`)).body, "commit")

  return {
    ...requests,
    pathOf,
    done,
    make,
    commitOf,
    /** From now on it is so many minutes past. */
    minute: (count: number): void => void vi.setSystemTime(start + count * 60_000),
    newProject: async (name: string, settings: object = {}): Promise<Project> => {
      const id = await make("/projects", { name, ...settings })
      await requests.commit(id, "main", { "README.md": "# A\n" })
      const project = (await request("GET", `/projects/${id}`)).body
      return { id, path: String(field(project, "path_with_namespace")), commit: await commitOf(id) }
    },
    tag: (projectId: number, tag_name: string, ref = "main") =>
      done("POST", `/projects/${projectId}/repository/tags`, { tag_name, ref }),
    /** Creates a release, which has to succeed: the answer. */
    release: (projectId: number, tag_name: string, json: object = {}) =>
      done("POST", pathOf(projectId), { tag_name, ref: "main", ...json }),
    /** Adds a link to a release, which has to succeed: its id. */
    link: async (projectId: number, tag: string, json: object) => make(pathOf(projectId, tag, "/assets/links"), json),
    ask: async (method: string, path: string, sent: Sent = {}) => answerOf(await request(method, path, sent)),
    read: async (projectId: unknown, tag: string, sent: Sent = {}) =>
      answerOf(await request("GET", pathOf(projectId, tag), sent)),
    list: (projectId: unknown, query: Readonly<Record<string, string>> = {}, sent: Sent = {}) =>
      request("GET", pathOf(projectId), { query, ...sent }),
    /** Where a request is sent on to, with its status. */
    moved: async (path: string, sent: Sent = {}) => {
      const { body, headers, status } = await request("GET", path, sent)
      return status === 302 ? headers.get("location") : [status, body]
    },
    /** Does what the worker does that records what releases contain, as if it were so many minutes past; answers the tags. */
    collect: (minutes: number): Promise<ReadonlyArray<string>> =>
      service.run(
        Effect.gen(function* () {
          const due = yield* ReleaseQueries.use((releases) =>
            releases.dueEvidences(start + minutes * 60_000, { running: [], waiting: [], limit: 100 })
          )
          yield* Effect.provideService(Effect.forEach(due, collectEvidence), CurrentOrigin, systemOrigin("releases"))
          yield* settled
          return due.map(({ tag }) => tag)
        })
      )
  }
}
