import { describe, expect, it } from "vitest"
import { expectExactly, field } from "#test/support/exactly.ts"
import { type Call, itBy, manifest, type Released, sameDay, told } from "./useReleaseTools.ts"
import { isThere, type Plugins, permissions, useSemanticRelease, writers } from "./useSemanticRelease.ts"

const tools = useSemanticRelease()
const { closedIssue, commitOf, contentAt, done, included, make, merged, newReleased, noteOn, noteShape, notesOf, push } = tools
const { read, refs, repeat, requestOf, requestsDuring, semanticRelease, service, shapeOf, tag, url } = tools
const { request } = service

describe("a first release", () => {
  /** A change that closes an issue by its description, and one by its commit. */
  const prepared = async (name: string) => {
    const project = await newReleased(name)
    for (const title of ["Crash at start", "Say hello"]) await make(`/projects/${project.id}/issues`, { title })
    const message = "feat: say hello\n\nCloses #2"
    const sha = await merged(project, { branch: "hello", message, request: { description: "Closes #1" }, closes: [1, 2] })
    const shas = [field(await commitOf(project.id), "id"), sha, field(project.commit, "id")].map(String)
    const more = `([${sha.slice(0, 7)}](${url(project)}/commit/${sha})), closes [#2](${url(project)}/issues/2)`
    return { project, shas, notes: `# 1.0.0 (2030-01-01)\n\n\n### Features\n\n* say hello ${more}\n` }
  }
  const manifestFile = new File([manifest], "package.json")
  const uploading = ({ id }: Released): Call => ["POST", `/projects/${id}/uploads`, manifestFile]
  const links = [
    { name: "Tool 1.0.0", url: "https://example.com/tool-1.0.0.tgz", link_type: "package", filepath: "/tool.tgz" },
    { name: "Manual", url: "https://example.com/manual/1.0.0", link_type: "runbook" }
  ]
  const uploadUrl = ({ id }: Released) =>
    expect.stringMatching(new RegExp(`^${service.url}/-/project/${id}/uploads/[0-9a-f]{32}/package\\.json$`))
  const linksShown = (project: Released) => [
    {
      name: "Tool 1.0.0",
      url: "https://example.com/tool-1.0.0.tgz",
      direct_asset_url: `${url(project)}/-/releases/v1.0.0/downloads/tool.tgz`,
      link_type: "package"
    },
    {
      name: "Manual",
      url: "https://example.com/manual/1.0.0",
      direct_asset_url: "https://example.com/manual/1.0.0",
      link_type: "runbook"
    },
    { name: "Manifest", url: uploadUrl(project), direct_asset_url: uploadUrl(project), link_type: "other" }
  ]
  const callsOf = (project: Released, shas: ReadonlyArray<string>, description: string, fileUrl = ""): ReadonlyArray<Call> => {
    const path = `/projects/${project.id}`
    const all = [...links, { name: "Manifest", url: fileUrl, link_type: "other" }]
    return [
      ["GET", path],
      ["POST", `${path}/releases`, { tag_name: "v1.0.0", description, milestones: ["1.0"], assets: { links: all } }],
      ...shas.map((sha): Call => ["GET", `${path}/repository/commits/${sha}/merge_requests`]),
      ["GET", `${path}/merge_requests/1/closes_issues`],
      ["POST", `${path}/issues/1/notes`, { body: included(project, "issue has been resolved") }],
      ["POST", `${path}/issues/2/notes`, { body: included(project, "issue has been resolved") }],
      ["POST", `${path}/merge_requests/1/notes`, { body: included(project, "MR is included") }]
    ]
  }
  /** Everything that is there once the release is made. */
  const expectReleased = async (project: Released, notes: string) => {
    const { "refs/heads/main": main, "refs/tags/v1.0.0": tagged } = await refs(project, "main", "v1.0.0")
    expect(tagged).toBe(main)
    expect(await noteOn(project, "v1.0.0")).toBe('{"channels":[null]}')
    const file = await request("GET", `/projects/${project.id}/repository/files/CHANGELOG.md/raw`)
    expect(sameDay(file.body)).toBe(notes)
    const title = field(await commitOf(project.id), "title")
    expect(title).toBe("chore(release): 1.0.0 [skip ci]")
    const shape = await shapeOf(project, "v1.0.0", notes, linksShown(project))
    const [status, shown] = await read(project.id, "v1.0.0")
    expectExactly([status, { ...Object(shown), description: sameDay(field(shown, "description")) }], [200, shape])
    const [newest] = [field(field(shown, "assets"), "links")].flat()
    expect(await contentAt(field(newest, "url"), project)).toBe(manifest)
    expect(await Promise.all(["issues/1", "issues/2", "merge_requests/1"].map((of) => notesOf(project, of)))).toEqual([
      [included(project, "issue has been resolved")],
      [included(project, "issue has been resolved")],
      [included(project, "MR is included")]
    ])
  }

  it("is made by the requests of semantic-release, and each is answered as the reference answers it", async () => {
    const { notes, project, shas } = await prepared("first-requests")
    const before = await requestOf(project, 1)
    await push(project, "1.0.0", notes)
    const [uploaded] = await repeat(project, [uploading(project)])
    const { alt, full_path } = Object(field(uploaded, "1"))
    expect([field(uploaded, "0"), alt]).toEqual([201, "package.json"])
    const [own, ...answers] = await repeat(project, callsOf(project, shas, notes, `${service.url}${full_path}`))
    expect(field(field(own, "1"), "permissions")).toEqual(permissions)
    expectExactly(answers, [
      [201, await shapeOf(project, "v1.0.0", notes, linksShown(project))],
      [200, [before]],
      [200, [before]],
      [200, []],
      [200, [closedIssue(project, 1, "Crash at start"), closedIssue(project, 2, "Say hello")]],
      [201, noteShape(project, "Issue", 1, included(project, "issue has been resolved"))],
      [201, noteShape(project, "Issue", 2, included(project, "issue has been resolved"))],
      [201, noteShape(project, "MergeRequest", 1, included(project, "MR is included"))]
    ])
    await expectReleased(project, notes)
  })

  itBy(isThere)("is made by semantic-release itself, with these requests and no others", async () => {
    const { notes, project, shas } = await prepared("first-itself")
    const assets = links.map(({ name: label, url: one, link_type: type, ...more }) => ({
      label: label.replace("1.0.0", "<%= nextRelease.version %>"),
      url: one.replace("1.0.0", "<%= nextRelease.version %>"),
      type,
      ...more
    }))
    const file = { path: "package.json", label: "Manifest" }
    const plugins: Plugins = [...writers, ["@semantic-release/gitlab", { milestones: ["1.0"], assets: [...assets, file] }]]
    const made = await requestsDuring(() => semanticRelease(project, plugins, "Published release 1.0.0 on default channel"))
    expect(made).toEqual(told([...callsOf(project, shas, notes), uploading(project)]))
    await expectReleased(project, notes)
  })
})

