import { expect, it } from "vitest"
import type { Parameter } from "#src/http/parameters/parameters.ts"
import { laterParameters, settingsParameters } from "#src/projects/settings/parameters.ts"
import { field } from "#test/support/exactly.ts"
import { answerOf } from "#test/support/service.ts"
import { fullShape } from "../shape.ts"
import { useProjects } from "../useProjects.ts"

const { addMember, newProject, newUser, put, read } = useProjects()

type Shown = Readonly<Record<string, unknown>>
const shape = (id: number): Shown => fullShape({ id, name: `set-${id}`, path: `set-${id}` })
const unset = shape(0)

/** Parts of a project that are told by a switch too. */
const switches: Readonly<Record<string, string>> = {
  issues: "issues_enabled",
  merge_requests: "merge_requests_enabled",
  wiki: "wiki_enabled",
  builds: "jobs_enabled",
  snippets: "snippets_enabled",
  container_registry: "container_registry_enabled"
}
const twins: Readonly<Record<string, (value: unknown) => Shown>> = {
  ...Object.fromEntries(
    Object.entries(switches).map(([part, name]) => [
      name,
      (value: unknown) => shownOf(`${part}_access_level`, value === true ? "enabled" : "disabled")
    ])
  ),
  description: (value) => ({ description_html: `<p dir="auto">${value}</p>` }),
  emails_disabled: (value) => ({ emails_enabled: !value }),
  emails_enabled: (value) => ({ emails_disabled: !value }),
  public_builds: (value) => ({ public_builds: undefined, public_jobs: value }),
  tag_list: (value) => ({ topics: value }),
  topics: (value) => ({ tag_list: value })
}

/** What else changes where a part is switched off. */
const consequences: Readonly<Record<string, Shown>> = {
  issues: { open_issues_count: undefined },
  repository: {
    can_create_merge_request_in: false,
    default_branch: undefined,
    ci_config_path: undefined,
    suggestion_commit_message: undefined,
    merge_commit_template: undefined,
    squash_commit_template: undefined,
    issue_branch_template: undefined
  }
}

/** What a project shows once a parameter was given: the value, and what follows from it. */
const shownOf = (name: string, value: unknown): Shown => {
  const part = name.endsWith("_access_level") ? name.slice(0, -"_access_level".length) : undefined
  const switched = part === undefined ? undefined : switches[part]
  return {
    // What is not served is shown as off, whatever is set.
    [name]: name === "lfs_enabled" ? false : value,
    ...(switched === undefined ? {} : { [switched]: value !== "disabled" }),
    ...(value === "disabled" ? consequences[part ?? ""] : {}),
    ...twins[name]?.(value)
  }
}

/** Values of a parameter that are others than that of a new project: all that there are, or one. */
const valuesOf = (name: string, declared: Parameter): ReadonlyArray<unknown> => {
  switch (declared.kind) {
    case "boolean":
      return [true, false].filter((value) => value !== unset[name])
    case "integer":
      return [700]
    case "stringList":
      return [["one", "Two"]]
    case "string":
      return (declared.values ?? ["text"]).filter((value) => value !== unset[name])
    default:
      throw new Error(`Of another kind: ${name}`)
  }
}

const { mr_default_target_self: _ofForks, ...ofAll } = laterParameters
const parameters = { ...settingsParameters, ...ofAll }
const rows = Object.entries<Parameter>(parameters).flatMap(([name, declared]) =>
  valuesOf(name, declared).map((value) => [name, value] as const)
)

it.each(rows)("%s may be %j", async (name, value) => {
  const id = await newProject(`new-${name}-${value}`.replaceAll(/[^a-z]/gi, "-"))
  const { permissions, ...before } = (await read(id)).body as Shown
  const { body, status } = await put(id, { json: { [name]: value } })
  expect(status).toBe(200)
  const expected = { ...before, ...shownOf(name, value) }
  const off = ["issues", "merge_requests"].filter((part) => !expected[`${part}_enabled`])
  const _links = { ...(before._links as object), ...Object.fromEntries(off.map((part) => [part, undefined])) }
  expect(body).toEqual({ ...expected, _links, updated_at: expect.any(String) })
  expect((await read(id)).body).toEqual({ ...(body as object), permissions })
})

it("variables may be limited to owners by owners alone, and a limit taken away by the switch of old", async () => {
  const id = await newProject("variables")
  const maintainer = await newUser("maintainer")
  await addMember(`/projects/${id}`, maintainer.id, 40)
  const json = { ci_pipeline_variables_minimum_override_role: "owner" }
  expect(answerOf(await put(id, { json, token: maintainer.token }))).toEqual([
    400,
    { message: "Changing the ci_pipeline_variables_minimum_override_role to the owner role is not allowed" }
  ])
  const role = async (json: object) => field((await put(id, { json })).body, "ci_pipeline_variables_minimum_override_role")
  expect(await role(json)).toBe("owner")
  expect(await role({ restrict_user_defined_variables: true })).toBe("owner")
  const limit = "Changing the restrict_user_defined_variables or ci_pipeline_variables_minimum_override_role is not allowed"
  const byMaintainer = async (json: object) => answerOf(await put(id, { json, token: maintainer.token }))
  for (const fields of [
    { restrict_user_defined_variables: false },
    { ci_pipeline_variables_minimum_override_role: "developer" }
  ]) {
    expect(await byMaintainer(fields)).toEqual([400, { message: limit }])
  }
  expect((await byMaintainer({ restrict_user_defined_variables: true, ...json }))[0]).toBe(200)
  expect(await role({ restrict_user_defined_variables: false })).toBe("developer")
  expect(await role({ restrict_user_defined_variables: false, ...json })).toBe("owner")
})

it("merge requests have the project itself as target only where it is a fork", async () => {
  const id = await newProject("no-fork")
  const message = { "project_setting.mr_default_target_self": ["This setting is allowed for forked projects only"] }
  expect(answerOf(await put(id, { json: { mr_default_target_self: true } }))).toEqual([400, { message }])
  for (const unchanged of [false, null])
    expect((await put(id, { json: { mr_default_target_self: unchanged, description: "x" } })).status).toBe(200)
})
