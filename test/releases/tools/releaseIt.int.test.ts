import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { anyId, expectExactly, field } from "#test/support/exactly.ts"
import { rootReference, userReference } from "#test/support/people/userReference.ts"
import { milestoneShape, releaseShape } from "../shapes.ts"
import { at } from "../useReleases.ts"
import {
  botOf,
  type Call,
  isInstalled,
  itBy,
  manifest,
  type Released,
  sameDay,
  told,
  useReleaseTools
} from "./useReleaseTools.ts"

const { ask, clone, commitOf, contentAt, git, make, merged, newReleased, read, refs, repeat, requestsDuring, runTool, service } =
  useReleaseTools()
const { request } = service

const isThere = ["release-it", "@release-it/conventional-changelog"].every(isInstalled)

/** Runs release-it in a clone whose branch follows the one of the service: `last` has to be among what it wrote. */
const releaseIt = async (project: Released, milestones: ReadonlyArray<string>, last: string, ...args: ReadonlyArray<string>) => {
  const cwd = await clone(project)
  const settings = {
    git: { requireBranch: "main", requireUpstream: true },
    npm: { publish: false },
    gitlab: { release: true, milestones, origin: service.url },
    plugins: { "@release-it/conventional-changelog": { preset: { name: "conventionalcommits" }, infile: "CHANGELOG.md" } }
  }
  await writeFile(join(cwd, ".release-it.json"), JSON.stringify(settings))
  const env = { GITLAB_TOKEN: project.bot.token }
  const [, output] = await runTool("release-it/bin/release-it.js", ["--ci", ...args], cwd, env)
  expect(output).toContain(last)
}

/** Does with git what release-it does: commits the changelog, tags it, unless that is not wanted, and pushes both. */
const push = async (project: Released, notes: string, wantsTag: boolean): Promise<string> => {
  const cwd = await clone(project)
  await writeFile(join(cwd, "CHANGELOG.md"), `# Changelog\n\n${notes}\n`)
  await git(cwd, "add", "CHANGELOG.md")
  await git(cwd, "commit", "--message", "Release 0.1.0")
  if (wantsTag) await git(cwd, "tag", "--annotate", "--message", "Release 0.1.0", "0.1.0")
  await git(cwd, "push", "--follow-tags")
  return git(cwd, "rev-parse", "HEAD")
}

/** A project with a milestone of its own, one of its group, and a change that was merged. */
const prepared = async (name: string) => {
  const project = await newReleased(name)
  for (const title of ["Crash at start", "Say hello"]) await make(`/projects/${project.id}/issues`, { title })
  const sha = await merged(project, { branch: "hello", message: "feat: say hello\n\nCloses #2", closes: [2] })
  // The tool itself makes such addresses from that of the repository.
  const url = `https://${new URL(service.url).hostname}/${new URL(service.url).port}/${project.path}`
  const more = `([${sha.slice(0, 7)}](${url}/commits/${sha})), closes [#2](${url}/issues/2)`
  return { project, notes: `## 0.1.0 (2030-01-01)\n\n### Features\n\n* say hello ${more}` }
}

const checksOf = (project: Released, milestone: string): ReadonlyArray<Call> => [
  ["GET", "/user"],
  ["GET", `/projects/${project.path.replace("/", "%2F")}/members/all/${project.bot.id}`],
  ["GET", `/projects/${project.path.replace("/", "%2F")}/milestones?title=${milestone}&include_parent_milestones=true`]
]

const callsOf = (
  project: Released,
  milestone: string,
  ref: string,
  description: string,
  links: ReadonlyArray<object> = []
): ReadonlyArray<Call> => {
  const [tags, texts] = [
    { tag_name: "0.1.0", tag_message: "Release 0.1.0" },
    { name: "Release 0.1.0", description }
  ]
  const release = { ...texts, ref, ...tags, milestones: [milestone], ...(links.length > 0 && { assets: { links } }) }
  return [...checksOf(project, milestone), ["POST", `/projects/${project.path.replace("/", "%2F")}/releases`, release]]
}

const uploading = ({ path }: Released): Call => [
  "POST",
  `/projects/${path.replace("/", "%2F")}/uploads`,
  new File([manifest], "package.json")
]

/** The link to the file that was uploaded. */
const linksShown = ({ path }: Released) => {
  const url = expect.stringMatching(new RegExp(`^${service.url}/${path}/uploads/[0-9a-f]{32}/package\\.json$`))
  return [{ id: anyId, name: "package.json", url, direct_asset_url: url, link_type: "other" }]
}

const botShape = (project: Released) => userReference(service.url, project.bot.id, botOf(project))

const memberShape = (project: Released) => ({
  ...botShape(project),
  access_level: 40,
  created_at: at(0),
  created_by: rootReference(service.url),
  expires_at: null,
  membership_state: "active"
})

/** A milestone in lists, which show no counts. */
const listedMilestone = (project: Released) => {
  const { issue_stats: _, ...shape } = milestoneShape(service.url, project, { id: project.milestone, iid: 1, title: "1.0" })
  return shape
}

/** The release that the bot made at the end of `main`. */
const shapeOf = async (
  project: Released,
  description: string,
  milestones: ReadonlyArray<object>,
  links: ReadonlyArray<object> = []
) => {
  const [commit, author] = [await commitOf(project.id), botShape(project)]
  return releaseShape(
    service.url,
    { ...project, commit },
    { tag: "0.1.0", links },
    { name: "Release 0.1.0", description, author, milestones }
  )
}

