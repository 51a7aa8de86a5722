import { beforeAll, describe, expect, it } from "vitest"
import { everybody, levels, type Somebody } from "#test/support/people/everybody.ts"
import type { Sent } from "#test/support/service.ts"
import { useProjects } from "./useProjects.ts"

const { service, addMember, newGroup, newProject, newUser } = useProjects()

const visibilities = ["private", "internal", "public"] as const
type Visibility = (typeof visibilities)[number]

const tokens = new Map<Somebody, string | null>([["anonymous", null]])
const projects = new Map<Visibility, number>()

beforeAll(async () => {
  const group = await newGroup("g", { visibility: "public" })
  for (const visibility of visibilities) {
    projects.set(visibility, await newProject(`of-${visibility}`, { visibility, namespace_id: group }))
  }
  for (const asker of everybody.slice(1)) {
    const { id, token } = await newUser(asker, { external: asker === "external", admin: asker === "administrator" })
    tokens.set(asker, token)
    const level = levels[asker]
    if (level !== undefined) expect((await addMember(`/groups/${group}`, id, level)).status).toBe(201)
  }
})

/** Who reads a project of this visibility. */
const readers: Readonly<Record<Visibility, ReadonlyArray<Somebody>>> = {
  private: everybody.slice(everybody.indexOf("guest")),
  internal: everybody.filter((asker) => asker !== "anonymous" && asker !== "external"),
  public: everybody
}

type Answer = readonly [status: number, body: unknown]
const hidden: Answer = [404, { message: "404 Project Not Found" }]
const forbidden: Answer = [403, { message: "403 Forbidden" }]
const unauthorized: Answer = [401, { message: "401 Unauthorized" }]

interface Row {
  readonly method: string
  readonly path: string
  readonly sent?: Sent
  /** Who may, from least to most; readers when absent. */
  readonly least?: Somebody
  /** Anonymous callers are asked for a token before anything else. */
  readonly needsUser: boolean
  /** What those who may are told. */
  readonly answer: number
}

/** Requests that whoever may make them gets wrong: the right comes first. */
const rows: ReadonlyArray<Row> = [
  { method: "POST", path: "/unstar", needsUser: true, answer: 304 },
  { method: "PUT", path: "/transfer", sent: { json: { namespace: "nowhere" } }, least: "owner", needsUser: true, answer: 404 },
  { method: "PUT", path: "", sent: { json: { build_timeout: 1 } }, least: "maintainer", needsUser: true, answer: 400 },
  { method: "PUT", path: "", sent: { json: { name: "", build_timeout: 1 } }, least: "maintainer", needsUser: true, answer: 400 },
  { method: "PUT", path: "", sent: { json: { name: "x", build_timeout: 1 } }, least: "owner", needsUser: true, answer: 400 },
  {
    method: "PUT",
    path: "",
    sent: { json: { visibility: "private", build_timeout: 1 } },
    least: "owner",
    needsUser: true,
    answer: 400
  },
  {
    method: "DELETE",
    path: "",
    sent: { headers: { "if-unmodified-since": "Tue, 15 Nov 1994 08:12:31 GMT" } },
    least: "owner",
    needsUser: true,
    answer: 412
  },
  { method: "GET", path: "/protected_branches/nope", least: "maintainer", needsUser: true, answer: 404 },
  {
    method: "POST",
    path: "/protected_branches",
    sent: { json: { name: "a", allowed_to_push: [{}] } },
    least: "maintainer",
    needsUser: true,
    answer: 422
  },
  { method: "PATCH", path: "/protected_branches/nope", least: "maintainer", needsUser: true, answer: 404 },
  { method: "DELETE", path: "/protected_branches/nope", least: "maintainer", needsUser: true, answer: 404 },
  { method: "GET", path: "/protected_tags/nope", least: "maintainer", needsUser: true, answer: 404 },
  {
    method: "POST",
    path: "/protected_tags",
    sent: { json: { name: "a", allowed_to_create: [{}] } },
    least: "maintainer",
    needsUser: true,
    answer: 422
  },
  { method: "DELETE", path: "/protected_tags/nope", least: "maintainer", needsUser: true, answer: 404 },
  { method: "GET", path: "/deploy_keys/4711", least: "maintainer", needsUser: true, answer: 404 },
  {
    method: "PUT",
    path: "/deploy_keys/4711",
    sent: { json: { title: "x" } },
    least: "maintainer",
    needsUser: true,
    answer: 404
  },
  { method: "DELETE", path: "/deploy_keys/4711", least: "maintainer", needsUser: true, answer: 404 },
  {
    method: "POST",
    path: "/deploy_keys",
    sent: { json: { key: "x", title: "x" } },
    least: "maintainer",
    needsUser: true,
    answer: 400
  },
  { method: "POST", path: "/deploy_keys/4711/enable", least: "maintainer", needsUser: true, answer: 404 },
  {
    method: "POST",
    path: "/members",
    sent: { json: { user_id: 4711, access_level: 10 } },
    least: "maintainer",
    needsUser: true,
    answer: 404
  }
]