describe("a later release", () => {
  const comment = "It is in <%= nextRelease.gitTag %>."
  const condition = "<% return !mergeRequest || !mergeRequest.labels.includes('silent') %>"
  /** Changes since a tag: one that was squashed, which closes an issue, and one that the branch was moved to, without comment. */
  const prepared = async (name: string) => {
    const project = await newReleased(name)
    await tag(project.id, "v1.0.0")
    for (const title of ["Slow", "Still open"]) await make(`/projects/${project.id}/issues`, { title })
    const squashed = { squash: true, squash_commit_message: "fix: be fast\n\nFixes #1" }
    const description = "Fixes #1, related to #2"
    await merged(project, { branch: "fast", message: "wip", request: { description }, merge: squashed, closes: [1] })
    const merge = field(await commitOf(project.id), "id")
    const { squash_commit_sha } = Object(await requestOf(project, 1))
    await done("PUT", `/projects/${project.id}`, { merge_method: "ff" })
    const message = "feat: quiet mode\n\nBREAKING CHANGE: silent now"
    const moved = await merged(project, { branch: "quiet", message, request: { labels: "silent" } })
    return { project, squash: String(squash_commit_sha), shas: [moved, merge, squash_commit_sha].map(String) }
  }
  const notesOfBoth = (project: Released, squash: string, [quiet = ""]: ReadonlyArray<string>) => {
    const commit = (sha: string) => `([${sha.slice(0, 7)}](${url(project)}/commit/${sha}))`
    return [
      `# [2.0.0](${url(project)}/compare/v1.0.0...v2.0.0) (2030-01-01)\n\n`,
      `### Bug Fixes\n\n* be fast ${commit(squash)}, closes [#1](${url(project)}/issues/1)\n\n`,
      `### Features\n\n* quiet mode ${commit(quiet)}\n\n`,
      "### BREAKING CHANGES\n\n* silent now\n"
    ].join("\n")
  }
  const callsOf = ({ id }: Released, shas: ReadonlyArray<string>, description: string): ReadonlyArray<Call> => [
    ["GET", `/projects/${id}`],
    ["POST", `/projects/${id}/releases`, { tag_name: "v2.0.0", description, milestones: ["1.0"], assets: { links: [] } }],
    ...shas.map((sha): Call => ["GET", `/projects/${id}/repository/commits/${sha}/merge_requests`]),
    ["GET", `/projects/${id}/merge_requests/1/closes_issues`],
    ["GET", `/projects/${id}/merge_requests/2/closes_issues`],
    ["POST", `/projects/${id}/issues/1/notes`, { body: "It is in v2.0.0." }],
    ["POST", `/projects/${id}/merge_requests/1/notes`, { body: "It is in v2.0.0." }]
  ]
  const expectReleased = async (project: Released, notes: string) => {
    const [status, shown] = await read(project.id, "v2.0.0")
    const actual = { ...Object(shown), description: sameDay(field(shown, "description")) }
    expectExactly([status, actual], [200, await shapeOf(project, "v2.0.0", notes, [])])
    const all = ["issues/1", "issues/2", "merge_requests/1", "merge_requests/2"].map((of) => notesOf(project, of))
    expect(await Promise.all(all)).toEqual([["It is in v2.0.0."], [], ["It is in v2.0.0."], []])
    const { "refs/heads/main": main, "refs/tags/v2.0.0": tagged } = await refs(project, "main", "v2.0.0")
    expect(tagged).toBe(main)
  }

  it("finds the merge requests of commits that were squashed, and of those that a branch was moved to", async () => {
    const { project, shas, squash } = await prepared("later-requests")
    const notes = notesOfBoth(project, squash, shas)
    const [squashed, quiet] = await Promise.all([requestOf(project, 1), requestOf(project, 2)])
    await push(project, "2.0.0", notes)
    const [own, ...answers] = await repeat(project, callsOf(project, shas, notes))
    expect(field(field(own, "1"), "permissions")).toEqual(permissions)
    expectExactly(answers, [
      [201, await shapeOf(project, "v2.0.0", notes, [])],
      [200, [quiet]],
      [200, [squashed]],
      [200, [squashed]],
      [200, [closedIssue(project, 1, "Slow")]],
      [200, []],
      [201, noteShape(project, "Issue", 1, "It is in v2.0.0.")],
      [201, noteShape(project, "MergeRequest", 1, "It is in v2.0.0.")]
    ])
    await expectReleased(project, notes)
  })

  itBy(isThere)("is made by semantic-release itself, with comments of one's own where one wants them", async () => {
    const { project, shas, squash } = await prepared("later-itself")
    const settings = { milestones: ["1.0"], successComment: comment, successCommentCondition: condition, assets: [] }
    const plugins: Plugins = [...writers, ["@semantic-release/gitlab", settings]]
    const made = await requestsDuring(() => semanticRelease(project, plugins, "Published release 2.0.0 on default channel"))
    expect(made).toEqual(told(callsOf(project, shas, "")))
    await expectReleased(project, notesOfBoth(project, squash, shas))
  })
})
