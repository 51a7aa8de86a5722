import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect } from "vitest"
import { basicShape } from "#test/issues/useIssues.ts"
import { anyId, field } from "#test/support/exactly.ts"
import { userReference } from "#test/support/people/userReference.ts"
import { milestoneShape, releaseShape } from "../shapes.ts"
import { at } from "../useReleases.ts"
import { botOf, isInstalled, type Released, useReleaseTools } from "./useReleaseTools.ts"

const needed = ["semantic-release", "@semantic-release/gitlab", "@semantic-release/git", "@semantic-release/changelog"]

/** Whether the tool itself can be run. */
export const isThere: boolean = needed.every(isInstalled)

export type Plugins = ReadonlyArray<string | readonly [string, object]>

/** What writes the notes and commits them. */
export const writers: Plugins = [
  "@semantic-release/commit-analyzer",
  "@semantic-release/release-notes-generator",
  "@semantic-release/changelog",
  ["@semantic-release/git", { assets: ["CHANGELOG.md"] }]
]

/** Of the bot, as the tool reads them from the project. */
export const permissions = { project_access: { access_level: 40, notification_level: 3 }, group_access: null }

/** A running service, what semantic-release does on it, and how that is shown. */
export const useSemanticRelease = () => {
  const tools = useReleaseTools()
  const { clone, commitOf, git, runTool, service } = tools
  const { request } = service

  const url = (project: Released) => `${service.url}/${project.path}`

  const botShape = (project: Released) => userReference(service.url, project.bot.id, botOf(project))

  /** Runs semantic-release as a job does that GitLab's runner starts: `last` has to be among what it wrote. */
  const semanticRelease = async (project: Released, plugins: Plugins, last: string) => {
    const cwd = await clone(project)
    await git(cwd, "remote", "set-url", "origin", `${service.url}/${project.path}.git`)
    await git(cwd, "checkout", "--quiet", "--detach")
    await writeFile(join(cwd, ".releaserc.json"), JSON.stringify({ branches: ["main"], plugins }))
    await writeFile(
      join(cwd, "fail.cjs"),
      `exports.verifyRelease = () => { throw Object.assign(new Error("No space"), { semanticRelease: true, details: "None." }) }`
    )
    const env = {
      GITLAB_CI: "true",
      GITLAB_TOKEN: project.bot.token,
      CI_API_V4_URL: `${service.url}/api/v4`,
      CI_COMMIT_REF_NAME: "main",
      CI_COMMIT_SHA: await git(cwd, "rev-parse", "HEAD"),
      CI_PROJECT_DIR: cwd,
      CI_PROJECT_ID: String(project.id),
      CI_PROJECT_PATH: project.path,
      CI_PROJECT_URL: `${service.url}/${project.path}`
    }
    const [, output] = await runTool("semantic-release/bin/semantic-release.js", [], cwd, env)
    expect(output).toContain(last)
  }

  /** Does with git what semantic-release does: commits the changelog, pushes it, then the tag, then the note on the tag. */
  const push = async (project: Released, version: string, notes: string) => {
    const cwd = await clone(project)
    await git(cwd, "push", "--dry-run", "--no-verify", "--", project.remote, "HEAD:main")
    await git(cwd, "fetch", "--", project.remote, "+refs/notes/*:refs/notes/*")
    await writeFile(join(cwd, "CHANGELOG.md"), notes)
    await git(cwd, "add", "--force", "--ignore-errors", "CHANGELOG.md")
    await git(cwd, "commit", "--message", `chore(release): ${version} [skip ci]\n\n${notes}`)
    await git(cwd, "push", "--tags", project.remote, "HEAD:main")
    await git(cwd, "tag", `v${version}`, "HEAD")
    await git(cwd, "push", "--tags", "--", project.remote)
    const ref = `semantic-release-v${version}`
    await git(cwd, "notes", "--ref", ref, "add", "-f", "-m", '{"channels":[null]}', `v${version}`)
    await git(cwd, "push", "--", project.remote, `refs/notes/${ref}`)
  }

  /** What git's note of semantic-release on a tag says. */
  const noteOn = async (project: Released, tag: string) => {
    const cwd = await clone(project)
    await git(cwd, "fetch", "--quiet", "--", project.remote, "+refs/notes/*:refs/notes/*")
    return git(cwd, "notes", "--ref", `semantic-release-${tag}`, "show", tag)
  }

  /** A note that the bot wrote. */
  const noteShape = (project: Released, type: "Issue" | "MergeRequest", iid: number, body: string) => ({
    id: anyId,
    type: null,
    body,
    attachment: null,
    author: botShape(project),
    created_at: at(0),
    updated_at: at(0),
    system: false,
    noteable_id: anyId,
    noteable_type: type,
    project_id: project.id,
    resolvable: false,
    confidential: false,
    internal: false,
    imported: false,
    imported_from: "none",
    noteable_iid: iid,
    commands_changes: {}
  })

  /** What people wrote to an issue or merge request. */
  const notesOf = async ({ id }: Released, of: string) => {
    const { body } = await request("GET", `/projects/${id}/${of}/notes`, { query: { activity_filter: "only_comments" } })
    return Array.isArray(body) ? body.map((note) => field(note, "body")) : body
  }

  const closedIssue = ({ id, path }: Released, iid: number, title: string) => ({
    ...basicShape(service.url, id, { iid, path }),
    title,
    state: "closed",
    created_at: at(0),
    updated_at: at(0),
    closed_at: at(0),
    closed_by: userReference(service.url, 1, "root", "Administrator"),
    merge_requests_count: 1
  })

  /** What a list shows of a merge request. */
  const requestOf = async ({ id }: Released, iid: number) => {
    const { body } = await request("GET", `/projects/${id}/merge_requests`, { query: { "iids[]": String(iid) } })
    return field(body, "0")
  }

  /** What semantic-release says on what the first release has. */
  const included = (project: Released, what: string) =>
    `:tada: This ${what} in version 1.0.0 :tada:\n\nThe release is available on [GitLab release](${url(project)}/-/releases/v1.0.0).\n\n` +
    "Your **[semantic-release](https://github.com/semantic-release/semantic-release)** bot :package: :rocket:"

  /** The release that the bot made, as it is shown, with its links and the milestone. */
  const shapeOf = async (project: Released, tag: string, description: string, given: ReadonlyArray<object>) => {
    const commit = await commitOf(project.id)
    const milestone = { id: project.milestone, iid: 1, title: "1.0" }
    const links = given.map((one) => ({ id: anyId, ...one })).toReversed()
    return releaseShape(
      service.url,
      { ...project, commit },
      { tag, links },
      {
        description,
        author: botShape(project),
        milestones: [milestoneShape(service.url, project, milestone)]
      }
    )
  }

  return { ...tools, noteOn, semanticRelease, push, noteShape, notesOf, closedIssue, requestOf, included, shapeOf, botShape, url }
}