const expected = (asker: Somebody, visibility: Visibility, { answer, least, needsUser }: Row): Answer | number => {
  if (asker === "anonymous" && needsUser) return unauthorized
  if (!readers[visibility].includes(asker)) return hidden
  return least !== undefined && everybody.indexOf(asker) < everybody.indexOf(least) ? forbidden : answer
}

describe.each(visibilities)("a project that is %s", (visibility) => {
  describe.each(everybody)("asked by: %s", (asker) => {
    it.each(rows)("$method $path $sent.json", async (row) => {
      const path = `/projects/${projects.get(visibility)}${row.path}`
      const { body, status } = await service.request(row.method, path, { ...row.sent, token: tokens.get(asker) ?? null })
      const wanted = expected(asker, visibility, row)
      expect(typeof wanted === "number" ? status : [status, body]).toEqual(wanted)
    })

    it("is listed for whoever may read it", async () => {
      const { body } = await service.request("GET", "/projects", { token: tokens.get(asker) ?? null, query: { visibility } })
      expect(body).toHaveLength(readers[visibility].includes(asker) ? 1 : 0)
    })
  })
})

describe("what is shown", () => {
  const shown = async (asker: Somebody) => {
    const { body } = await service.request("GET", `/projects/${projects.get("public")}`, { token: tokens.get(asker) ?? null })
    return Object.keys(body as object)
  }

  it("to anonymous callers is the simple form, in lists too", async () => {
    const keys = await shown("anonymous")
    expect([keys.length, keys.at(0), keys.at(-1)]).toEqual([19, "id", "namespace"])
    const { body } = await service.request("GET", "/projects", { token: null })
    expect(Object.keys((body as ReadonlyArray<object>)[0] ?? {})).toEqual(keys)
    const simple = await service.request("GET", "/projects", { query: { simple: "true", visibility: "public" } })
    expect(Object.keys((simple.body as ReadonlyArray<object>)[0] ?? {})).toEqual(keys)
  })

  it("only to Maintainers is what concerns them", async () => {
    const ofDevelopers = await shown("developer")
    const ofMaintainers = await shown("maintainer")
    expect(ofMaintainers.filter((key) => !ofDevelopers.includes(key))).toEqual([
      "import_url",
      "import_type",
      "import_error",
      "ci_default_git_depth",
      "ci_forward_deployment_enabled",
      "ci_forward_deployment_rollback_allowed",
      "ci_job_token_scope_enabled",
      "ci_separated_caches",
      "ci_allow_fork_pipelines_to_run_in_parent_project",
      "build_git_strategy",
      "keep_latest_artifact",
      "restrict_user_defined_variables",
      "ci_pipeline_variables_minimum_override_role",
      "runners_token",
      "runner_token_expiration_interval",
      "group_runners_enabled",
      "auto_cancel_pending_pipelines",
      "build_timeout",
      "auto_devops_enabled",
      "auto_devops_deploy_strategy",
      "ci_push_repository_for_job_token_allowed"
    ])
    expect(ofDevelopers.filter((key) => !ofMaintainers.includes(key))).toEqual([])
  })

  it("of the default branch only to whoever may read code", async () => {
    const branch = async (asker: Somebody) => {
      const { body } = await service.request("GET", `/projects/${projects.get("private")}`, { token: tokens.get(asker) ?? null })
      return Object.keys(body as object).includes("default_branch")
    }
    expect([await branch("guest"), await branch("reporter")]).toEqual([false, true])
  })

  it("of the settings for code only to whoever may read code", async () => {
    const id = await newProject("code-settings", { visibility: "public", repository_access_level: "private" })
    const settings = [
      "ci_config_path",
      "suggestion_commit_message",
      "merge_commit_template",
      "squash_commit_template",
      "issue_branch_template"
    ]
    const seen = async (asker: Somebody) => {
      const { body } = await service.request("GET", `/projects/${id}`, { token: tokens.get(asker) ?? null })
      return Object.keys(body as object).filter((key) => settings.includes(key))
    }
    expect([await seen("outsider"), await seen("administrator")]).toEqual([[], settings])
  })

  it("depends on features", async () => {
    const id = await newProject("features", { visibility: "public", issues_access_level: "private", wiki_enabled: false })
    const seen = async (asker: Somebody) => {
      const { body } = await service.request("GET", `/projects/${id}`, { token: tokens.get(asker) ?? null })
      const { _links, issues_enabled, open_issues_count, wiki_enabled } = body as Record<string, unknown>
      return [issues_enabled, open_issues_count, wiki_enabled, Object.keys(_links as object).includes("issues")]
    }
    expect(await seen("outsider")).toEqual([false, undefined, false, false])
    expect(await seen("administrator")).toEqual([true, 0, false, true])
  })
})