/** Everything that is there once the release is made. */
const expectReleased = async (
  project: Released,
  notes: string,
  milestones: ReadonlyArray<object>,
  links: ReadonlyArray<object> = []
) => {
  const [status, shown] = await read(project.id, "0.1.0")
  const actual = { ...Object(shown), description: sameDay(field(shown, "description")) }
  expectExactly([status, actual], [200, await shapeOf(project, notes, milestones, links)])
  for (const link of [field(field(shown, "assets"), "links")].flat()) {
    expect(JSON.parse(await contentAt(field(link, "url"), project))).toMatchObject({ name: "tool", private: true })
  }
  const file = await request("GET", `/projects/${project.id}/repository/files/CHANGELOG.md/raw`)
  expect(sameDay(file.body)).toBe(`# Changelog\n\n${notes}\n`)
  const { "refs/heads/main": main, "refs/tags/0.1.0^{}": commit } = await refs(project, "main", "0.1.0*")
  expect(commit).toBe(main)
  const tag = (await request("GET", `/projects/${project.id}/repository/tags/0.1.0`)).body
  expect([field(tag, "message"), field(field(tag, "commit"), "title")]).toEqual(["Release 0.1.0", "Release 0.1.0"])
}

describe("a release with a milestone", () => {
  const milestonesOf = (project: Released) => [{ ...listedMilestone(project), issue_stats: { total: 0, closed: 0 } }]

  it("is made by the requests of release-it, and each is answered as the reference answers it", async () => {
    const { notes, project } = await prepared("it-requests")
    const ref = await push(project, notes, true)
    const [uploaded] = await repeat(project, [uploading(project)])
    const url = `${service.url}/${project.path}${field(field(uploaded, "1"), "url")}`
    const [own, ...answers] = await repeat(project, callsOf(project, "1.0", ref, notes, [{ name: "package.json", url }]))
    expect(own).toMatchObject([200, { id: project.bot.id, username: botOf(project) }])
    expectExactly(answers, [
      [200, memberShape(project)],
      [200, [listedMilestone(project)]],
      [201, await shapeOf(project, notes, milestonesOf(project), linksShown(project))]
    ])
    await expectReleased(project, notes, milestonesOf(project), linksShown(project))
  })

  itBy(isThere)("is made by release-it itself, with these requests and no others", async () => {
    const { notes, project } = await prepared("it-itself")
    const last = `${service.url}/${project.path}/-/releases/0.1.0`
    const made = await requestsDuring(() => releaseIt(project, ["1.0"], last, "--gitlab.assets=package.json"))
    expect(made).toEqual(told([...callsOf(project, "1.0", "", notes), uploading(project)]))
    await expectReleased(project, notes, milestonesOf(project), linksShown(project))
  })
})

describe("a release whose tag is not pushed, with a milestone of the group", () => {
  const milestoneOf = async (project: Released) => {
    const group = botOf(project).replace("-bot", "")
    await make(`/groups/${group}/milestones`, { title: "Spring" })
    const { body } = await request("GET", `/groups/${group}/milestones`)
    return Object(field(body, "0"))
  }

  it("makes the tag with its message, by the requests of release-it", async () => {
    const { notes, project } = await prepared("it-tagless-requests")
    const milestone = await milestoneOf(project)
    const milestones = [{ ...milestone, issue_stats: { total: 0, closed: 0 } }]
    const ref = await push(project, notes, false)
    const [, member, ...answers] = await repeat(project, callsOf(project, "Spring", ref, notes))
    expectExactly(member, [200, memberShape(project)])
    expectExactly(answers, [
      [200, [milestone]],
      [201, await shapeOf(project, notes, milestones)]
    ])
    await expectReleased(project, notes, milestones)
  })

  itBy(isThere)("is made by release-it itself", async () => {
    const { notes, project } = await prepared("it-tagless-itself")
    const milestones = [{ ...(await milestoneOf(project)), issue_stats: { total: 0, closed: 0 } }]
    const last = `${service.url}/${project.path}/-/releases/0.1.0`
    const made = await requestsDuring(() => releaseIt(project, ["Spring"], last, "--no-git.tag"))
    expect(made).toEqual(told(callsOf(project, "Spring", "", notes)))
    await expectReleased(project, notes, milestones)
  })
})

describe("a release with a milestone that is not there", () => {
  it("is not begun, as the answer to release-it is an empty list", async () => {
    const { project } = await prepared("it-unknown-requests")
    expect((await repeat(project, checksOf(project, "9.9"))).at(-1)).toEqual([200, []])
  })

  itBy(isThere)("is not begun by release-it itself", async () => {
    const { project } = await prepared("it-unknown-itself")
    const made = await requestsDuring(() => releaseIt(project, ["9.9"], "Missing one or more milestones in GitLab"))
    expect(made).toEqual(told(checksOf(project, "9.9")))
    expect(await refs(project, "refs/tags/*")).toEqual({})
  })
})

it("has no packages: files become uploads, as they do by default", async () => {
  const { bot, path } = await newReleased("it-files")
  const [escaped, missing] = [path.replace("/", "%2F"), [404, { error: "404 Not Found" }]]
  const bytes = { token: bot.token, file: new Uint8Array([97]) }
  expect(await ask("PUT", `/projects/${escaped}/packages/generic/release-it/0.1.0/a`, bytes)).toEqual(missing)
})
