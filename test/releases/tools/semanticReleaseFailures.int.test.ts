import { describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { type Call, itBy, type Released, told } from "./useReleaseTools.ts"
import { isThere, type Plugins, useSemanticRelease, writers } from "./useSemanticRelease.ts"

const tools = useSemanticRelease()
const { ask, botShape, commitTo, newReleased, noteShape, notesOf, refs, repeat, requestsDuring, semanticRelease } = tools
const { request } = tools.service

describe("a release that fails", () => {
  const opened = ({ id }: Released): Call => ["GET", `/projects/${id}/issues?state=opened&search=Release%20failed`]
  /** A project in which there is something to release. */
  const prepared = async (name: string) => {
    const project = await newReleased(name)
    await commitTo(project.id, "main", "feat: say hello", { "hello.txt": "hello\n" })
    return project
  }
  const issueOf = (project: Released, description: string) => {
    const bot = botShape(project)
    const more = { labels: ["broken", "release"], assignees: [bot], assignee: bot, author: bot }
    return { iid: 1, title: "Release failed", description, state: "opened", ...more, user_notes_count: 0 }
  }
  const expectTold = async (project: Released, text: unknown) => {
    const issue = await ask("GET", `/projects/${project.id}/issues/1`)
    expect(issue).toMatchObject([200, { ...issueOf(project, String(text)), user_notes_count: 1 }])
    expect(await notesOf(project, "issues/1")).toEqual([text])
    expect(await refs(project, "refs/tags/*", "refs/notes/*")).toEqual({})
  }

  it("is told of in an issue, and from then on in notes on it, by the requests of semantic-release", async () => {
    const project = await prepared("failed-requests")
    const path = `/projects/${project.id}`
    // With the id that the tool sends, which is the path of the project, escaped; and the assignee as a text.
    const json = { id: `${project.path.replace("/", "%2F")}`, description: "No space", labels: "release,broken" }
    const more = { title: "Release failed", assignee_id: String(project.bot.id) }
    const first = await repeat(project, [opened(project), ["POST", `${path}/issues`, { ...json, ...more }]])
    expect(first).toMatchObject([
      [200, []],
      [201, issueOf(project, "No space")]
    ])
    const second = await repeat(project, [opened(project), ["POST", `${path}/issues/1/notes`, { body: "No space" }]])
    expect(second).toMatchObject([
      [200, [issueOf(project, "No space")]],
      [201, noteShape(project, "Issue", 1, "No space")]
    ])
    await expectTold(project, "No space")
  })

  itBy(isThere)("is told of by semantic-release itself", async () => {
    const project = await prepared("failed-itself")
    const settings = { failTitle: "Release failed", labels: "release,broken", assignee: String(project.bot.id) }
    const plugins: Plugins = [...writers, "./fail.cjs", ["@semantic-release/gitlab", settings]]
    const path = `/projects/${project.id}`
    for (const where of ["issues", "issues/1/notes"]) {
      const made = await requestsDuring(() => semanticRelease(project, plugins, "No space"))
      expect(made).toEqual(told([["GET", path], opened(project), ["POST", `${path}/${where}`]]))
    }
    const text = field((await request("GET", `${path}/issues/1`)).body, "description")
    expect(text).toContain("### No space\n\nNone.\n")
    await expectTold(project, text)
  })
})

it("has no packages: files become uploads, as they do by default", async () => {
  const { bot, id } = await newReleased("sent-files")
  const missing = [404, { error: "404 Not Found" }]
  const bytes = { token: bot.token, file: new Uint8Array([97]) }
  expect(await ask("PUT", `/projects/${id}/packages/generic/release/1.0.0/a?select=package_file`, bytes)).toEqual(missing)
})
