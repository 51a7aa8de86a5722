import { rename } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { Repositories } from "#src/git/Repositories.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { Projections } from "#src/platform/Projections.ts"
import { repositoryStream } from "#src/pushes/ids.ts"
import { field } from "#test/support/exactly.ts"
import type { Sent } from "#test/support/service.ts"
import { externalUrl, idOf, useProjects } from "../useProjects.ts"

const { service, addMember, eventTypes, newProject, newUser, put, read } = useProjects()

type Files = Readonly<Record<string, string>>

const send = async (method: string, path: string, sent: Sent) => {
  const answer = await service.request(method, path, sent)
  if (answer.status > 299) throw new Error(JSON.stringify(answer.body))
  return answer.body
}

/** Commits files to a branch; with `start_branch` the branch is made. */
const commit = (id: number, files: Files, more: Readonly<Record<string, string>> = {}) =>
  send("POST", `/projects/${id}/repository/commits`, {
    json: {
      branch: "main",
      commit_message: "m",
      actions: Object.entries(files).map(([file_path, content]) => ({ action: "create", file_path, content })),
      ...more
    }
  })
const removeFile = (id: number, path: string) =>
  send("DELETE", `/projects/${id}/repository/files/${path}`, { json: { branch: "main", commit_message: "m" } })

/** What the log tells of the refs of a repository. */
const pushesTo = (id: number) =>
  service.run(
    Effect.map(
      EventStore.use((store) => store.read(repositoryStream(id))),
      (events) => events.map(({ data }) => data)
    )
  )

const shown = async (id: number, name: string, sent: Sent = {}) => field((await read(id, sent)).body, name)

describe("readme_url", () => {
  it("follows the README of the default branch", async () => {
    const id = await newProject("documented", { visibility: "public" })
    const page = (file: string) => `${externalUrl}/root/documented/-/blob/${file}`
    expect(await shown(id, "readme_url")).toBeNull()
    await commit(id, { "README.txt": "a", "src/README.md": "b" })
    expect(await shown(id, "readme_url")).toBe(page("main/README.txt"))
    expect(await shown(id, "readme_url", { token: null })).toBe(page("main/README.txt"))
    await commit(id, { "Read me": "a", "readme #1.md": "b" })
    expect(await shown(id, "readme_url")).toBe(page("main/readme%20%231.md"))
    await commit(id, { "README.rst": "c" }, { branch: "feature/x", start_branch: "main" })
    expect(await shown(id, "readme_url")).toBe(page("main/readme%20%231.md"))
    await put(id, { json: { default_branch: "feature/x" } })
    expect(await shown(id, "readme_url")).toBe(page("feature/x/README.rst"))
    await put(id, { json: { default_branch: "main" } })
    await removeFile(id, "readme%20%231.md")
    await removeFile(id, "README.txt")
    expect(await shown(id, "readme_url")).toBeNull()
  })

  it("is that of a fork too, and is not asked of the repository again", async () => {
    const source = await newProject("origin", { visibility: "public" })
    await commit(source, { "README.md": "a" })
    const { token } = await newUser("forker")
    const fork = idOf(await service.request("POST", `/projects/${source}/fork`, { json: {}, token }))
    expect(await shown(fork, "readme_url")).toBe(`${externalUrl}/forker/origin/-/blob/main/README.md`)
    await commit(source, { other: "a" })
    expect((await eventTypes(source)).filter((type) => type === "ReadmeChanged")).toHaveLength(1)
    expect(await shown(fork, "forked_from_project")).toMatchObject({
      readme_url: `${externalUrl}/root/origin/-/blob/main/README.md`
    })
  })

  it("is for whoever may read code", async () => {
    const id = await newProject("guarded")
    await commit(id, { README: "a" })
    const { id: guest, token } = await newUser("guest")
    await addMember(`/projects/${id}`, guest, 10)
    expect(await shown(id, "readme_url", { token })).toBeNull()
  })
})

it("last_activity_at is the time of the last push or comment on a commit", async () => {
  const id = await newProject("active")
  const times: Array<unknown> = [await shown(id, "last_activity_at")]
  for (const file of ["a", "b", "c"]) {
    await commit(id, { [file]: "x" }, file === "a" ? {} : { branch: file, start_branch: "main" })
    times.push(await shown(id, "last_activity_at"))
  }
  await send("POST", `/projects/${id}/repository/commits/main/comments`, { json: { note: "n" } })
  times.push(await shown(id, "last_activity_at"))
  expect(new Set(times).size).toBe(5)
  expect(times.toSorted()).toEqual(times)
})

it("what a fork begins with is in the log", async () => {
  const source = await newProject("recorded")
  await commit(source, { a: "x" })
  const { body } = await service.request("POST", `/projects/${source}/fork`, { json: { path: "recorded2", name: "two" } })
  const fork = Number(field(body, "id"))
  const tip = field((await service.request("GET", `/projects/${fork}/repository/branches/main`)).body, "commit")
  const updates = [{ ref: "refs/heads/main", before: null, after: field(tip, "id") }]
  expect(await pushesTo(fork)).toEqual([{ updates, options: [] }])
})

it("a fork that git fails to copy leaves neither names nor a repository", async () => {
  const source = await newProject("damaged")
  await commit(source, { a: "x" })
  const { exists, of } = await service.run(Repositories.use(Effect.succeed))
  const objects = join(of(source).path, "objects")
  await rename(objects, `${objects}-away`)
  const fork = () => service.request("POST", `/projects/${source}/fork`, { json: { path: "whole", name: "whole" } })
  expect((await fork()).status).toBe(500)
  await rename(`${objects}-away`, objects)
  const { body, status } = await fork()
  const id = Number(field(body, "id"))
  expect([status, await service.run(exists(id - 1)), await service.run(exists(id))]).toEqual([201, false, true])
})

