import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { defined } from "#src/kernel/defined.ts"
import { keepUpIssues } from "#src/mergeRequests/closing/reactions.ts"
import type { Person } from "#test/mergeRequests/useMergeRequests.ts"
import { field } from "#test/support/exactly.ts"
import { gitClient } from "#test/support/git/gitClient.ts"
import { gitEnvironment } from "#test/support/git/gitEnvironment.ts"
import { whileReacting } from "#test/support/reactions/whileReacting.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { until } from "#test/support/until.ts"
import { type Project, useReleases } from "../useReleases.ts"

/**
 * Where the tools lie that make releases, as the registry has them: they bring twice as many packages as this project has, so they are
 * no part of it. `npm install --prefix /tmp/tools semantic-release@25.0.9 @semantic-release/gitlab@13.3.3 @semantic-release/git@11.0.1
 * @semantic-release/changelog@7.0.0 release-it@21.1.2 @release-it/conventional-changelog@12.0.2`, then `RELEASE_TOOLS=/tmp/tools npm test`.
 */
const packages = join(process.env.RELEASE_TOOLS ?? fileURLToPath(new URL("../../..", import.meta.url)), "node_modules")

/** Declares tests that need tools, where these are installed: elsewhere there are none of them. */
export const itBy = (isThere: boolean): ((name: string, test: () => Promise<void>) => void) => (isThere ? it : () => {})

export const isInstalled = (tool: string): boolean => existsSync(join(packages, tool, "package.json"))

/** A request that a tool makes: method, path below `/api/v4`, body, which is JSON unless it is a file. */
export type Call = readonly [method: string, path: string, body?: object]

/** A project that is to be released. */
export interface Released extends Project {
  /** A maintainer, who releases; named like the group. */
  readonly bot: Person
  /** Where git pushes to, with the token of the bot. */
  readonly remote: string
  readonly milestone: number
}

/** A change that is to be merged. */
export interface Change {
  readonly branch: string
  readonly message: string
  readonly request?: object
  readonly merge?: object
  /** Numbers of the issues that it closes. */
  readonly closes?: ReadonlyArray<number>
}

/** The name of the bot of a project. */
export const botOf = ({ path }: Pick<Project, "path">): string => `${path.split("/")[0]}-bot`

/** Texts in which every day in parentheses is the same one. */
export const sameDay = (text: unknown): string => String(text).replaceAll(/\(\d{4}-\d\d-\d\d\)/g, "(2030-01-01)")

/** The `package.json` of what is released. */
export const manifest = `${JSON.stringify({ name: "tool", version: "0.0.0", private: true, license: "MIT" }, null, 2)}\n`

