import { beforeAll, describe, expect, it } from "vitest"
import { emptyRepository } from "#test/support/git/gitFixtures.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { rootToken, useService } from "#test/support/service.ts"
import { createProject, forbidden, projectNotFound, repositoryPath } from "./useCode.ts"

const service = useService()

const levels = { Guest: 10, Reporter: 20, Developer: 30, Maintainer: 40, Owner: 50 } as const
const callers = [
  "anonymous",
  "external",
  "outsider",
  "Guest",
  "Reporter",
  "Developer",
  "Maintainer",
  "Owner",
  "administrator"
] as const
type Caller = (typeof callers)[number]
const visibilities = ["private", "internal", "public"] as const
const features = ["enabled", "private", "disabled"] as const

const tokens = new Map<Caller, string | null>([
  ["anonymous", null],
  ["administrator", rootToken]
])
const projects = new Map<string, number>()
let blob = ""

beforeAll(async () => {
  const members: Record<number, number> = {}
  const join = async (caller: Caller, attributes = {}) => {
    const id = await createUser(service, `user-${caller.toLowerCase()}`, attributes)
    tokens.set(caller, (await issueTokenFor(service, id)).text)
    return id
  }
  await join("outsider")
  await join("external", { external: true })
  for (const [name, level] of Object.entries(levels)) members[await join(name as Caller)] = level
  for (const visibility of visibilities) {
    for (const feature of features) {
      const settings = { visibility, repository_access_level: feature }
      const id = await createProject(service, { path: `${visibility}-${feature}`, settings, members })
      const { commits, git } = emptyRepository(await repositoryPath(service, id))
      commits([{ mark: "one", files: { a: "a\n" } }])
      blob = git(["rev-parse", "main:a"])
      projects.set(`${visibility} ${feature}`, id)
    }
  }
})

/** Path with its query below `/repository`, for a request that succeeds and for one with bad parameters. */
const endpoints: Readonly<Record<string, readonly [good: () => string, bad: string]>> = {
  tree: [() => "tree", "tree?per_page=0"],
  blob: [() => `blobs/${blob}`, "blobs/nothing"],
  rawBlob: [() => `blobs/${blob}/raw`, "blobs/nothing/raw"],
  archive: [() => "archive", "archive?include_lfs_blobs=2"],
  archiveWithSuffix: [() => "archive.zip", "archive.zip?include_lfs_blobs=2"],
  compare: [() => "compare?from=main&to=main", "compare"],
  contributors: [() => "contributors", "contributors?sort=x"],
  mergeBase: [() => "merge_base?refs=main,main", "merge_base"]
}

const isMember = (caller: Caller) => caller in levels || caller === "administrator"

/** Which status, and what body where it is a refusal. */
const expected = (
  endpoint: string,
  caller: Caller,
  visibility: (typeof visibilities)[number],
  feature: (typeof features)[number]
): readonly [status: number, body?: unknown] => {
  if (endpoint === "mergeBase" && caller === "anonymous") return [401, { message: "401 Unauthorized" }]
  const seesInternal = caller !== "anonymous" && caller !== "external"
  const mayRead = isMember(caller) || visibility === "public" || (visibility === "internal" && seesInternal)
  if (!mayRead) return [404, projectNotFound]
  if (feature === "disabled" || (feature === "private" && !isMember(caller))) return [403, forbidden]
  if (visibility === "private" && caller === "Guest") return [403, forbidden]
  return [200]
}

const combinations = visibilities.flatMap((visibility) => features.map((feature) => ({ visibility, feature })))

describe.each(Object.keys(endpoints))("%s", (endpoint) => {
  const [good, bad] = endpoints[endpoint] ?? [() => "", ""]
  it.each(combinations)("of a project that is $visibility, repository $feature", async ({ feature, visibility }) => {
    const id = projects.get(`${visibility} ${feature}`)
    for (const caller of callers) {
      const token = tokens.get(caller) ?? null
      const [status, refusal] = expected(endpoint, caller, visibility, feature)
      const received = await service.request("GET", `/projects/${id}/repository/${good()}`, { token })
      expect([caller, received.status, status === 200 ? undefined : received.body]).toEqual([caller, status, refusal])
      // Access errors win over those of parameters.
      const wrong = await service.request("GET", `/projects/${id}/repository/${bad}`, { token })
      if (status === 200) expect([caller, [400, 404].includes(wrong.status)]).toEqual([caller, true])
      else expect([caller, wrong.status, wrong.body]).toEqual([caller, status, refusal])
    }
  })

  it("of no project", async () => {
    for (const caller of ["outsider", "administrator"] as const) {
      for (const id of ["999999", "nobody%2Fnothing", "nothing", "0", "-1"]) {
        const token = tokens.get(caller) ?? null
        const { body, status } = await service.request("GET", `/projects/${id}/repository/${good()}`, { token })
        expect([id, status, body]).toEqual([id, 404, projectNotFound])
      }
    }
  })

  it("with a token that nobody has, also of a public project", async () => {
    const id = projects.get("public enabled")
    const { body, status } = await service.request("GET", `/projects/${id}/repository/${good()}`, {
      token: "glpat-nobody-has-this"
    })
    expect([status, body]).toEqual([401, { message: "401 Unauthorized" }])
  })

  it("is known again by its tag", async () => {
    const ask = (headers: Readonly<Record<string, string>> = {}) =>
      service.request("GET", `/projects/${projects.get("public enabled")}/repository/${good()}`, { headers })
    const { headers } = await ask()
    const etag = headers.get("etag")
    if (endpoint.startsWith("archive")) return expect(etag).toBeNull()
    expect(etag).toMatch(/^W\/"[0-9a-f]{32}"$/)
    const again = await ask({ "if-none-match": etag ?? "" })
    expect([again.status, again.body, again.headers.get("etag")]).toEqual([304, undefined, etag])
    expect((await ask({ "if-none-match": `W/"${"0".repeat(32)}"` })).status).toBe(200)
  })

  it("by full path, in any case, slashes encoded", async () => {
    for (const id of ["root%2Fpublic-enabled", "ROOT%2fPublic-Enabled", "root%2Fpublic%2Denabled"]) {
      const { status } = await service.request("GET", `/projects/${id}/repository/${good()}`)
      expect([id, status]).toEqual([id, 200])
    }
    const plain = await service.request("GET", `/projects/root/public-enabled/repository/${good()}`)
    expect([plain.status, plain.body]).toEqual([404, { error: "404 Not Found" }])
  })
})