describe("statistics", () => {
  const none = {
    commit_count: 0,
    storage_size: 0,
    repository_size: 0,
    wiki_size: 0,
    lfs_objects_size: 0,
    job_artifacts_size: 0,
    pipeline_artifacts_size: 0,
    packages_size: 0,
    snippets_size: 0,
    uploads_size: 0,
    container_registry_size: 0
  }
  const query = { statistics: "true" }

  it("count the commits of the default branch and measure the repository", async () => {
    const id = await newProject("counted")
    expect(await shown(id, "statistics", { query })).toEqual(none)
    await commit(id, { a: "x" })
    await commit(id, { b: "x".repeat(5000) })
    await commit(id, { c: "y" }, { branch: "other", start_branch: "main" })
    const { body } = await read(id, { query })
    const size = Number(field(field(body, "statistics"), "repository_size"))
    expect(size).toBeGreaterThan(0)
    expect(field(body, "statistics")).toEqual({ ...none, commit_count: 2, repository_size: size, storage_size: size })
    const keys = Object.keys(body as object)
    expect(keys[keys.indexOf("statistics") - 1]).toBe("issue_branch_template")
    const listed = await service.request("GET", "/projects", { query: { ...query, search: "counted" } })
    expect(listed.body).toMatchObject([{ id, statistics: { commit_count: 2, storage_size: size } }])
    expect(Object.keys(body as object)).toEqual(Object.keys((listed.body as ReadonlyArray<object>)[0] ?? {}))
    await commit(id, { d: "z" })
    expect(await shown(id, "statistics", { query })).toMatchObject({ commit_count: 3 })
  })

  it("are for Reporters, where they are asked for", async () => {
    const id = await newProject("private-figures", { visibility: "public" })
    const { id: user, token } = await newUser("reader")
    const isThere = async (sent: Sent) => Object.keys((await read(id, sent)).body as object).includes("statistics")
    expect(await isThere({})).toBe(false)
    expect(await isThere({ query, token: null })).toBe(false)
    expect(await isThere({ query, token })).toBe(false)
    await addMember(`/projects/${id}`, user, 20)
    expect(await isThere({ query, token })).toBe(true)
    const simple = await service.request("GET", "/projects", { query: { ...query, simple: "true", search: "private-figures" } })
    expect(Object.keys((simple.body as ReadonlyArray<object>)[0] ?? {})).not.toContain("statistics")
  })
})

describe("license", () => {
  const query = { license: "true" }
  const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
The above copyright notice and this permission notice shall be included in all copies or substantial portions`

  it("is what a file at the root of the default branch tells", async () => {
    const id = await newProject("licensed", { visibility: "public" })
    const told = async (sent: Sent = {}) => {
      const { body } = await read(id, { query, ...sent })
      return [field(body, "license_url"), field(body, "license")]
    }
    expect(await told()).toEqual([null, null])
    await commit(id, { "COPYING.md": "Mine." })
    const other = { key: "other", name: "Other", nickname: "LICENSE", html_url: null, source_url: null }
    expect(await told()).toEqual([`${externalUrl}/root/licensed/-/blob/main/COPYING.md`, other])
    await commit(id, { LICENSE: mit })
    const known = {
      key: "mit",
      name: "MIT License",
      nickname: null,
      html_url: "https://choosealicense.com/licenses/mit/",
      source_url: "https://opensource.org/licenses/MIT"
    }
    expect(await told({ token: null })).toEqual([`${externalUrl}/root/licensed/-/blob/main/LICENSE`, known])
    const keys = Object.keys((await read(id, { query })).body as object)
    expect(keys.slice(keys.indexOf("forks_count"), keys.indexOf("avatar_url"))).toEqual(["forks_count", "license_url", "license"])
    await commit(id, { "licence.txt": "x".repeat(2_000_000) }, { branch: "long", start_branch: "main" })
    expect(Object.keys((await read(id)).body as object)).not.toContain("license")
    await put(id, { json: { repository_access_level: "private" } })
    expect(await told({ token: null })).toEqual([null, null])
  })
})

it("a repository that is lost does not keep its project from being shown", async () => {
  const id = await newProject("lost")
  await commit(id, { LICENSE: "a" })
  await service.run(Repositories.use((repositories) => repositories.remove(id)))
  const { body, status } = await read(id, { query: { license: "true", statistics: "true" } })
  expect([status, field(body, "license"), field(field(body, "statistics"), "commit_count")]).toEqual([200, null, 0])
})

it("READMEs, activity and transfers are the same after a rebuild", async () => {
  const id = await newProject("rebuilt")
  await commit(id, { "README.md": "a" })
  const group = idOf(await service.request("POST", "/groups", { json: { name: "g", path: "g" } }))
  await send("PUT", `/projects/${id}/transfer`, { json: { namespace: group } })
  await commit(id, { b: "b" })
  const ask = async () => [(await read(id)).body, (await read("root%2Frebuilt")).status]
  const before = await ask()
  const rebuild = await service.run(Projections.use((projections) => projections.requestRebuild(["projects"])))
  const progress = () => service.run(Projections.use((projections) => projections.rebuildProgress(rebuild)))
  await expect.poll(async () => (await progress())?.state).toBe("finished")
  expect(await progress()).toMatchObject({ differing: 0, examples: [] })
  expect(await ask()).toEqual(before)
})