/** A running service with projects that tools release, and ways to run the tools, or to repeat what they do. */
export const useReleaseTools = () => {
  const releases = useReleases()
  const { done, make, member, service } = releases
  const { request } = service
  const folder = temporaryFolder()

  /** Runs git, which has to succeed: what it wrote. */
  const git = async (cwd: string, ...args: ReadonlyArray<string>): Promise<string> => {
    const { status, stderr, stdout } = await gitClient(cwd, args)
    expect([args, status, status === 0 ? "" : stderr]).toEqual([args, 0, ""])
    return stdout.trimEnd()
  }
  const commitTo = async (id: number, branch: string, commit_message: string, files: Readonly<Record<string, string>>) => {
    const actions = Object.entries(files).map(([file_path, content]) => ({ action: "create", file_path, content }))
    const start = branch === "main" ? {} : { start_branch: "main" }
    const made = await done("POST", `/projects/${id}/repository/commits`, { branch, commit_message, actions, ...start })
    return String(field(made, "id"))
  }

  return {
    ...releases,
    git,
    commitTo,
    /** A project of a new group, with a commit, a milestone, and a bot that may release it. */
    newReleased: async (name: string): Promise<Released> => {
      const namespace_id = await make("/groups", { name, path: name })
      const id = await make("/projects", { name: "tool", namespace_id })
      await commitTo(id, "main", "chore: start", { "package.json": manifest })
      const bot = await member(id, "maintainer", botOf({ path: name }))
      const remote = `${service.url.replace("//", `//gitlab-ci-token:${bot.token}@`)}/${name}/tool.git`
      const milestone = await make(`/projects/${id}/milestones`, { title: "1.0" })
      return { id, path: `${name}/tool`, commit: await releases.commitOf(id), bot, remote, milestone }
    },
    /** Merges a change, which closes issues: the id of its commit. */
    merged: async (
      { id }: Project,
      { branch, closes = [], merge = {}, message, request: more = {} }: Change
    ): Promise<string> => {
      const sha = await commitTo(id, branch, message, { [`${branch}.txt`]: `${branch}\n` })
      const [title] = message.split("\n")
      const opened = { source_branch: branch, target_branch: "main", title, ...more }
      const iid = field(await done("POST", `/projects/${id}/merge_requests`, opened), "iid")
      const isClosed = async (issue: number) =>
        field((await request("GET", `/projects/${id}/issues/${issue}`)).body, "state") === "closed"
      const merging = async () => {
        await done("PUT", `/projects/${id}/merge_requests/${iid}/merge`, merge)
        for (const issue of closes) await until(() => isClosed(issue))
      }
      await service.run(whileReacting("closing-issues", keepUpIssues(service.url), Effect.promise(merging)))
      return sha
    },
    /** A clone as jobs have it, in which tools find the packages. */
    clone: async ({ remote }: Released): Promise<string> => {
      const clone = await mkdtemp(join(folder(), "clone-"))
      await git(clone, "clone", "--quiet", remote, ".")
      await writeFile(join(clone, ".git/info/exclude"), ".releaserc.json\n.release-it.json\nnode_modules\n*.cjs\n")
      if (existsSync(packages)) await symlink(packages, join(clone, "node_modules"))
      return clone
    },
    /** Runs a program of a package in a clone: its exit code, and all that it wrote. */
    runTool: (program: string, args: ReadonlyArray<string>, cwd: string, env: Readonly<Record<string, string>>) =>
      new Promise<readonly [code: unknown, output: string]>((resolve) => {
        const options = { cwd, env: { ...gitEnvironment, HOME: cwd, NO_COLOR: "1", CI: "true", ...env } }
        execFile(process.execPath, [join(packages, program), ...args], options, (error, stdout, stderr) =>
          resolve([error === null ? 0 : error.code, `${stdout}\n${stderr}`])
        )
      }),
    /** Makes the requests of a tool, one after the other: the answers. */
    repeat: async ({ bot: { token } }: Released, calls: ReadonlyArray<Call>): Promise<ReadonlyArray<unknown>> => {
      const answers: Array<unknown> = []
      for (const [method, path, content] of calls) {
        const sent = content instanceof File ? { multipart: { file: content } } : defined({ json: content })
        const { body, status } = await request(method, path, { token, ...sent })
        answers.push([status, body])
      }
      return answers
    },
    /** What is at an address of the service, as a member of the project gets it. */
    contentAt: async (url: unknown, { bot: { token } }: Released): Promise<string> => {
      const response = await fetch(String(url), { headers: { "private-token": token } })
      expect([url, response.status]).toEqual([url, 200])
      return response.text()
    },
    /** The requests of the interface that are answered during some work, sorted. */
    requestsDuring: async (work: () => Promise<unknown>): Promise<ReadonlyArray<string>> => {
      const before = service.log.length
      await work()
      const those = service.log.slice(before).filter(({ url }) => url.startsWith("/api/v4/"))
      return those.map(({ method, url }) => `${method} ${url}`).toSorted()
    },
    /** Refs of a project that end like one of these, or match: what each points to. */
    refs: async ({ remote }: Released, ...patterns: ReadonlyArray<string>): Promise<Readonly<Record<string, string>>> => {
      const lines = (await git(folder(), "ls-remote", remote, ...patterns)).split("\n")
      return Object.fromEntries(lines.map((line) => line.split("\t").toReversed()))
    }
  }
}

/** The requests as `requestsDuring` tells them. */
export const told = (calls: ReadonlyArray<Call>): ReadonlyArray<string> =>
  calls.map(([method, path]) => `${method} /api/v4${path}`).toSorted()
